/**
 * A text as paragraphs, each with what the checker said about it.
 *
 * @typedef {{start: number, end: number, original: string, replacement: string, type: string, message: string,
 *   confidence: number | null, alternatives: string[]}} Suggestion  offsets in its paragraph
 */
import { applyEdits, moveSpans } from "./spans.js";

export class Paragraph {
  /** @param {string} text  @param {Suggestion[]} suggestions */
  constructor(text, suggestions = []) {
    this.text = text;
    this.suggestions = suggestions;
    this.checkedAs = null; // the question `suggestions` answer; null while they are left from an earlier text
  }
}

/** The paragraphs of a text: as many as it has lines. */
export function paragraphsOf(text) {
  return text.split("\n").map((line) => new Paragraph(line));
}

/**
 * Make `edit` in `paragraphs` (in place), which does what all `edits` do. New paragraphs stand where it reached;
 * suggestions that `edits` left alone move along.
 *
 * @returns {{first: number, removed: number, added: Paragraph[]}}
 */
export function editParagraphs(paragraphs, edit, edits, keepTouching) {
  const [first, offset] = find(paragraphs, edit.start, 0, 0);
  const [last] = find(paragraphs, edit.end, first, offset);
  const old = paragraphs.slice(first, last + 1);
  const local = edits.map((it) => ({ ...it, start: it.start - offset, end: it.end - offset }));
  const text = applyEdits(old.map((paragraph) => paragraph.text).join("\n"), local);
  const added = paragraphsOf(text);
  deal(moveSpans(suggestionsOf(old), local, keepTouching), added);
  paragraphs.splice(first, old.length, ...added);
  return { first, removed: old.length, added };
}

/** Index and offset of the paragraph that holds `position`, looking from a paragraph and its offset on. */
function find(paragraphs, position, index, offset) {
  while (index < paragraphs.length - 1 && offset + paragraphs[index].text.length < position) {
    offset += paragraphs[index].text.length + 1;
    index++;
  }
  return [index, offset];
}

function suggestionsOf(paragraphs) {
  let offset = 0;
  return paragraphs.flatMap(({ text, suggestions }) => {
    const at = offset;
    offset += text.length + 1;
    return suggestions.map((it) => ({ ...it, start: it.start + at, end: it.end + at }));
  });
}

/** Give each suggestion to the paragraph that holds it whole. */
function deal(suggestions, paragraphs) {
  let offset = 0;
  let next = 0;
  for (const paragraph of paragraphs) {
    const end = offset + paragraph.text.length;
    for (; next < suggestions.length && suggestions[next].start <= end; next++) {
      const it = suggestions[next];
      if (it.end <= end) paragraph.suggestions.push({ ...it, start: it.start - offset, end: it.end - offset });
    }
    offset = end + 1;
  }
}
