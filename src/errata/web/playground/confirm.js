/** The dialog that asks before a great many changes are made at once. */
import { element } from "./change.js";
import { countKinds } from "./filter.js";
import { say } from "./messages.js";

const MAX_UNASKED = 20; // as many changes as one can look over on a screen; more are asked about first

export class Confirm {
  #find;
  #settings;
  #onYes = () => undefined;

  constructor(find, settings) {
    this.#find = find;
    this.#settings = settings;
    find("confirm-no").addEventListener("click", () => find("confirm").close());
    find("confirm-yes").addEventListener("click", () => {
      find("confirm").close();
      this.#onYes();
    });
  }

  /** Do `action`, after a question if it would accept many suggestions. */
  ask(located, action) {
    const n = located.length;
    if (n <= MAX_UNASKED) return action();
    const { ui } = this.#settings;
    this.#onYes = action;
    this.#find("confirm-title").textContent = say(ui, "confirmTitle", n);
    this.#find("confirm-text").textContent = say(ui, "confirmText");
    this.#find("confirm-yes").textContent = say(ui, "confirmYes", n);
    this.#find("confirm-kinds").replaceChildren(...[...countKinds(located)].map(([kind, of]) => line(kind, of, ui)));
    this.#find("confirm").showModal();
  }
}

function line(kind, n, ui) {
  const made = element("li", "", element("span", "", say(ui, kind)), element("b", "", n.toLocaleString(ui)));
  made.dataset.kind = kind;
  return made;
}
