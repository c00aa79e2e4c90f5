/** The sentences of a project, their states, and the history of each. */
import { at, get, patch, post, query } from "./api.js";
import { box, button, choices, element, input, said, table } from "./build.js";
import { show } from "./dialogs.js";
import { compare } from "./difference.js";
import { drawPiece } from "./edits.js";
import { tell } from "./forms.js";
import { sayDuration, sayTime } from "./times.js";
import { hush, label, put, tagOf } from "./words.js";

const STATES = [["", "allStates"], ["annotating", "item-annotating"], ["reviewing", "item-reviewing"], ["done", "item-done"], ["withdrawn", "item-withdrawn"]];
const PAGE = 50;

export class Items {
  #page;
  #offset = 0;
  #state = choices(STATES, "");
  #list = element("div");
  #problem = element("p", "problem");
  #position = element("span", "quiet");
  #back = button("earlier", () => this.#go(-PAGE), { className: "small" });
  #on = button("later", () => this.#go(PAGE), { className: "small" });

  constructor(page) {
    this.#page = page;
    label(this.#state, "whichStates");
    this.#state.addEventListener("change", () => this.#go(-Infinity));
    this.#problem.setAttribute("role", "alert");
    const bar = element("div", "list-bar", this.#state, this.#position, element("div", "row-acts", this.#back, this.#on));
    this.root = box("tab-items", bar, this.#problem, this.#list);
  }

  open() {
    return this.#load();
  }

  #go(by) {
    this.#offset = Math.max(0, this.#offset + by);
    this.#load();
  }

  async #load() {
    hush(this.#problem);
    try {
      const values = { state: this.#state.value, offset: this.#offset, limit: PAGE };
      this.#show(await get(at("projects", this.#page.project.id, "items") + query(values)));
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      tell(this.#problem, problem);
    }
  }

  #show({ items, n_items: n }) {
    put(this.#position, "itemsOf", n ? this.#offset + 1 : 0, Math.min(n, this.#offset + PAGE), n);
    this.#back.setAttribute("aria-disabled", String(this.#offset === 0));
    this.#on.setAttribute("aria-disabled", String(this.#offset + PAGE >= n));
    const rows = items.map((item) => [item.number, this.#source(item), this.#tag(item), item.n_wanted, this.#open(item)]);
    this.#list.replaceChildren(n ? table("tab-items", ["number", "sentence", "memberState", "nWanted", "acts"], rows, "items-table") : said("p", "quiet", "noItems"));
  }

  #source({ source }) {
    const made = element("span", "item-source", source);
    made.lang = tagOf(this.#page.project.language);
    return made;
  }

  #tag({ state, purpose, outcome }) {
    const made = element("span", "row-acts", said("span", "tag", `item-${state}`));
    made.firstChild.dataset.item = state;
    if (purpose === "qualify") made.append(said("span", "tag", "purpose-qualify"));
    if (outcome === "not_annotatable") made.append(said("span", "tag", "notAnnotatable"));
    return made;
  }

  #open(item) {
    return button("history", () => this.#showHistory(item), { className: "small" });
  }

  async #showHistory(item) {
    try {
      const [history, members] = await Promise.all([get(at("items", item.id)), get(at("projects", this.#page.project.id, "members"))]);
      const place = element("div");
      const draw = (news) => place.replaceChildren(...this.#drawHistory(news, members, draw, () => close()));
      const { close } = show("history", place);
      draw(history);
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      tell(this.#problem, problem);
    }
  }

  #drawHistory({ item, tasks, golden, submissions, verdicts, complaints }, members, draw, close) {
    const lang = tagOf(this.#page.project.language);
    const source = element("p", "study-text", item.source);
    source.lang = lang;
    const parts = [source, this.#changeForm(item, close), this.#holders(item, tasks, members, draw)];
    if (golden.length) parts.push(said("h3", "", "acceptedAnswers"), element("ol", "golden", ...golden.map((target) => sentence(item.source, target, lang))));
    const happened = [...submissions.map((it) => [it.made_at, submitted(it, item, lang)]), ...verdicts.map((it) => [it.made_at, judged(it, item, lang)]), ...complaints.map((it) => [it.made_at, complained(it, item, lang)])];
    const list = happened.sort(([a], [b]) => a - b).map(([, made]) => made);
    parts.push(said("h3", "", "history"), list.length ? element("ol", "trail", ...list) : said("p", "quiet", "noHistory"));
    return parts;
  }

  /** Who has it now, with the way to take it from them, and to give it to somebody by name. */
  #holders(item, tasks, members, draw) {
    const problem = element("p", "problem");
    problem.setAttribute("role", "alert");
    const send = (way, body) => async () => {
      hush(problem);
      try {
        draw(await post(at("items", item.id, way), body()));
        document.querySelector("dialog[open] .holders select")?.focus(); // what was pressed is drawn anew
        await this.#load();
      } catch (error) {
        if (error.status === undefined) throw error;
        tell(problem, error);
      }
    };
    const held = tasks.filter(({ state }) => state === "held").map(({ id, kind, name, held_until: until }) => {
      const acts = ["annotate", "review", "judge"].includes(kind) ? [button("takeAway", send("take-away", () => ({ task_id: id })), { className: "small" })] : [];
      return element("li", "holder", element("b", "", name ?? ""), " ", said("span", "tag", `task-${kind}`), " ", said("span", "quiet", "heldUntil", () => sayTime(until)), ...acts);
    });
    const made = element("div", "holders", ...(held.length ? [element("ul", "", ...held)] : []));
    const has = new Set(tasks.filter(({ state }) => ["held", "done"].includes(state)).map(({ user_id: id }) => id));
    const may = ({ user_id: id, state, role }) => !has.has(id) && ["active", "qualified"].includes(state) && (item.state === "annotating" || role !== "annotator");
    const able = members.filter(may);
    if (item.purpose === "work" && ["annotating", "reviewing"].includes(item.state) && able.length) {
      const who = label(element("select", "", ...able.map(({ user_id: id, name }) => Object.assign(element("option", "", name), { value: id }))), "assignTo");
      made.append(element("div", "item-acts", element("label", "in-line", said("span", "quiet", "assignTo"), who), button("assign", send("assign", () => ({ user_id: who.value })), { className: "small" })));
    }
    made.append(problem);
    return made;
  }

  /** How many annotate it, and whether it is in the project at all. */
  #changeForm(item, close) {
    const problem = element("p", "problem");
    problem.setAttribute("role", "alert");
    const send = (changes) => async () => {
      try {
        await patch(at("items", item.id), { version: item.version, ...changes() });
        close();
        await this.#load();
      } catch (error) {
        if (error.status === undefined) throw error;
        tell(problem, error);
      }
    };
    const acts = [];
    if (item.state === "annotating" && item.purpose === "work") {
      const n = label(input("number", { min: 1, max: 20, value: item.n_wanted }), "nWanted");
      acts.push(element("label", "in-line", said("span", "quiet", "nWanted"), n), button("change", send(() => ({ n_wanted: Number(n.value) })), { className: "small" }));
    }
    if (item.state === "withdrawn") acts.push(button("takeUp", send(() => ({ state: "annotating" })), { className: "small" }));
    else acts.push(button("withdraw", send(() => ({ state: "withdrawn" })), { className: "small" }));
    return element("div", "item-acts", ...acts, problem);
  }
}

/** A corrected sentence with its changes. */
function sentence(source, target, lang) {
  const made = element("li", "", ...compare(source, target).map(drawPiece));
  made.lang = lang;
  return made;
}

const entry = (at, name, ...nodes) => element("li", "", element("p", "quiet", said("span", "", "plain", () => sayTime(at)), " · ", name ?? ""), ...nodes);

function submitted({ made_at: at, name, kind, status, answers, comment, seconds, is_suggested: isSuggested, is_taken_back: isTakenBack }, { source }, lang) {
  const head = element("p", "", said("span", "tag", `task-${kind}`), " ", said("span", "tag", `status-${status}`), " ", said("span", "quiet", "plain", () => sayDuration(seconds)));
  if (isTakenBack) head.append(" ", said("span", "tag", "takenBackTag"));
  if (isSuggested) head.append(" ", said("span", "tag", "withSuggestion"));
  const list = answers.length ? [element("ul", "golden", ...answers.map((target) => sentence(source, target, lang)))] : [];
  return entry(at, name, head, ...list, ...(comment ? [element("blockquote", "reviewer-says", comment)] : []));
}

function judged({ made_at: at, name, target, is_accepted: isAccepted, is_added: isAdded, comment }, { source }, lang) {
  const head = element("p", "", said("span", "tag", isAdded ? "addedTag" : isAccepted ? "right" : "wrong"));
  return entry(at, name, head, element("ul", "golden", sentence(source, target, lang)), ...(comment ? [element("blockquote", "reviewer-says", comment)] : []));
}

function complained({ made_at: at, name, target, reason, state, decision }, { source }, lang) {
  const head = element("p", "", said("span", "tag", `complaint-${state}`));
  return entry(at, name, head, element("ul", "golden", sentence(source, target, lang)), element("blockquote", "reviewer-says", reason), ...(decision ? [element("blockquote", "reviewer-says", decision)] : []));
}
