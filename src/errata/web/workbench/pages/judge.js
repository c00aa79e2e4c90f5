/** Deciding a complaint: somebody holds that their answer is right after all. */
import { element, input, said, segments } from "./build.js";
import { compare } from "./difference.js";
import { drawPiece } from "./edits.js";
import { announce, showNotice } from "./frame.js";
import { Source } from "./source.js";
import { hush, label, put, tagOf } from "./words.js";

export class Judge {
  #task = null;
  #changed;
  #source = new Source();
  #answer = element("p", "study-text");
  #reason = element("blockquote", "reviewer-says");
  #golden = element("div", "study-side");
  #choice;
  #comment = input("textarea", { rows: 2, maxLength: 2000 });
  #problem = element("p", "problem");

  constructor(changed) {
    this.#changed = changed;
    this.#choice = segments("judgeLabel", [["yes", "uphold"], ["no", "reject"]], null, () => this.#decided());
    label(this.#comment, "judgeComment");
    this.#comment.addEventListener("input", changed);
    this.#problem.setAttribute("role", "alert");
    const mine = element("div", "study-side", said("h2", "", "theirAnswer"), element("div", "study-answer", this.#answer, this.#reason));
    const decision = element("div", "judge-decision", this.#choice.root, this.#problem, said("p", "quiet", "judgeHint"), this.#comment);
    this.root = element("div", "study", this.#source.root, element("div", "study-sides", mine, this.#golden), decision);
  }

  get shortcuts() {
    return {
      1: ["uphold", () => this.#decide("yes")],
      2: ["reject", () => this.#decide("no")],
      "←": ["uphold", () => this.#decide("yes")],
      "→": ["reject", () => this.#decide("no")],
      c: ["comment", () => (this.#comment.focus(), true)],
    };
  }

  begin(task, draft) {
    this.#task = task;
    const { target = "", reason = "" } = task.complaint ?? {};
    const lang = tagOf(task.project.language);
    this.#source.begin(task);
    this.#answer.lang = this.#reason.lang = lang;
    this.#answer.replaceChildren(...compare(task.item.source, target).map(drawPiece));
    this.#reason.textContent = reason;
    this.#golden.replaceChildren(said("h2", "", "acceptedAgainst"), ...(task.golden ?? []).map((it) => drawGolden(it, target, lang)));
    this.#choice.value = draft?.value ?? null;
    this.#comment.value = draft?.comment ?? "";
    hush(this.#problem);
    this.focus();
  }

  focus() {
    const { radios } = this.#choice;
    (radios.find(({ checked }) => checked) ?? radios[0]).focus();
  }

  read() {
    return { value: this.#choice.value, comment: this.#comment.value };
  }

  plain() {
    return this.#comment.value;
  }

  async body() {
    if (this.#choice.value !== null) return { is_upheld: this.#choice.value === "yes", comment: this.#comment.value.trim() };
    put(this.#problem, "decideThis");
    this.focus();
    return null;
  }

  refuse(line) {
    showNotice({ key: "serverSays", gaps: [line], name: "refused" });
  }

  #decide(value) {
    this.#choice.value = value;
    this.#decided();
    this.focus();
    announce(value === "yes" ? "uphold" : "reject");
    return true;
  }

  #decided() {
    hush(this.#problem);
    this.#changed();
  }
}

/** An accepted answer, as it differs from the one complained about. */
function drawGolden({ target }, theirs, lang) {
  const text = element("p", "study-text", ...compare(theirs, target).map(drawPiece));
  text.lang = lang;
  return element("div", "study-answer is-right", text);
}
