/**
 * The text area and its mirror: typing goes to the manuscript, decisions come back. Nothing else writes to the text.
 *
 * Events: `compose` when an input method begins or ends, `point` (detail: suggestion or undefined) on a click or tap,
 * `back` (detail: "undo" or "redo") when somebody asks for it.
 */
import { wayOf } from "./keys.js";
import { Mirror } from "./mirror.js";

const GAP_PX = 8; // between the words looked at and what stands below them
const MAX_TYPED = 20; // more characters at once were not typed: dictated, or put in by a tool

export class Area extends EventTarget {
  #field;
  #scroller;
  #manuscript;
  #mirror;
  #selection = { start: 0, end: 0 }; // before the input that comes next
  #unfocusedSelection = null; // where the selection will be: Chromium forgets it when it is set without the focus
  isComposing = false;

  /** @param {AbortSignal} signal  ends all listening */
  constructor({ field, mirror, scroller }, manuscript, signal) {
    super();
    this.#field = field;
    this.#scroller = scroller;
    this.#manuscript = manuscript;
    this.#mirror = new Mirror(mirror);
    field.value = manuscript.text;
    this.#mirror.replace(0, 0, manuscript.paragraphs, this.#shownIn);
    this.#listen(signal);
  }

  get selection() {
    return this.#unfocusedSelection ?? { start: this.#field.selectionStart, end: this.#field.selectionEnd };
  }

  get hasFocus() {
    return this.#field.getRootNode().activeElement === this.#field;
  }

  focus(selection = null) {
    this.#field.focus({ preventScroll: true });
    if (selection) this.#select(selection);
  }

  /** Have an input method put down what it has so far, as a click elsewhere does. */
  finishComposing() {
    if (!this.isComposing) return;
    this.#field.blur();
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

  #listen(signal) {
    const listen = (place, name, hear) => place.addEventListener(name, hear, { signal });
    listen(this.#field, "focus", () => this.#unfocusedSelection && this.#select(this.#unfocusedSelection));
    listen(this.#field, "keydown", (event) => this.#key(event));
    listen(this.#field, "beforeinput", (event) => this.#beforeInput(event));
    listen(this.#field, "input", (event) => this.#input(event));
    listen(this.#field, "compositionstart", () => this.#compose(true));
    listen(this.#field, "compositionend", () => this.#compose(false));
    listen(this.#field, "click", (event) => this.#point(event));
    listen(this.#manuscript, "text", ({ detail }) => this.#take(detail));
    listen(this.#manuscript, "marks", ({ detail }) => this.#redraw(detail));
  }

  #key(event) {
    const way = event.isComposing || this.isComposing ? null : wayOf(event);
    if (way) this.#back(event, way);
  }

  /** The browser's own undo knows nothing of decisions, so the manuscript's is used instead. */
  #back(event, way) {
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("back", { detail: way }));
  }

  #beforeInput(event) {
    this.#selection = this.selection;
    const way = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
    if (way) this.#back(event, way);
  }

  #input({ inputType }) {
    const { value } = this.#field;
    const isTyped = /^(insertText|insertCompositionText|insertLineBreak|deleteContent)/.test(inputType);
    const isWhole = !isTyped || value.length - this.#manuscript.text.length > MAX_TYPED;
    this.#manuscript.write(value, this.#selection, this.selection, isWhole);
  }

  #select({ start, end }) {
    this.#field.setSelectionRange(start, end);
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
      this.#field.setRangeText(edit.replacement, edit.start, edit.end);
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
