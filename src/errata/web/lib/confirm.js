/** A dialog that asks before something large is done. */
import { element } from "./elements.js";

let nMade = 0;

export class Confirm {
  #dialog;
  #parts;
  #answer = () => undefined;

  /** @param {string} name  begins the ids of the dialog's elements */
  constructor(name = `confirm-${++nMade}`) {
    this.#parts = {
      title: element("h2"),
      text: element("p", "quiet"),
      details: element("ul", "confirm-details"),
      no: this.#button("", false),
      yes: this.#button("primary", true),
    };
    const { title, text, details, no, yes } = this.#parts;
    for (const [part, it] of Object.entries(this.#parts)) it.id = `${name}-${part}`;
    this.#dialog = element("dialog", "confirm", title, text, details, element("div", "confirm-actions", no, yes));
    this.#dialog.id = name;
    this.#dialog.setAttribute("aria-labelledby", title.id);
    this.#dialog.setAttribute("aria-describedby", text.id);
    yes.autofocus = true;
    this.#dialog.addEventListener("close", () => this.#give(false)); // Escape
    document.body.append(this.#dialog);
  }

  /**
   * Ask; whether the answer is yes. All words are the page's.
   *
   * @param {{title: string, text: string, yes: string, no: string, details?: Node[]}} question  details are list items
   * @returns {Promise<boolean>}
   */
  ask({ title, text, yes, no, details = [] }) {
    this.#give(false);
    for (const [part, words] of Object.entries({ title, text, yes, no })) this.#parts[part].textContent = words;
    this.#parts.details.replaceChildren(...details);
    this.#dialog.showModal();
    return new Promise((resolve) => (this.#answer = resolve));
  }

  #button(className, isYes) {
    const button = element("button", className);
    button.type = "button";
    button.addEventListener("click", () => this.#give(isYes));
    return button;
  }

  #give(isYes) {
    this.#dialog.close(); // the focus goes back first
    this.#answer(isYes);
    this.#answer = () => undefined;
  }
}
