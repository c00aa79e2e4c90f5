/** Asks before a great many changes are made at once. */
import { Confirm } from "../lib/confirm.js";
import { element } from "../lib/elements.js";
import { countKinds } from "./filter.js";
import { say } from "./messages.js";

const MAX_UNASKED = 20; // as many changes as one can look over on a screen; more are asked about first

export class Caution {
  #confirm = new Confirm("confirm");
  #settings;

  constructor(settings) {
    this.#settings = settings;
  }

  /** Do `action`, after a question if it would accept many suggestions. */
  async ask(located, action) {
    const n = located.length;
    if (n <= MAX_UNASKED || (await this.#confirm.ask(this.#question(located, n)))) action();
  }

  #question(located, n) {
    const { ui } = this.#settings;
    return {
      title: say(ui, "confirmTitle", n),
      text: say(ui, "confirmText"),
      yes: say(ui, "confirmYes", n),
      no: say(ui, "cancel"),
      details: [...countKinds(located)].map(([kind, of]) => line(kind, of, ui)),
    };
  }
}

function line(kind, n, ui) {
  const made = element("li", "", element("span", "", say(ui, kind)), element("b", "", n.toLocaleString(ui)));
  made.dataset.kind = kind;
  return made;
}
