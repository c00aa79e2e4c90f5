/**
 * Going through the suggestions: which one is looked at, and what becomes of it.
 *
 * The card opens by a click on a mark and leaves the focus in the text; by keys or from the list it takes the focus,
 * and every decision leads on to the next suggestion.
 */
import { kindOf } from "../lib/kinds.js";
import { wordOf } from "./card.js";
import { ofKind } from "./filter.js";
import { describe, say } from "./messages.js";

export class Review {
  #manuscript;
  #area;
  #card;
  #settings;
  #active = null; // the located suggestion the card is about
  #isDeciding = false;

  /** @param {{announce: (text: string) => void, changed: () => void}} page */
  constructor(manuscript, area, card, settings, page) {
    this.#manuscript = manuscript;
    this.#area = area;
    this.#card = card;
    this.#settings = settings;
    this.page = page;
    manuscript.addEventListener("text", () => this.#isDeciding || this.close());
    manuscript.addEventListener("marks", () => this.#isDeciding || this.#followActive());
  }

  /** The suggestion looked at, or null. */
  get active() {
    return this.#active?.suggestion ?? null;
  }

  /** Look at a suggestion; `isFocused` takes the focus to its card. */
  open(located, isFocused) {
    this.#active = located;
    const { suggestion } = located;
    this.#area.activate(suggestion);
    const n = this.#manuscript.suggestions.length;
    const numbers = { i: this.#indexOf(located), n, nOfKind: this.likeActive.length };
    const place = () => ({ mark: this.#area.place(suggestion), sentence: this.#area.sentence(suggestion) });
    this.#card.show(located, numbers, this.#settings.ui, place);
    this.reveal();
    if (isFocused) this.#card.focus();
    this.page.changed();
  }

  /** Bring the suggestion looked at into view, and its card beside it. */
  reveal() {
    if (!this.#active) return;
    this.#area.reveal(this.active, this.#card.free);
    this.#card.move();
  }

  /** Look at the suggestion itself, as a click on its mark gives it, or at none. */
  point(suggestion) {
    const located = this.#manuscript.suggestions.find((it) => it.suggestion === suggestion);
    if (located) this.open(located, false);
    else this.close();
  }

  /** Look at nothing; the focus goes back to the text if the card had it. */
  close() {
    if (!this.#active) return;
    const { end } = this.#active;
    const hadFocus = this.#card.hasFocus;
    this.#active = null;
    this.#area.activate(null);
    this.#card.hide();
    if (hadFocus) this.#area.focus({ start: end, end });
    this.page.changed();
  }

  /** Look at the next suggestion (1) or the one before (−1), from the one looked at or from the caret, and round. */
  step(by) {
    const all = this.#manuscript.suggestions;
    if (!all.length) this.page.announce(this.#say("clean"));
    else {
      const located = all.at(this.#target(all, by) % all.length);
      this.open(located, true);
      this.page.announce(this.#describe(located));
    }
  }

  /** Make the change of suggestions; by default of the one looked at. */
  accept(located = this.#activeOnes()) {
    const n = located.length;
    this.#decide(located, "accept", n > 1 ? this.#say("acceptedAll", n) : this.#say("accepted"));
  }

  /** Make the changes of all suggestions of the kind of the one looked at. */
  acceptKind() {
    this.accept(this.likeActive);
  }

  /** Make one of the changes there are for a suggestion: 0 is the first, those after it are the alternatives. */
  choose(choice, located = this.#active) {
    if (choice === 0) return this.accept([located]);
    const replacement = located?.suggestion.alternatives[choice - 1];
    if (replacement !== undefined) this.accept([{ ...located, replacement }]);
  }

  /** The suggestions of the kind of the one looked at. */
  get likeActive() {
    return ofKind(this.#manuscript.suggestions, kindOf(this.active.type));
  }

  /** Show suggestions no more; by default the one looked at. */
  dismiss(located = this.#activeOnes()) {
    const n = located.length;
    this.#decide(located, "dismiss", n > 1 ? this.#say("dismissedAll", n) : this.#say("dismissed"));
  }

  /** Keep the word that the suggestion looked at would change. */
  keepWord() {
    const word = wordOf(this.active);
    const keep = () => this.#manuscript.keepWord(word, this.#area.selection);
    this.#lead(this.#indexOf(this.#active), this.#say("added", word), keep);
  }

  /** Say the same in another language. */
  refresh() {
    if (this.#active) this.open(this.#active, false);
  }

  #decide(located, action, said) {
    this.#area.finishComposing();
    const shown = new Set(this.#manuscript.suggestions.map(({ suggestion }) => suggestion));
    const present = located.filter(({ suggestion }) => shown.has(suggestion));
    if (!present.length) return;
    this.#lead(this.#indexOf(present[0]), said, () => this.#manuscript[action](present, this.#area.selection));
  }

  /** Do `action`, then go on: to the suggestion that is now at `index` if the card has the focus, else to none. */
  #lead(index, said, action) {
    const isWorkingThrough = this.#card.hasFocus;
    this.#isDeciding = true;
    action();
    this.#isDeciding = false;
    const all = this.#manuscript.suggestions;
    if (isWorkingThrough && all.length) {
      const next = all[index % all.length];
      this.open(next, true);
      this.page.announce(`${said}. ${this.#describe(next)}`);
    } else {
      this.close();
      this.page.announce(all.length ? said : `${said}. ${this.#say("allDone")}`);
    }
  }

  /** Marks were drawn anew: stay with the suggestion that is at the same place, if there is one. */
  #followActive() {
    if (!this.#active) return;
    const { start, end, suggestion } = this.#active;
    const same = this.#manuscript.suggestions.find(
      (it) => it.start === start && it.end === end && it.suggestion.replacement === suggestion.replacement,
    );
    if (same) this.#follow(same);
    else this.close();
  }

  #follow(located) {
    if (located.suggestion !== this.active) this.open(located, false);
    else this.#active = located;
  }

  #activeOnes() {
    return this.#active ? [this.#active] : [];
  }

  #indexOf({ suggestion }) {
    return this.#manuscript.suggestions.findIndex((it) => it.suggestion === suggestion);
  }

  #target(all, by) {
    if (this.#active) return this.#indexOf(this.#active) + by;
    const caret = this.#area.selection.start;
    if (by < 0) return all.findLastIndex(({ start }) => start <= caret);
    return Math.max(0, all.findIndex(({ end }) => end >= caret));
  }

  #describe(located) {
    const position = this.#say("position", this.#indexOf(located) + 1, this.#manuscript.suggestions.length);
    return `${position}: ${describe(this.#settings.ui, located.suggestion)}`;
  }

  #say(...args) {
    return say(this.#settings.ui, ...args);
  }
}
