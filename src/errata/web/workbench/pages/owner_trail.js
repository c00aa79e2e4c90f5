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
const NAMES = /^(task|submission|holder|to|member|complaint|invitation|id|version)$/;
// Facts that have words of their own: `status: "error_free"` is said as `status-error_free`.
const SAID = { kind: ["task", "kind"], status: ["status"], role: ["role"], state: ["state", "member", "item"], language: ["language"], purpose: ["purpose"] };

function draw({ kind, at: when, user, facts, about, item_number: number }) {
  const key = `event-${kind}`;
  const what = hasWords(key) ? said("span", "", key) : element("span", "", kind);
  const who = user ? element("b", "", user.name) : said("b", "quiet", "byItself");
  const made = element("li", "", said("time", "quiet", "plain", () => sayTime(when)), " ", who, " ", what);
  if (number) made.append(" ", said("span", "quiet", "sentenceN", number));
  if (about && about !== user?.name) made.append(" ", element("b", "", about));
  const details = Object.entries(facts ?? {}).filter(([name, value]) => !NAMES.test(name) && value !== "");
  made.append(...details.flatMap(([name, value]) => [" ", drawFact(name, value)]));
  return made;
}

function drawFact(name, value) {
  const key = SAID[name]?.map((prefix) => `${prefix}-${value}`).find(hasWords);
  if (key) return said("span", "tag", key);
  const shown = typeof value === "object" ? JSON.stringify(value) : String(value);
  const words = hasWords(`fact-${name}`) ? said("span", "", `fact-${name}`) : element("span", "", name);
  return element("span", "quiet facts", words, ": ", shown);
}
