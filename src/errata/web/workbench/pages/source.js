/** The sentence that is worked on, with its paragraph where the project shows one. */
import { element, said } from "./build.js";
import { markedSource } from "./edits.js";
import { put, tagOf } from "./words.js";

export class Source {
  #title = said("h2", "source-title", "sentence");
  #text = element("p", "source-text");
  #sentence = null;
  #task = null;

  constructor() {
    this.root = element("section", "source", this.#title, this.#text);
  }

  begin(task) {
    const { project, passage, item } = task;
    this.#task = task;
    this.#text.lang = tagOf(project.language);
    put(this.#title, passage ? "paragraph" : "sentence");
    this.#sentence = element(passage ? "mark" : "span", passage ? "is-current" : "", item.source);
    this.#text.classList.toggle("has-passage", Boolean(passage));
    this.#text.replaceChildren(...(passage ? this.#inPassage(passage, project.language) : [this.#sentence]));
  }

  /** Mark the words that the edits change. */
  mark(edits) {
    this.#sentence?.replaceChildren(...markedSource(this.#task.item.source, edits));
  }

  /** Sentences of a paragraph, as they follow each other in its language. */
  #inPassage(passage, language) {
    const space = language === "zh" ? "" : " ";
    return passage.flatMap(({ source, is_current: isCurrent }, i) => {
      const it = isCurrent ? this.#sentence : source;
      return i ? [space, it] : [it];
    });
  }
}
