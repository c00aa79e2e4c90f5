/** The corrections of one sentence: an editor for each, and below it the edits that make it. */
import { mountEditor } from "../../lib/editor.js";
import { button, element, said, tool } from "./build.js";
import { askForEdits, editList, marksOf, sayEdits } from "./edits.js";
import { announceSettled } from "./frame.js";
import { hush, label, put, tagOf } from "./words.js";

const MAX_ANSWERS = 10;

/** Events: `change`; `look` (which answer is looked at, or its edits, changed). */
export class Answers extends EventTarget {
  #root = element("div", "answers");
  #list = element("ol", "answer-list");
  #add;
  #answers = [];
  #active = null;
  #task = null;
  #words;
  #mayBeEmpty;

  /**
   * @param {{one?: string, many?: string, add?: string, mayBeEmpty?: boolean}} options  what an answer and the way to
   *   another one are called, and whether there may be none
   */
  constructor({ one = "correction", many = "correctionN", add = "addAnswer", mayBeEmpty = false } = {}) {
    super();
    this.#words = { one, many };
    this.#mayBeEmpty = mayBeEmpty;
    this.#add = button(add, () => this.add(), { className: "small", picture: "plus", keys: "Alt A" });
    this.#root.append(this.#list, this.#add);
  }

  get root() {
    return this.#root;
  }

  /** Begin with a task's sentence and some corrections of it. */
  begin(task, targets, { isSingle = false } = {}) {
    for (const answer of this.#answers) answer.destroy();
    this.#task = task;
    this.#list.replaceChildren();
    this.#add.hidden = isSingle;
    this.#answers = [];
    this.#active = null;
    for (const target of targets.length || this.#mayBeEmpty ? targets : [task.item.source]) this.#make(target);
    this.#number();
    this.#tell("look");
  }

  get targets() {
    return this.#answers.map(({ text }) => text);
  }

  /** The edits of the answer that is looked at. */
  get edits() {
    return this.#active?.edits ?? [];
  }

  get active() {
    return this.#active;
  }

  get size() {
    return this.#answers.length;
  }

  /** Another correction, which begins as the one that is looked at. */
  add(text = this.#active?.text ?? this.#task.item.source) {
    if (this.#answers.length >= MAX_ANSWERS || this.#add.hidden) return;
    const made = this.#make(text);
    this.#number();
    made.focus();
    this.#tell("change");
  }

  focus() {
    (this.#active ?? this.#answers[0])?.focus();
  }

  /** Go to the next or the previous answer. */
  step(by) {
    const i = this.#answers.indexOf(this.#active);
    this.#answers[Math.max(0, Math.min(this.#answers.length - 1, i + by))]?.focus();
  }

  /** Put some text where the caret is; a word has spaces around it. */
  insert(text, { isWord = false } = {}) {
    this.#active?.insert(text, isWord);
  }

  undo() {
    this.#active?.editor.undo();
  }

  redo() {
    this.#active?.editor.redo();
  }

  /** Say what is wrong with an answer, at that answer. */
  refuse(i, key, ...gaps) {
    this.#answers[i]?.refuse(key, ...gaps);
  }

  #make(text) {
    const answer = new Answer(this.#task, text, {
      change: () => this.#tell("change"),
      look: () => this.#look(answer),
      news: () => answer === this.#active && this.#tell("look"),
      remove: () => this.#remove(answer),
    });
    this.#answers.push(answer);
    this.#list.append(answer.root);
    this.#active ??= answer;
    return answer;
  }

  #look(answer) {
    this.#active = answer;
    this.#tell("look");
  }

  #remove(answer) {
    const i = this.#answers.indexOf(answer);
    answer.destroy();
    answer.root.remove();
    this.#answers.splice(i, 1);
    this.#active = this.#answers[Math.max(0, i - 1)] ?? null;
    this.#number();
    if (this.#active) this.#active.focus();
    else this.#add.focus();
    this.#tell("change");
  }

  #number() {
    const isOne = this.#answers.length === 1;
    const key = isOne ? this.#words.one : this.#words.many;
    this.#answers.forEach((answer, i) => answer.number(i + 1, key, !isOne || this.#mayBeEmpty));
    this.#add.setAttribute("aria-disabled", String(this.#answers.length >= MAX_ANSWERS));
  }

  #tell(name) {
    this.dispatchEvent(new Event(name));
  }
}

class Answer {
  #heading = element("h3");
  #remove;
  #problem = element("p", "problem");
  #edits = element("div", "answer-edits");
  #task;
  #acts;
  edits = [];

  constructor(task, text, acts) {
    this.#task = task;
    this.#acts = acts;
    const lang = tagOf(task.project.language);
    this.#remove = tool("removeAnswer", "cross", acts.remove);
    this.#problem.setAttribute("role", "alert");
    const place = element("div", "answer-text");
    this.root = element("li", "answer", element("div", "answer-top", this.#heading, this.#remove), place, this.#problem, this.#edits);
    this.editor = mountEditor(place, { text, lang, check: (now, options) => this.#check(now, options) });
    this.#listen(place);
  }

  get text() {
    return this.editor.text;
  }

  set text(text) {
    this.editor.begin(text);
    this.editor.checkNow();
  }

  focus() {
    this.editor.focus();
  }

  insert(text, isWord) {
    const { start, end } = this.editor.selection;
    const [before, after] = [this.text.slice(0, start), this.text.slice(end)];
    const put = isWord ? `${/\S$/u.test(before) ? " " : ""}${text}${/^[\p{L}\p{N}]/u.test(after) ? " " : ""}` : text;
    const caret = start + put.length;
    this.editor.put(before + put + after, { start: caret, end: caret });
    this.editor.focus({ start: caret, end: caret });
  }

  /** Say which answer it is, and whether it may go. */
  number(n, key, mayGo) {
    put(this.#heading, key, n);
    this.#remove.hidden = !mayGo;
    label(this.editor.elements.field, key, n);
  }

  refuse(key, ...gaps) {
    put(this.#problem, key, ...gaps);
    this.focus();
  }

  destroy() {
    this.editor.destroy();
  }

  #listen(place) {
    const { field } = this.editor.elements;
    this.editor.addEventListener("change", ({ detail }) => {
      hush(this.#problem);
      if (detail.text.trim() === "") this.#show([]);
      else if (!this.edits.length) this.#edits.replaceChildren(said("p", "quiet", "findingEdits"));
      this.#acts.change();
    });
    this.editor.addEventListener("check", ({ detail }) => detail.problem && this.#cannotCheck());
    field.addEventListener("focus", () => this.#acts.look());
    // A sentence is one line.
    field.addEventListener("beforeinput", (event) => event.inputType === "insertLineBreak" && event.preventDefault());
    place.addEventListener("click", () => field.focus());
  }

  /** The server cuts white space at the ends, so marks are told from the first letter on. */
  async #check(text, options) {
    const edits = await askForEdits(this.#task, text.replaceAll("\n", " ").trim(), options);
    if (!options.signal.aborted) this.#show(edits);
    return marksOf(edits, text.length - text.trimStart().length);
  }

  #show(edits) {
    const isNews = JSON.stringify(edits) !== JSON.stringify(this.edits);
    this.edits = edits;
    this.#edits.replaceChildren(editList(edits, tagOf(this.#task.project.language)));
    if (!isNews) return;
    this.#acts.news();
    if (document.activeElement === this.editor.elements.field) announceSettled(sayEdits(edits));
  }

  #cannotCheck() {
    this.#edits.replaceChildren(said("p", "quiet", "editsAway"));
  }
}
