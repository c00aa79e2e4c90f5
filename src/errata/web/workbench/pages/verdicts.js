/** The distinct answers to a sentence, each to be called right or wrong. */
import { button, element, input, said, segments } from "./build.js";
import { changedSentence, editList } from "./edits.js";
import { announce } from "./frame.js";
import { hint, hush, label, put, tagOf } from "./words.js";

const CHOICES = [["right", "right"], ["wrong", "wrong"]];

export class Verdicts extends EventTarget {
  #rows = [];
  #edit;

  /** @param {(target: string) => void} edit  begins another answer with this one */
  constructor(edit) {
    super();
    this.#edit = edit;
    this.root = element("ol", "verdicts");
  }

  /** Begin with a task; `kept` are verdicts of a draft, by target. */
  begin(task, kept = {}) {
    const judged = (task.answers ?? []).filter(({ status }) => status !== "not_annotatable");
    this.#rows = judged.map((answer, i) => new Row(task, answer, i + 1, kept[answer.target], {
      change: () => this.dispatchEvent(new Event("change")),
      edit: () => this.#edit(answer.target),
    }));
    this.root.replaceChildren(...this.#rows.map(({ root }) => root));
  }

  get size() {
    return this.#rows.length;
  }

  focus() {
    this.#rows[0]?.focus();
  }

  /** What was decided, by target, as a draft keeps it. */
  get kept() {
    return Object.fromEntries(this.#rows.map(({ target, value, comment }) => [target, { value, comment }]));
  }

  /** What was decided, as the server takes it; what is undecided is wrong if `isAllWrong`. */
  list(isAllWrong = false) {
    const is = (value) => (isAllWrong ? false : value === "right");
    return this.#rows.map(({ target, value, comment }) => ({ target, is_accepted: is(value), comment }));
  }

  /** The first answer without a verdict is told, and gets the focus. */
  findUndecided() {
    const row = this.#rows.find(({ value }) => value === null);
    row?.refuse();
    return row !== undefined;
  }

  /** Right if it is not yet, else wrong. */
  toggle(n) {
    const row = this.#rows[n - 1];
    if (!row) return false;
    row.decide(row.value === "right" ? "wrong" : "right");
    row.focus();
    return true;
  }

  /** Call the answer with the focus right or wrong. */
  decide(value) {
    const row = this.#focused;
    if (!row) return false;
    row.decide(value);
    return true;
  }

  step(by) {
    const i = this.#rows.indexOf(this.#focused);
    const row = this.#rows[i < 0 ? (by > 0 ? 0 : this.#rows.length - 1) : i + by];
    row?.focus();
    return row !== undefined;
  }

  editFocused() {
    return this.#focused ? (this.#edit(this.#focused.target), true) : false;
  }

  commentFocused() {
    return this.#focused ? (this.#focused.openComment(), true) : false;
  }

  get #focused() {
    return this.#rows.find(({ root }) => root.contains(document.activeElement));
  }
}

class Row {
  #choice;
  #comment = input("text", { maxLength: 2000 });
  #commentBox;
  #problem = element("p", "problem");
  #acts;
  #n;

  constructor(task, answer, n, kept, acts) {
    this.target = answer.target;
    this.#acts = acts;
    this.#n = n;
    this.#choice = segments("verdictOf", CHOICES, kept?.value ?? null, () => this.#decided());
    label(this.#choice.root, "verdictOf", n);
    this.#comment.value = kept?.comment ?? "";
    label(this.#comment, "commentOn", n);
    hint(this.#comment, "whyWrong");
    this.#comment.addEventListener("input", acts.change);
    this.#commentBox = element("div", "verdict-comment", this.#comment);
    this.#problem.setAttribute("role", "alert");
    this.root = element("li", "verdict", ...this.#parts(task, answer));
    this.#show();
  }

  get value() {
    return this.#choice.value;
  }

  get comment() {
    return this.#comment.value.trim();
  }

  focus() {
    const { radios } = this.#choice;
    (radios.find(({ checked }) => checked) ?? radios[0]).focus();
    this.root.scrollIntoView({ block: "nearest" });
  }

  decide(value) {
    this.#choice.value = value;
    this.#decided();
    announce(value === "right" ? "saidRight" : "saidWrong", this.#n);
  }

  refuse() {
    put(this.#problem, "decideThis");
    this.focus();
  }

  openComment() {
    this.#commentBox.hidden = false;
    this.#comment.focus();
  }

  #parts(task, answer) {
    const lang = tagOf(task.project.language);
    const text = element("p", "verdict-text", ...changedSentence(task.item.source, answer.edits ?? []));
    text.lang = lang;
    const number = element("span", "verdict-number", String(this.#n));
    number.setAttribute("aria-hidden", "true");
    const edit = button("editThis", this.#acts.edit, { className: "small" });
    const comment = button("comment", () => this.openComment(), { className: "small" });
    const about = element("div", "verdict-about", ...origins(answer));
    const edits = answer.status === "error_free" ? [] : [editList(answer.edits ?? [], lang)];
    const body = element("div", "verdict-body", about, text, ...edits, this.#commentBox, this.#problem);
    return [number, body, element("div", "verdict-acts", this.#choice.root, element("div", "verdict-more", edit, comment))];
  }

  #decided() {
    hush(this.#problem);
    this.#show();
    this.#acts.change();
  }

  #show() {
    this.root.dataset.verdict = this.value ?? "";
    this.#commentBox.hidden = this.value !== "wrong" && this.comment === "";
  }
}

/** Where an answer comes from: how many gave it, names if the project shows them, a file. */
function origins({ n_times: n, status, names }) {
  const made = [];
  if (status === "imported") made.push(said("span", "tag", "fromFile"));
  else if (n) made.push(said("span", "tag", "givenBy", n));
  if (status === "error_free") made.push(said("span", "tag", "errorFree"));
  if (names?.length) made.push(element("span", "quiet", names.join(", ")));
  return made;
}
