/** The dialog with the reader's own words. */
import { element, icon } from "./change.js";
import { say } from "./messages.js";

export class Dictionary {
  #find;
  #settings;
  #onChange;

  /** @param {(word: string) => void} onChange  called with the word that came or went */
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
    find("words").addEventListener("click", (event) => this.#remove(event.target.closest("button")?.dataset.word));
  }

  add(word) {
    if (!word) return;
    this.#settings.addWord(word);
    this.#changed(word);
  }

  /** Draw the words, in the page's language. */
  render() {
    const { dictionary, ui } = this.#settings;
    this.#find("dictionary-open").textContent = say(ui, "dictionary", dictionary.length);
    this.#find("words-empty").hidden = dictionary.length > 0;
    this.#find("words").replaceChildren(...dictionary.map((word) => entry(word, ui)));
  }

  #remove(word) {
    if (word === undefined) return;
    this.#settings.removeWord(word);
    this.#changed(word);
    this.#find("word").focus();
  }

  #changed(word) {
    this.render();
    this.#onChange(word);
  }
}

function entry(word, ui) {
  const button = element("button", "tool", icon("cross"));
  button.type = "button";
  button.dataset.word = word;
  button.setAttribute("aria-label", say(ui, "removeWord", word));
  return element("li", "", element("span", "", word), button);
}
