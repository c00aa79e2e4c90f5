/** Correcting one sentence: annotate and qualify. */
import { at, post } from "./api.js";
import { Answers } from "./answers.js";
import { button, element, enable, input, said, segments, tool } from "./build.js";
import { ask, askForText } from "./dialogs.js";
import { announce, showNotice } from "./frame.js";
import { whoIsHere } from "./session.js";
import { Source } from "./source.js";
import { reasonName } from "./storage.js";
import { label } from "./words.js";

const MISSING = "[MC]"; // a component is missing, and only the context could say which
const STATUSES = [["corrected", "corrected"], ["error_free", "errorFree"], ["not_annotatable", "notAnnotatable"]];

export class Annotate {
  #task = null;
  #changed;
  #source = new Source();
  #answers = new Answers();
  #status;
  #says = element("p", "status-says");
  #comment = input("textarea", { rows: 2, maxLength: 2000 });
  #commentBox;
  #tools;
  #isSuggested = false;

  /** @param {() => void} changed  something was typed or chosen */
  constructor(changed) {
    this.#changed = changed;
    this.#status = segments("statusLabel", STATUSES, "corrected", () => this.#statusChanged());
    label(this.#comment, "comment");
    this.#comment.addEventListener("input", changed);
    this.#commentBox = element("details", "comment", said("summary", "", "comment"), this.#comment);
    this.#answers.addEventListener("change", () => this.#textChanged());
    this.#answers.addEventListener("look", () => this.#look());
    this.#tools = {
      undo: tool("undo", "undo", () => this.#answers.undo()),
      redo: tool("redo", "redo", () => this.#answers.redo()),
      missing: button("insertMissing", () => this.#insertMissing(), { className: "small" }),
      suggest: button("suggest", () => this.suggest(), { className: "small", picture: "spark" }),
    };
    label(this.#tools.missing, "insertMissingLabel");
    const tools = element("div", "tools", this.#tools.suggest, this.#tools.missing, element("span", "rule"), this.#tools.undo, this.#tools.redo);
    const bar = element("div", "work-bar", this.#status.root, tools);
    this.root = element("div", "annotate", this.#source.root, bar, this.#says, this.#answers.root, this.#commentBox);
  }

  /** Keys and what they do; `key` names it in the list of keys. */
  get shortcuts() {
    return {
      "Alt 1": ["corrected", () => this.#choose("corrected")],
      "Alt 2": ["errorFree", () => this.#choose("error_free")],
      "Alt 3": ["notAnnotatable", () => this.#choose("not_annotatable")],
      "Alt A": ["addAnswer", () => this.#isEditing && this.#answers.add()],
      "Alt ↓": ["nextAnswer", () => this.#isEditing && this.#answers.step(1)],
      "Alt ↑": ["previousAnswer", () => this.#isEditing && this.#answers.step(-1)],
      "Alt M": ["insertMissingLabel", () => this.#insertMissing()],
      "Alt S": ["suggest", () => this.suggest()],
      "Alt C": ["comment", () => this.#openComment()],
    };
  }

  begin(task, draft) {
    this.#task = task;
    this.#source.begin(task);
    this.#answers.begin(task, draft?.answers ?? []);
    this.#status.value = draft?.status ?? "corrected";
    this.#comment.value = draft?.comment ?? "";
    this.#commentBox.open = this.#comment.value !== "";
    this.#isSuggested = draft?.is_suggested ?? false;
    this.#tools.suggest.hidden = !task.suggestions_allowed;
    this.#show();
    this.focus();
  }

  focus() {
    if (this.#isEditing) this.#answers.focus();
    else this.#status.radios.find(({ checked }) => checked).focus();
  }

  read() {
    const [answers, comment] = [this.#answers.targets, this.#comment.value];
    return { answers, status: this.#status.value, comment, is_suggested: this.#isSuggested };
  }

  plain() {
    return this.#answers.targets.join("\n");
  }

  /** What to hand in, or null if something is to be put right first. */
  async body() {
    const comment = this.#comment.value.trim();
    const status = this.#status.value;
    const made = (answers, it = status) => ({ status: it, answers, comment, is_suggested: this.#isSuggested });
    if (status === "not_annotatable") return made([]);
    const { source } = this.#task.item;
    if (status === "error_free") return made([source]);
    const targets = this.#answers.targets.map(oneLine);
    if (targets.length === 1 && targets[0] === oneLine(source)) return (await this.#isErrorFree()) ? made([source], "error_free") : null;
    return this.#areGood(targets, oneLine(source)) ? made(targets) : null;
  }

  refuse(line) {
    this.#answers.refuse(0, "serverSays", line);
    if (!this.#isEditing) showNotice({ key: "serverSays", gaps: [line], name: "refused" });
  }

  /** Leave the sentence to somebody else. */
  async skip() {
    const reason = await askForText("skipTitle", "skipWhy", "skip", reasonName(whoIsHere().id, this.#task.id));
    return reason ? { status: "skipped", answers: [], comment: reason, is_suggested: this.#isSuggested } : null;
  }

  /** Have the corrector's correction; undo brings back what was there. */
  async suggest() {
    if (!this.#task.suggestions_allowed || !this.#isEditing) return;
    const task = this.#task;
    enable(this.#tools.suggest, false);
    try {
      const { target } = await post(at("tasks", task.id, "suggest"));
      if (task === this.#task) this.#takeSuggestion(target);
    } catch (problem) {
      showNotice({ key: problem.line ? "serverSays" : "noSuggestion", gaps: [problem.line], name: "suggest" });
    }
    enable(this.#tools.suggest, true);
  }

  get #isEditing() {
    return this.#status.value === "corrected";
  }

  #takeSuggestion(target) {
    this.#isSuggested = true;
    this.#answers.active.editor.put(target);
    this.#answers.focus();
    announce("suggested");
    this.#changed();
  }

  #areGood(targets, source) {
    const wrong = targets.findIndex((target, i) => target === "" || target === source || targets.indexOf(target) < i);
    if (wrong < 0) return true;
    const key = targets[wrong] === "" ? "emptyAnswer" : targets[wrong] === source ? "sameAsSource" : "sameAsOther";
    this.#answers.refuse(wrong, key);
    return false;
  }

  async #isErrorFree() {
    const answer = await ask("unchangedTitle", "unchangedText", [["yes", "unchangedYes"], ["no", "unchangedNo"]]);
    if (answer !== "yes") this.#answers.focus();
    return answer === "yes";
  }

  #choose(status) {
    this.#status.value = status;
    this.#statusChanged();
    this.focus();
  }

  #statusChanged() {
    this.#show();
    this.#changed();
  }

  #textChanged() {
    this.#changed();
    this.#showTools();
  }

  #insertMissing() {
    if (this.#isEditing) this.#answers.insert(MISSING, { isWord: this.#task.project.language !== "zh" });
  }

  #openComment() {
    this.#commentBox.open = true;
    this.#comment.focus();
  }

  #look() {
    this.#source.mark(this.#isEditing ? this.#answers.edits : []);
    this.#showTools();
  }

  #show() {
    this.#answers.root.hidden = !this.#isEditing;
    this.#says.hidden = this.#isEditing;
    const key = this.#status.value === "error_free" ? "errorFreeSays" : "notAnnotatableSays";
    this.#says.replaceChildren(said("span", "", key));
    if (this.#status.value === "not_annotatable") this.#commentBox.open = true;
    this.#look();
  }

  #showTools() {
    const editor = this.#answers.active?.editor;
    enable(this.#tools.undo, Boolean(editor?.canUndo) && this.#isEditing);
    enable(this.#tools.redo, Boolean(editor?.canRedo) && this.#isEditing);
    enable(this.#tools.missing, this.#isEditing);
  }
}

/** A sentence is one line, without space at its ends. */
export const oneLine = (text) => text.replace(/\s*[\r\n]+\s*/g, " ").trim();
