/** The card beside a suggestion: what it is, how sure the model is, and what to do about it. */
import { changeNodes } from "../lib/change.js";
import { kindOf, mayBeTerm, nameOfType } from "../lib/kinds.js";
import { choiceButtons } from "./choices.js";
import { showConfidence } from "./confidence.js";
import { say } from "./messages.js";

const GAP_PX = 8;
const MAX_APART_PX = 100; // three lines: a card farther from its mark does not look as if it belonged to it
const MAX_WORD = 200; // what the server takes

export class Card {
  #root;
  #parts;
  #scroller;
  #place = () => ({});

  /** @param {(id: string) => HTMLElement} find  @param {HTMLElement} scroller  what the text scrolls in */
  constructor(find, scroller) {
    this.#root = find("card");
    this.#scroller = scroller;
    const names = ["kind", "position", "change", "message", "sure", "choices", "accept", "word", "previous", "next"];
    this.#parts = Object.fromEntries(names.map((name) => [name, find(`card-${name}`)]));
    this.#parts.kindAll = find("card-kind-all");
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

  /**
   * Show `located`, the `i`th of `n` and one of `nOfKind` of its kind.
   *
   * @param {() => {mark?: DOMRect, sentence?: DOMRect}} place  gives where the mark and its sentence are on the screen
   */
  show({ suggestion }, { i, n, nOfKind }, ui, place) {
    const { kind, position, change, message, sure, kindAll, choices, word, previous, next } = this.#parts;
    const kindName = kindOf(suggestion.type);
    this.#root.dataset.kind = kindName;
    kind.textContent = nameOfType(suggestion.type, ui);
    position.textContent = say(ui, "position", i + 1, n);
    change.replaceChildren(...changeNodes(suggestion).flatMap((node, at) => (at ? [" → ", node] : [node])));
    message.textContent = suggestion.message;
    showConfidence(sure, suggestion.confidence, ui);
    kindAll.hidden = nOfKind < 2;
    kindAll.textContent = say(ui, "acceptKind", nOfKind, say(ui, kindName).toLowerCase());
    choices.replaceChildren(...choiceButtons(suggestion, ui));
    choices.hidden = !choices.hasChildNodes();
    word.hidden = wordOf(suggestion) === "";
    previous.disabled = next.disabled = n < 2;
    this.#root.hidden = false;
    this.#place = place;
    this.#makeRoom();
  }

  /** The part of the window that shows the text: {top, bottom}. A card that is docked at its foot covers the rest. */
  get free() {
    const { top, bottom } = visibleWindow();
    return { top, bottom: this.#isDocked ? this.#root.getBoundingClientRect().top : bottom };
  }

  get #isDocked() {
    return getComputedStyle(this.#root).position === "fixed";
  }

  focus() {
    this.#parts.accept.focus({ preventScroll: true });
  }

  hide() {
    this.#root.hidden = true;
    this.#makeRoom();
  }

  /** Stand beside the sentence, or beside the mark where the sentence is too long; be out of sight when the mark is. */
  move() {
    if (!this.isOpen) return;
    const { mark, sentence } = this.#place();
    if (!mark) return;
    this.#makeRoom();
    const seen = this.#scroller.getBoundingClientRect();
    const isGone = mark.bottom < seen.top || mark.top > seen.bottom;
    this.#root.classList.toggle("is-away", isGone || (this.#isDocked && isCovered(mark, sentence, this.free)));
    if (!this.#isDocked) this.#stand(mark, sentence);
  }

  #stand(mark, sentence) {
    const frame = this.#root.offsetParent.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#root;
    const left = Math.max(GAP_PX, Math.min(mark.left - frame.left - GAP_PX, frame.width - width - GAP_PX));
    const isNearEnd = sentence.bottom - mark.bottom <= MAX_APART_PX;
    const isNearStart = mark.top - sentence.top <= MAX_APART_PX;
    const below = mark.bottom + GAP_PX;
    const tops = [below, mark.top - GAP_PX - height];
    if (isNearStart) tops.unshift(sentence.top - GAP_PX - height);
    if (isNearEnd) tops.unshift(sentence.bottom + GAP_PX);
    const top = tops.find((it) => it >= 0 && it + height <= window.innerHeight) ?? below;
    this.#root.style.left = `${left}px`;
    this.#root.style.top = `${top - frame.top}px`;
  }

  /** A docked card stands above the keyboard, and the page can scroll until its last line stands above the card. */
  #makeRoom() {
    const isDocked = this.isOpen && this.#isDocked;
    this.#root.style.bottom = isDocked ? `${window.innerHeight - visibleWindow().bottom}px` : "";
    document.body.style.paddingBottom = isDocked ? `${this.#root.offsetHeight + GAP_PX}px` : "";
  }
}

/** The part of the window that a keyboard on the screen leaves: {top, bottom}. */
function visibleWindow() {
  const visual = window.visualViewport;
  if (!visual || visual.scale > 1) return { top: 0, bottom: window.innerHeight };
  return { top: visual.offsetTop, bottom: visual.offsetTop + visual.height };
}

/** Whether a docked card hides its mark, or a part of its sentence where there is room for all of it. */
function isCovered(mark, sentence, { top, bottom }) {
  const hasRoom = sentence.bottom - sentence.top <= bottom - top;
  return mark.bottom > bottom || mark.bottom < top || (hasRoom && sentence.bottom > bottom);
}

/** The word that a suggestion changes and the dictionary could keep, or "". */
export function wordOf({ original, type }) {
  const word = original.trim();
  return mayBeTerm(type) && /\p{L}/u.test(word) && !/\s/u.test(word) && word.length <= MAX_WORD ? word : "";
}
