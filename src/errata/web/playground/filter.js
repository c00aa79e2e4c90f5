/** The kinds of errors that were found, each a button: press one to see, accept or dismiss this kind alone. */
import { element } from "../lib/elements.js";
import { kindOf, KINDS } from "../lib/kinds.js";
import { say } from "./messages.js";

export class Filter {
  #root;
  #drawn = "";
  #last = { kind: null, located: [], shown: [] }; // what was asked last, and the answer
  /** The one kind to show, or null. */
  kind = null;

  /** @param {() => void} onChange  called when another kind is to be shown */
  constructor(root, onChange) {
    this.#root = root;
    root.addEventListener("click", (event) => {
      const kind = event.target.closest("button")?.dataset.kind;
      if (!kind) return;
      this.kind = this.kind === kind ? null : kind;
      onChange();
    });
  }

  /** Those of `located` suggestions that are to be shown. Once the last of a kind is dealt with, all kinds are. */
  apply(located) {
    if (this.#last.kind === this.kind && this.#last.located === located) return this.#last.shown;
    const ofThis = this.kind ? ofKind(located, this.kind) : [];
    if (!ofThis.length) this.kind = null;
    const shown = this.kind ? ofThis : located;
    this.#last = { kind: this.kind, located, shown };
    return shown;
  }

  /** Draw a button for each kind among `located` suggestions. */
  render(located, ui) {
    const counts = [...countKinds(located)];
    const drawn = JSON.stringify([ui, this.kind, counts]);
    if (drawn === this.#drawn) return; // a button that is being pressed stays
    this.#drawn = drawn;
    const focused = this.#root.contains(document.activeElement) ? document.activeElement.dataset.kind : null;
    this.#root.hidden = counts.length < 2 && !this.kind;
    this.#root.replaceChildren(...counts.map(([kind, n]) => this.#button(kind, n, ui)));
    if (focused) this.#root.querySelector(`[data-kind=${focused}]`)?.focus();
  }

  #button(kind, n, ui) {
    const button = element("button", "chip", say(ui, kind), element("b", "", n.toLocaleString(ui)));
    button.type = "button";
    button.dataset.kind = kind;
    button.setAttribute("aria-pressed", String(kind === this.kind));
    return button;
  }
}

/** Those of `located` suggestions that are of one kind. */
export function ofKind(located, kind) {
  return located.filter(({ suggestion }) => kindOf(suggestion.type) === kind);
}

/** How many of `located` suggestions there are of each kind that occurs. @returns {Map<string, number>} */
export function countKinds(located) {
  const counts = new Map(KINDS.map((kind) => [kind, 0]));
  for (const { suggestion } of located) counts.set(kindOf(suggestion.type), counts.get(kindOf(suggestion.type)) + 1);
  return new Map([...counts].filter(([, n]) => n > 0));
}
