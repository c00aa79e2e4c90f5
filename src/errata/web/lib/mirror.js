/**
 * The layer behind the text area: the same words at the same places, invisible but for the marks under them.
 *
 * It also gives the text area its height, so both scroll as one and can never slide apart. Marks change neither the
 * width of a letter nor where a line breaks.
 */
import { kindOf } from "./kinds.js";
import { sentenceAround } from "./sentence.js";
import { withoutSpace } from "./spans.js";

const REACH_PX = 8; // a finger or a pointer this close to a mark means it

export class Mirror {
  #root;
  #lines = []; // one element for each paragraph
  #marks = new Map(); // suggestion → its element
  #suggestions = new WeakMap(); // and back
  #sentences = new WeakMap(); // suggestion → its sentence, as a range of its paragraph
  #active = null;

  constructor(root) {
    this.#root = root;
  }

  /** Put lines for `paragraphs` where `removed` ones from `first` on were. */
  replace(first, removed, paragraphs, shownIn) {
    const added = paragraphs.map((paragraph) => this.#fill(document.createElement("div"), paragraph, shownIn));
    const next = this.#lines[first + removed] ?? null;
    for (const line of this.#lines.splice(first, removed, ...added)) {
      this.#forget(line);
      line.remove();
    }
    const fragment = document.createDocumentFragment();
    fragment.append(...added);
    this.#root.insertBefore(fragment, next);
  }

  /** Draw the line at `index` again. */
  redraw(index, paragraph, shownIn) {
    this.#forget(this.#lines[index]);
    this.#fill(this.#lines[index], paragraph, shownIn);
  }

  /** Show which suggestion is looked at (null: none). */
  activate(suggestion) {
    this.#marks.get(this.#active)?.classList.remove("is-active");
    this.#active = suggestion;
    this.#marks.get(suggestion)?.classList.add("is-active");
  }

  /** Where a suggestion is on the screen, or undefined. @returns {DOMRect | undefined} */
  place(suggestion) {
    const mark = this.#marks.get(suggestion);
    return mark && (mark.getClientRects()[0] ?? mark.getBoundingClientRect());
  }

  /** Where the sentence of a suggestion is on the screen, or undefined. @returns {DOMRect | undefined} */
  sentence(suggestion) {
    const line = this.#marks.get(suggestion)?.parentElement;
    if (!line) return undefined;
    if (!this.#sentences.has(suggestion)) {
      this.#sentences.set(suggestion, sentenceAround(line.textContent, suggestion));
    }
    return rangeOf(line, this.#sentences.get(suggestion)).getBoundingClientRect();
  }

  /** The suggestion at a point of the screen, or undefined. */
  at(x, y) {
    for (const reach of [0, REACH_PX, -REACH_PX]) {
      for (const element of this.#root.getRootNode().elementsFromPoint(x + reach, y)) {
        const suggestion = this.#suggestions.get(element);
        if (suggestion) return suggestion;
      }
    }
    return undefined;
  }

  #fill(line, paragraph, shownIn) {
    const { text } = paragraph;
    const nodes = [];
    let position = 0;
    for (const { suggestion } of shownIn(paragraph)) {
      const { start, end } = withoutSpace(text, suggestion);
      nodes.push(text.slice(position, start), this.#mark(text.slice(start, end), suggestion));
      position = end;
    }
    nodes.push(text.slice(position));
    line.replaceChildren(...nodes.filter((node) => node !== ""));
    if (text === "") line.append(document.createElement("br"));
    return line;
  }

  #mark(marked, suggestion) {
    const mark = document.createElement("span");
    mark.className = marked === "" ? "mark is-gap" : "mark";
    mark.dataset.kind = suggestion.kind ?? kindOf(suggestion.type);
    mark.textContent = marked;
    mark.classList.toggle("is-active", suggestion === this.#active);
    this.#marks.set(suggestion, mark);
    this.#suggestions.set(mark, suggestion);
    return mark;
  }

  #forget(line) {
    for (const mark of line.children) this.#marks.delete(this.#suggestions.get(mark));
  }
}

/** The letters [start, end) of an element, whatever elements it has inside. */
function rangeOf(root, { start, end }) {
  const range = document.createRange();
  range.selectNodeContents(root);
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let offset = 0; texts.nextNode(); ) {
    const node = texts.currentNode;
    const next = offset + node.length;
    if (offset <= start && start < next) range.setStart(node, start - offset);
    if (offset < end && end <= next) {
      range.setEnd(node, end - offset);
      break;
    }
    offset = next;
  }
  return range;
}
