/**
 * All suggestions as a list: to read through, to go to, to decide one by one. Of long lists the beginning is shown, and
 * as much more as is asked for or as it takes to follow the text.
 */
import { changeInContext } from "../lib/change.js";
import { element, icon } from "../lib/elements.js";
import { kindOf, nameOfType } from "../lib/kinds.js";
import { choiceButtons } from "./choices.js";
import { showConfidence } from "./confidence.js";
import { describe, say } from "./messages.js";

const PAGE = 40;
const MARGIN_PX = 40; // what is brought into view keeps this distance from the list's edge

export class List {
  #root;
  #more;
  #heading;
  #located = [];
  #ui = "en";
  #nAsked = PAGE; // how many are shown by the reader's wish
  #nFollowed = 0; // and to follow the text
  #nShown = 0;
  #current = null; // the suggestion that is highlighted
  #items = new WeakMap(); // suggestion → its element

  /** @param {{go: Function, accept: Function, dismiss: Function, choose: Function}} actions  on a located suggestion */
  constructor({ root, more, heading }, actions) {
    this.#root = root;
    this.#more = more;
    this.#heading = heading;
    root.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      const located = this.#locatedAt(button);
      if (located) actions[button.dataset.action](located, Number(button.dataset.choice));
    });
    root.addEventListener("keydown", (event) => {
      const located = this.#locatedAt(event.target);
      if (!located || !/^[1-9]$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
      actions.choose(located, Number(event.key) - 1);
    });
    more.addEventListener("click", () => {
      const firstNew = this.#nShown;
      this.#nAsked = this.#nShown + PAGE;
      this.#draw();
      this.#refocus({ index: firstNew, action: "go" });
    });
  }

  /** Whether the list scrolls by itself, and not with the page. */
  get canScroll() {
    return getComputedStyle(this.#root).overflowY !== "visible";
  }

  /** Show `located` suggestions; `current` is highlighted. The focus stays on the same button of the list. */
  render(located, current, ui) {
    if (ui !== this.#ui) this.#items = new WeakMap();
    this.#ui = ui;
    this.#located = located;
    this.#draw();
    this.highlight(current);
  }

  /** Highlight a suggestion (null: none), and bring it into view if it was not highlighted before. */
  highlight(suggestion) {
    const isNew = suggestion !== this.#current;
    this.#mark(this.#current, false);
    this.#current = suggestion;
    this.#mark(suggestion, true);
    if (isNew && suggestion) this.reveal(this.#located.findIndex((it) => it.suggestion === suggestion));
  }

  /** Bring the suggestion at `index` into view. */
  reveal(index) {
    if (!this.#reach(index)) return;
    const item = this.#root.children[index];
    const above = item.offsetTop;
    const below = above + item.offsetHeight - this.#root.clientHeight;
    if (above < this.#root.scrollTop) this.#root.scrollTop = above - MARGIN_PX;
    else if (below > this.#root.scrollTop) this.#root.scrollTop = below + MARGIN_PX;
  }

  /** Have the place `share` of the way from item `before` to item `after` stand `ratio` of the way down the list. */
  align(before, after, share, ratio) {
    if (!this.#reach(after)) return;
    const middle = ({ offsetTop, offsetHeight }) => offsetTop + offsetHeight * ratio;
    const [from, to] = [before, after].map((index) => middle(this.#root.children[index]));
    this.#root.scrollTop = from + (to - from) * share - this.#root.clientHeight * ratio;
  }

  /** Have an item at `index`; whether there is one to scroll to. */
  #reach(index) {
    if (!this.#located[index] || !this.canScroll) return false;
    const needed = index < this.#nAsked ? 0 : (Math.floor(index / PAGE) + 2) * PAGE;
    if (needed !== this.#nFollowed) {
      this.#nFollowed = needed;
      this.#draw();
    }
    return true;
  }

  #draw() {
    const focus = this.#focus();
    const shown = this.#located.slice(0, Math.max(this.#nAsked, this.#nFollowed));
    this.#replace(shown.map((located) => this.#item(located)));
    this.#nShown = shown.length;
    const left = this.#located.length - shown.length;
    this.#more.hidden = left === 0;
    this.#more.textContent = say(this.#ui, "showMore", Math.min(left, PAGE));
    if (focus && !focus.button.isConnected) this.#refocus(focus);
  }

  /** Have `items` in the list; those that it has already are left alone: one of them may be being pressed. */
  #replace(items) {
    const old = [...this.#root.children];
    const shorter = Math.min(old.length, items.length);
    let start = 0;
    while (start < shorter && old[start] === items[start]) start++;
    let tail = 0;
    while (tail < shorter - start && old.at(-1 - tail) === items.at(-1 - tail)) tail++;
    for (const item of old.slice(start, old.length - tail)) item.remove();
    const fragment = document.createDocumentFragment();
    fragment.append(...items.slice(start, items.length - tail));
    this.#root.insertBefore(fragment, tail ? old[old.length - tail] : null);
  }

  #item(located) {
    const { suggestion } = located;
    if (!this.#items.has(suggestion)) this.#items.set(suggestion, makeItem(located, this.#ui));
    return this.#items.get(suggestion);
  }

  #mark(suggestion, isCurrent) {
    const item = suggestion && this.#items.get(suggestion);
    if (!item) return;
    item.classList.toggle("is-current", isCurrent);
    const main = item.querySelector(".go");
    if (isCurrent) main.setAttribute("aria-current", "true");
    else main.removeAttribute("aria-current");
  }

  #locatedAt(element) {
    const item = element?.closest("li");
    return item && this.#located[[...this.#root.children].indexOf(item)];
  }

  #focus() {
    const button = document.activeElement;
    const item = button?.closest?.("li");
    if (!item || item.parentElement !== this.#root) return null;
    return { button, index: [...this.#root.children].indexOf(item), action: button.dataset.action };
  }

  /** The focus stays where it was in the list; with the last item gone, it goes to the list's heading. */
  #refocus({ index, action }) {
    const item = this.#root.children[Math.min(index, this.#nShown - 1)];
    if (!item) this.#heading.focus();
    else (item.querySelector(`[data-action=${action}]`) ?? item.querySelector(".go")).focus();
  }
}

function makeItem(located, ui) {
  const { suggestion } = located;
  const sure = element("span", "sure");
  showConfidence(sure, suggestion.confidence, ui);
  const about = element("span", "about", nameOfType(suggestion.type, ui), sure);
  const main = element("button", "go", element("span", "change", ...changeInContext(located)), about);
  main.type = "button";
  main.dataset.action = "go";
  const change = describe(ui, suggestion);
  const accept = small("accept", "check", say(ui, "acceptOne", change));
  const dismiss = small("dismiss", "cross", say(ui, "dismissOne", change));
  const line = element("li", "", main, accept, dismiss);
  const choices = choiceButtons(suggestion, ui);
  if (choices.length) line.append(element("span", "choices", ...choices));
  line.dataset.kind = kindOf(suggestion.type);
  return line;
}

function small(action, picture, label) {
  const button = element("button", "tool", icon(picture));
  button.type = "button";
  button.dataset.action = action;
  button.title = label;
  button.setAttribute("aria-label", label);
  return button;
}
