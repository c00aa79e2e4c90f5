/** Everything that happened in a project, the latest first. */
import { at, get, query } from "./api.js";
import { box, button, element, said } from "./build.js";
import { tell } from "./forms.js";
import { sayTime } from "./times.js";
import { hasWords, hush } from "./words.js";

const PAGE = 100;

export class Trail {
  #page;
  #list = element("ol", "trail");
  #problem = element("p", "problem");
  #more = button("earlierEvents", () => this.#load(), { className: "small" });
  #last = null;

  constructor(page) {
    this.#page = page;
    this.#problem.setAttribute("role", "alert");
    this.root = box("tab-trail", this.#list, this.#problem, this.#more);
  }

  open() {
    this.#last = null;
    this.#list.replaceChildren();
    return this.#load();
  }

  async #load() {
    hush(this.#problem);
    try {
      const answer = await get(at("projects", this.#page.project.id, "events") + query({ before: this.#last, limit: PAGE }));
      const events = Array.isArray(answer) ? answer : answer.events;
      this.#last = events.at(-1)?.number ?? this.#last;
      this.#list.append(...events.map(draw));
      this.#more.hidden = events.length < PAGE;
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      tell(this.#problem, problem);
    }
  }
}

function draw({ kind, at: when, user, facts }) {
  const key = `event-${kind}`;
  const what = hasWords(key) ? said("span", "", key) : element("span", "", kind);
  const details = Object.entries(facts ?? {}).filter(([name]) => !/^(task|submission|holder|to|member)$/.test(name));
  const more = details.map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`).join(" · ");
  const who = user ? element("b", "", user.name) : said("b", "quiet", "byItself");
  const made = element("li", "", said("time", "quiet", "plain", () => sayTime(when)), " ", who, " ", what);
  if (more) made.append(" ", element("span", "quiet facts", more));
  return made;
}
