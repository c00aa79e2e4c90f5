/** How a project goes, in numbers and pictures. */
import { at, get } from "./api.js";
import { box, element, said } from "./build.js";
import { tell } from "./forms.js";
import { hush } from "./words.js";

export class Progress {
  #page;
  #problem = element("p", "problem");
  #figures = element("div", "figures");

  constructor(page) {
    this.#page = page;
    this.#problem.setAttribute("role", "alert");
    this.root = element("div", "stack", this.#problem, this.#figures);
  }

  async open() {
    hush(this.#problem);
    this.#figures.replaceChildren(countsBox(this.#page.project.counts ?? {}), said("p", "quiet", "computing"));
    try {
      const figures = await get(at("projects", this.#page.project.id, "figures"));
      const { drawFigures } = await import("./figures.js");
      this.#figures.replaceChildren(...drawFigures(figures));
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      this.#figures.lastElementChild.remove();
      tell(this.#problem, problem);
    }
  }
}

/** Sentences by state: known at once, before the figures are computed. */
function countsBox(counts) {
  const rows = ["annotating", "reviewing", "done", "withdrawn", "qualify"].map((state) => {
    return element("div", "", said("dt", "", state === "qualify" ? "purpose-qualify" : `item-${state}`), element("dd", "", String(counts[state] ?? 0)));
  });
  return box("tab-items", element("dl", "numbers", ...rows));
}
