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

// Facts that only name a row of the database.
const NAMES = /^(task|submission|holder|to|member|complaint|invitation|id)$/;
// Facts that have words of their own: `status: "error_free"` is said as `status-error_free`.
const SAID = { kind: "task", status: "status", role: "role", state: "state" };

function draw({ kind, at: when, user, facts }) {
  const key = `event-${kind}`;
  const what = hasWords(key) ? said("span", "", key) : element("span", "", kind);
  const who = user ? element("b", "", user.name) : said("b", "quiet", "byItself");
  const made = element("li", "", said("time", "quiet", "plain", () => sayTime(when)), " ", who, " ", what);
  const details = Object.entries(facts ?? {}).filter(([name]) => !NAMES.test(name));
  made.append(...details.flatMap(([name, value]) => [" ", drawFact(name, value)]));
  return made;
}

function drawFact(name, value) {
  const key = `${SAID[name]}-${value}`;
  if (hasWords(key)) return said("span", "tag", key);
  return element("span", "quiet facts", `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`);
}
