/** Reviewing one sentence: which of its answers are right, and which are missing. */
import { Answers } from "./answers.js";
import { oneLine } from "./annotate.js";
import { element, input, said, segments } from "./build.js";
import { showNotice, hideNotice } from "./frame.js";
import { Source } from "./source.js";
import { Verdicts } from "./verdicts.js";
import { label } from "./words.js";

const STATUSES = [["corrected", "hasReferences"], ["not_annotatable", "notAnnotatable"]];

export class Assess {
  #task = null;
  #changed;
  #source = new Source();
  #verdicts = new Verdicts((target) => this.#added.add(target));
  #added = new Answers({ one: "addedAnswer", many: "addedAnswerN", add: "addReference", mayBeEmpty: true });
  #comments = element("ul", "said-by");
  #status;
  #comment = input("textarea", { rows: 2, maxLength: 2000 });
  #commentBox;

  constructor(changed) {
    this.#changed = changed;
    this.#verdicts.addEventListener("change", changed);
    this.#added.addEventListener("change", changed);
    this.#status = segments("statusLabel", STATUSES, "corrected", () => this.#statusChanged());
    label(this.#comment, "comment");
    this.#comment.addEventListener("input", changed);
    this.#commentBox = element("details", "comment", said("summary", "", "comment"), this.#comment);
    const bar = element("div", "work-bar", said("h2", "", "answersTitle"), this.#status.root);
    this.root = element("div", "assess", this.#source.root, this.#comments, bar, this.#verdicts.root, this.#added.root, this.#commentBox);
  }

  get shortcuts() {
    const verdicts = this.#verdicts;
    const digits = Array.from({ length: 9 }, (_, i) => [String(i + 1), ["toggleN", () => verdicts.toggle(i + 1)]]);
    return {
      "↓": ["nextAnswer", () => verdicts.step(1)],
      "↑": ["previousAnswer", () => verdicts.step(-1)],
      "→": ["wrong", () => verdicts.decide("wrong")],
      "←": ["right", () => verdicts.decide("right")],
      e: ["editThis", () => verdicts.editFocused()],
      c: ["comment", () => verdicts.commentFocused() || this.#openComment()],
      a: ["addReference", () => this.#added.add(this.#task.item.source)],
      "Alt 1": ["hasReferences", () => this.#choose("corrected")],
      "Alt 3": ["notAnnotatable", () => this.#choose("not_annotatable")],
      "Alt A": ["addReference", () => this.#added.add(this.#task.item.source)],
      ...Object.fromEntries(digits),
    };
  }

  begin(task, draft) {
    this.#task = task;
    this.#source.begin(task);
    const refusals = (task.answers ?? []).filter(({ status }) => status === "not_annotatable").map(drawRefusal);
    this.#comments.replaceChildren(...refusals, ...(task.comments ?? []).map(drawComment));
    this.#comments.hidden = !this.#comments.children.length;
    this.#verdicts.begin(task, draft?.verdicts);
    this.#added.begin(task, draft?.added ?? []);
    this.#status.value = draft?.status ?? "corrected";
    this.#comment.value = draft?.comment ?? "";
    this.#commentBox.open = this.#comment.value !== "";
    this.#show();
    this.focus();
  }

  focus() {
    if (this.#verdicts.size) this.#verdicts.focus();
    else this.#status.radios.find(({ checked }) => checked).focus();
  }

  read() {
    return { verdicts: this.#verdicts.kept, added: this.#added.targets, status: this.#status.value, comment: this.#comment.value };
  }

  plain() {
    return this.#added.targets.join("\n");
  }

  async body() {
    const comment = this.#comment.value.trim();
    if (this.#status.value === "not_annotatable") return { verdicts: this.#verdicts.list(true), added: [], status: "not_annotatable", comment };
    if (this.#verdicts.findUndecided()) return null;
    const [verdicts, added] = [this.#verdicts.list(), this.#added.targets.map(oneLine)];
    return this.#areGood(verdicts, added) ? { verdicts, added, status: "corrected", comment } : null;
  }

  refuse(line) {
    showNotice({ key: "serverSays", gaps: [line], name: "refused" });
  }

  #areGood(verdicts, added) {
    const known = verdicts.map(({ target }) => target);
    const wrong = added.findIndex((target, i) => target === "" || known.includes(target) || added.indexOf(target) < i);
    if (wrong >= 0) this.#added.refuse(wrong, added[wrong] === "" ? "emptyAnswer" : "sameAsOther");
    const hasGolden = added.length > 0 || verdicts.some((it) => it.is_accepted);
    if (wrong < 0 && !hasGolden) showNotice({ key: "needsReference", name: "refused" });
    else hideNotice("refused");
    return wrong < 0 && hasGolden;
  }

  #openComment() {
    this.#commentBox.open = true;
    this.#comment.focus();
    return true;
  }

  #choose(status) {
    this.#status.value = status;
    this.#statusChanged();
    if (status === "not_annotatable") this.#comment.focus();
    else this.focus();
    return true;
  }

  #statusChanged() {
    this.#show();
    this.#changed();
  }

  #show() {
    const isOff = this.#status.value === "not_annotatable";
    this.#verdicts.root.hidden = isOff;
    this.#added.root.hidden = isOff;
    if (isOff) this.#commentBox.open = true;
  }
}

/** How many annotators found that the sentence cannot be annotated: no answer to judge, but worth knowing. */
function drawRefusal({ n_times: n, names }) {
  const made = element("li", "", said("span", "tag", "notAnnotatable"), " ", said("span", "", "givenBy", n));
  if (names?.length) made.append(" ", element("span", "quiet", names.join(", ")));
  return made;
}

/** What an annotator remarked. */
function drawComment({ text, status, name }) {
  const what = { not_annotatable: "notAnnotatable", error_free: "errorFree", skipped: "skipped" }[status];
  const made = element("li", "", said("span", "tag", what ?? "comment"), " ", element("span", "", text));
  if (name) made.append(" ", element("span", "quiet", name));
  return made;
}
