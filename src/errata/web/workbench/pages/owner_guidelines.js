/** The guidelines, written on one side and shown as people will see them on the other. */
import { Later } from "../../lib/later.js";
import { box, button, element, input, said } from "./build.js";
import { tell } from "./forms.js";
import { drawMarkdown } from "./markdown.js";
import { change } from "./owner_settings.js";
import { hush, label, tagOf } from "./words.js";

const PREVIEW_MS = 200;

export class GuidelinesEditor {
  #page;
  #text = input("textarea", { rows: 22, spellcheck: false });
  #preview = element("div", "guidelines");
  #problem = element("p", "problem");
  #draw = new Later(() => drawMarkdown(this.#text.value, this.#preview));

  constructor(page) {
    this.#page = page;
    const lang = tagOf(page.project.language);
    this.#text.lang = this.#preview.lang = lang;
    this.#text.value = page.project.guidelines ?? "";
    label(this.#text, "guidelinesText");
    label(this.#preview, "preview");
    this.#problem.setAttribute("role", "alert");
    this.#text.addEventListener("input", () => this.#draw.schedule(PREVIEW_MS));
    const save = button("saveGuidelines", () => this.#save(), { className: "primary" });
    const writing = box("guidelinesText", said("p", "quiet", "markdownHint"), this.#text, this.#problem, element("div", "actions", save));
    this.root = element("div", "halves", writing, box("preview", this.#preview));
    this.#draw.schedule(0);
    window.addEventListener("beforeunload", (event) => this.#isChanged && event.preventDefault());
  }

  open() {}

  get #isChanged() {
    return this.#text.value !== (this.#page.project.guidelines ?? "").replace(/\r\n?/g, "\n");
  }

  async #save() {
    hush(this.#problem);
    try {
      await change(this.#page, { guidelines: this.#text.value });
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      tell(this.#problem, problem);
    }
  }
}
