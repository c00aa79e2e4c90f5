/** The dialog with the reader's own words. */
import { element, icon } from "../lib/elements.js";
import { say } from "./messages.js";

export class Dictionary {
  #find;
  #settings;
  #onChange;

  /** @param {() => void} onChange  called when a word came or went */
  constructor(find, settings, onChange) {
    this.#find = find;
    this.#settings = settings;
    this.#onChange = onChange;
    find("dictionary-open").addEventListener("click", () => find("dictionary").showModal());
    find("dictionary-close").addEventListener("click", () => find("dictionary").close());
    find("word-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.add(find("word").value.trim());
      find("word").value = "";
    });
    find("words").addEventListener("click", (event) => {
      const word = event.target.closest("button")?.dataset.word;
      if (word === undefined) return;
      this.remove(word);
      find("word").focus();
    });
  }

  add(word) {
    if (!word) return;
    this.#settings.addWord(word);
    this.changed();
  }

  remove(word) {
    this.#settings.removeWord(word);
    this.changed();
  }

  /** Say that there are other words now. */
  changed() {
    this.render();
    this.#onChange();
  }

  /** Draw the words, in the page's language. */
  render() {
    const { dictionary, ui } = this.#settings;
    this.#find("dictionary-open").textContent = say(ui, "dictionary", dictionary.length);
    this.#find("words-empty").hidden = dictionary.length > 0;
    this.#find("words").replaceChildren(...dictionary.map((word) => entry(word, ui)));
  }
}

function entry(word, ui) {
  const button = element("button", "tool", icon("cross"));
  button.type = "button";
  button.dataset.word = word;
  button.setAttribute("aria-label", say(ui, "removeWord", word));
  return element("li", "", element("span", "", word), button);
}
