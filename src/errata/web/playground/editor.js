/**
 * The text area and its mirror: typing goes to the manuscript, decisions come back. Nothing else writes to the text.
 *
 * Events: `compose` when an input method begins or ends, `point` (detail: suggestion or undefined) on a click or tap.
 */
import { Mirror } from "./mirror.js";

const GAP_PX = 8; // between the words looked at and what stands below them
const MAX_TYPED = 20; // more characters at once were not typed: dictated, or put in by a tool

export class Editor extends EventTarget {
  #area;
  #scroller;
  #manuscript;
  #mirror;
  #selection = { start: 0, end: 0 }; // before the input that comes next
  #unfocusedSelection = null; // where the selection will be: Chromium forgets it when it is set without the focus
  isComposing = false;

  constructor({ area, mirror, scroller }, manuscript) {
    super();
    this.#area = area;
    this.#scroller = scroller;
    this.#manuscript = manuscript;
    this.#mirror = new Mirror(mirror);
    area.value = manuscript.text;
    this.#mirror.replace(0, 0, manuscript.paragraphs, this.#shownIn);
    this.#listen();
  }

  get selection() {
    return this.#unfocusedSelection ?? { start: this.#area.selectionStart, end: this.#area.selectionEnd };
  }

  get hasFocus() {
    return document.activeElement === this.#area;
  }

  focus(selection = null) {
    this.#area.focus({ preventScroll: true });
    if (selection) this.#select(selection);
  }

  /** Have an input method put down what it has so far, as a click elsewhere does. */
  finishComposing() {
    if (!this.isComposing) return;
    this.#area.blur();
    this.focus();
  }

  /** Mark which suggestion is looked at (null: none). */
  activate(suggestion) {
    this.#mirror.activate(suggestion);
  }

  /** Where a suggestion is on the screen, or undefined. */
  place(suggestion) {
    return this.#mirror.place(suggestion);
  }

  /** Where the sentence of a suggestion is on the screen, or undefined. */
  sentence(suggestion) {
    return this.#mirror.sentence(suggestion);
  }

  /** Where the visible part of the text is on the screen. */
  get frame() {
    return this.#scroller.getBoundingClientRect();
  }

  /** How far the text is scrolled (0 to 1), and the line of the screen that far down the visible text. */
  get view() {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const ratio = scrollHeight > clientHeight ? scrollTop / (scrollHeight - clientHeight) : 0;
    return { ratio, line: this.frame.top + ratio * clientHeight };
  }

  /**
   * Bring a suggestion into view, with all of its sentence if there is room. Only [top, bottom) of the window is free:
   * something else may stand below.
   */
  reveal(suggestion, { top, bottom }) {
    const bring = (placeOf) => {
      if (!placeOf()) return;
      const inFrame = { top: Math.max(this.frame.top, top), bottom: Math.min(this.frame.bottom, bottom) };
      this.#scroller.scrollTop += distance(placeOf(), inFrame);
      window.scrollBy(0, distance(placeOf(), { top, bottom }));
    };
    bring(() => this.#mirror.sentence(suggestion));
    bring(() => this.#mirror.place(suggestion)); // a sentence may be longer than the window
  }

  #shownIn = (paragraph) => this.#manuscript.shownIn(paragraph);

  #listen() {
    const area = this.#area;
    area.addEventListener("focus", () => this.#unfocusedSelection && this.#select(this.#unfocusedSelection));
    area.addEventListener("beforeinput", (event) => this.#beforeInput(event));
    area.addEventListener("input", (event) => this.#input(event));
    area.addEventListener("compositionstart", () => this.#compose(true));
    area.addEventListener("compositionend", () => this.#compose(false));
    area.addEventListener("click", (event) => this.#point(event));
    this.#manuscript.addEventListener("text", ({ detail }) => this.#take(detail));
    this.#manuscript.addEventListener("marks", ({ detail }) => this.#redraw(detail));
  }

  #beforeInput(event) {
    this.#selection = this.selection;
    // The browser's own undo knows nothing of decisions, so the manuscript's is used instead.
    if (event.inputType === "historyUndo" || event.inputType === "historyRedo") {
      event.preventDefault();
      if (event.inputType === "historyUndo") this.#manuscript.undo();
      else this.#manuscript.redo();
    }
  }

  #input({ inputType }) {
    const { value } = this.#area;
    const isTyped = /^(insertText|insertCompositionText|insertLineBreak|deleteContent)/.test(inputType);
    const isWhole = !isTyped || value.length - this.#manuscript.text.length > MAX_TYPED;
    this.#manuscript.write(value, this.#selection, this.selection, isWhole);
  }

  #select({ start, end }) {
    this.#area.setSelectionRange(start, end);
    this.#unfocusedSelection = this.hasFocus ? null : { start, end };
  }

  #compose(isComposing) {
    this.isComposing = isComposing;
    this.dispatchEvent(new Event("compose"));
  }

  #point({ clientX, clientY }) {
    const { start, end } = this.selection;
    if (start !== end) return; // a word or more was selected
    this.dispatchEvent(new CustomEvent("point", { detail: this.#mirror.at(clientX, clientY) }));
  }

  #take({ edit, isTyping, selection, first, removed, added }) {
    if (!isTyping) {
      this.#area.setRangeText(edit.replacement, edit.start, edit.end);
      this.#select(selection);
    }
    this.#mirror.replace(first, removed, added, this.#shownIn);
  }

  #redraw(paragraphs) {
    const changed = new Set(paragraphs);
    this.#manuscript.paragraphs.forEach((paragraph, i) => {
      if (changed.has(paragraph)) this.#mirror.redraw(i, paragraph, this.#shownIn);
    });
  }
}

/** How far to scroll for `place` to stand in the free space: not at all, or until it is a third of the way down. */
function distance(place, free) {
  if (place.top >= free.top && place.bottom <= free.bottom - GAP_PX) return 0;
  const left = free.bottom - free.top - (place.bottom - place.top) - GAP_PX;
  return place.top - free.top - Math.max(0, Math.min((free.bottom - free.top) / 3, left));
}
