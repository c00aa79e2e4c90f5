/** The guidelines of a project: beside the work where there is room, else in a dialog. */
import { box, button, element, said } from "./build.js";
import { isAsking, show } from "./dialogs.js";
import { drawMarkdown } from "./markdown.js";
import { tagOf } from "./words.js";

const NARROW = "(max-width: 900px)";

export function drawGuidelines({ guidelines, language }) {
  const text = element("div", "guidelines");
  text.lang = tagOf(language);
  if (guidelines?.trim()) drawMarkdown(guidelines, text);
  else text.append(said("p", "quiet", "noGuidelines"));
  return text;
}

export class Guidelines {
  #project;
  #panel;

  constructor(project) {
    this.#project = project;
    const text = drawGuidelines(project);
    text.tabIndex = 0; // it scrolls, by keys too
    this.#panel = box("guidelines", text);
    this.#panel.classList.add("guidelines-box");
  }

  /** The panel beside the work. */
  get panel() {
    return this.#panel;
  }

  /** A button that shows the guidelines where the panel has no room. */
  get opener() {
    return button("guidelines", () => this.open(), { className: "small opener", picture: "book" });
  }

  /** Go to the guidelines. */
  open() {
    if (isAsking()) return;
    if (window.matchMedia(NARROW).matches) show("guidelines", drawGuidelines(this.#project));
    else this.#panel.querySelector(".guidelines").focus();
  }
}
