/** All suggestions as a list: to read through, to go to, to decide one by one. Long lists are shown in pages. */
import { certainty } from "./card.js";
import { changeInContext, element, icon } from "./change.js";
import { kindOf, nameOfType } from "./kinds.js";
import { describe, say } from "./messages.js";

const PAGE = 40;

export class List {
  #root;
  #more;
  #heading;
  #shown = []; // what the list's items stand for
  #nShown = PAGE;
  #firstNew = -1; // the item that takes the focus when more are shown
  #drawn = "";
  #nIds = 0;
  #ids = new WeakMap(); // suggestion → a number

  /** @param {{go: Function, accept: Function, dismiss: Function}} actions  each takes a located suggestion */
  constructor({ root, more, heading }, actions) {
    this.#root = root;
    this.#more = more;
    this.#heading = heading;
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      const item = button?.closest("li");
      if (item) actions[button.dataset.action](this.#shown[[...root.children].indexOf(item)]);
    });
    more.addEventListener("click", () => {
      this.#firstNew = this.#shown.length;
      this.#nShown += PAGE;
      this.onMore();
    });
  }

  /** Called when more are asked for. */
  onMore = () => undefined;

  /** Show `located` suggestions; `active` is the one looked at. The focus stays on the same button of the list. */
  render(located, active, ui) {
    const shown = located.slice(0, this.#nShown);
    const ids = shown.map((it) => this.#idOf(it.suggestion));
    const drawn = [ui, active && this.#idOf(active), located.length, ...ids].join(" ");
    if (drawn === this.#drawn) return; // a button that is being pressed stays
    this.#drawn = drawn;
    const focus = this.#focus();
    this.#shown = shown;
    this.#root.replaceChildren(...this.#shown.map((it) => item(it, it.suggestion === active, ui)));
    const left = located.length - this.#shown.length;
    this.#more.hidden = left === 0;
    this.#more.textContent = say(ui, "showMore", Math.min(left, PAGE));
    if (focus) this.#refocus(focus);
    if (this.#firstNew >= 0) this.#refocus({ index: this.#firstNew, action: "go" });
    this.#firstNew = -1;
    this.#scrollToCurrent();
  }

  #idOf(suggestion) {
    if (!this.#ids.has(suggestion)) this.#ids.set(suggestion, ++this.#nIds);
    return this.#ids.get(suggestion);
  }

  #focus() {
    const item = document.activeElement?.closest?.("li");
    if (!item || item.parentElement !== this.#root) return null;
    return { index: [...this.#root.children].indexOf(item), action: document.activeElement.dataset.action };
  }

  /** The focus stays where it was in the list; with the last item gone, it goes to the list's heading. */
  #refocus({ index, action }) {
    const item = this.#root.children[Math.min(index, this.#shown.length - 1)];
    if (item) item.querySelector(`[data-action=${action}]`).focus();
    else this.#heading.focus();
  }

  #scrollToCurrent() {
    const item = this.#root.querySelector("[aria-current]")?.parentElement;
    if (!item) return;
    const above = item.offsetTop;
    const below = above + item.offsetHeight - this.#root.clientHeight;
    if (above < this.#root.scrollTop || below > this.#root.scrollTop) this.#root.scrollTop = above - 40;
  }
}

function item(located, isActive, ui) {
  const { suggestion } = located;
  const sure = element("span", "sure", certainty(suggestion, ui));
  const about = element("span", "about", nameOfType(suggestion.type, ui), sure);
  const main = element("button", "go", element("span", "change", ...changeInContext(located)), about);
  if (isActive) main.setAttribute("aria-current", "true");
  const change = describe(ui, suggestion);
  const accept = small("accept", "check", say(ui, "acceptOne", change));
  const dismiss = small("dismiss", "cross", say(ui, "dismissOne", change));
  const line = element("li", isActive ? "is-current" : "", main, accept, dismiss);
  main.type = "button";
  main.dataset.action = "go";
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
