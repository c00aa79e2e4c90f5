/** The card beside a suggestion: what it is, how sure the model is, and what to do about it. */
import { changeNodes } from "./change.js";
import { kindOf, mayBeTerm, nameOfType } from "./kinds.js";
import { say } from "./messages.js";

const GAP_PX = 8;
const MAX_WORD = 200; // what the server takes

export class Card {
  #root;
  #parts;
  #scroller;
  #place = () => undefined;

  /** @param {(id: string) => HTMLElement} find  @param {HTMLElement} scroller  what the text scrolls in */
  constructor(find, scroller) {
    this.#root = find("card");
    this.#scroller = scroller;
    const names = ["kind", "position", "change", "message", "meter", "sure", "accept", "word", "previous", "next"];
    this.#parts = Object.fromEntries(names.map((name) => [name, find(`card-${name}`)]));
    // A press on the card does not take the focus from the text (on a phone: does not close the keyboard).
    this.#root.addEventListener("pointerdown", (event) => {
      if (!this.hasFocus) event.preventDefault();
    });
  }

  get isOpen() {
    return !this.#root.hidden;
  }

  get hasFocus() {
    return this.#root.contains(document.activeElement);
  }

  /** Show `located`, the `i`th of `n`, at the place that `place()` gives. */
  show({ suggestion }, i, n, ui, place) {
    const { kind, position, change, message, meter, sure, word, previous, next } = this.#parts;
    this.#root.dataset.kind = kindOf(suggestion.type);
    kind.textContent = nameOfType(suggestion.type, ui);
    position.textContent = say(ui, "position", i + 1, n);
    change.replaceChildren(...changeNodes(suggestion).flatMap((node, at) => (at ? [" → ", node] : [node])));
    message.textContent = suggestion.message;
    meter.value = suggestion.confidence ?? 0;
    meter.hidden = suggestion.confidence === null;
    sure.textContent = certainty(suggestion, ui);
    word.hidden = wordOf(suggestion) === "";
    previous.disabled = next.disabled = n < 2;
    this.#root.hidden = false;
    this.#place = place;
  }

  /** How far down the window shows the text: a card that is docked at its foot covers the rest. */
  get ceiling() {
    return this.#isDocked ? this.#root.getBoundingClientRect().top : window.innerHeight;
  }

  get #isDocked() {
    return getComputedStyle(this.#root).position === "fixed";
  }

  focus() {
    this.#parts.accept.focus({ preventScroll: true });
  }

  hide() {
    this.#root.hidden = true;
  }

  /** Stand under the suggestion, or above it where there is no room below; be out of sight when it is. */
  move() {
    const at = this.#place();
    if (!this.isOpen || !at) return;
    const seen = this.#scroller.getBoundingClientRect();
    this.#root.classList.toggle("is-away", at.bottom < seen.top || at.top > seen.bottom);
    if (this.#isDocked) return;
    const frame = this.#root.offsetParent.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#root;
    const left = Math.max(GAP_PX, Math.min(at.left - frame.left - GAP_PX, frame.width - width - GAP_PX));
    const hasRoomBelow = at.bottom + GAP_PX + height <= window.innerHeight || at.top - GAP_PX - height < 0;
    const top = hasRoomBelow ? at.bottom + GAP_PX : at.top - GAP_PX - height;
    this.#root.style.left = `${left}px`;
    this.#root.style.top = `${top - frame.top}px`;
  }
}

/** How sure the model is, in words. */
export function certainty({ confidence }, ui) {
  return confidence === null ? say(ui, "unsure") : say(ui, "sure", Math.round(confidence * 100));
}

/** The word that a suggestion changes and the dictionary could keep, or "". */
export function wordOf({ original, type }) {
  const word = original.trim();
  return mayBeTerm(type) && /\p{L}/u.test(word) && !/\s/u.test(word) && word.length <= MAX_WORD ? word : "";
}
