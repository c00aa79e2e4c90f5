/** Learning from the review: an answer that was not accepted beside those that were. */
import { Answers } from "./answers.js";
import { button, element, icon, said } from "./build.js";
import { compare, normalised } from "./difference.js";
import { askForText } from "./dialogs.js";
import { drawPiece, editList } from "./edits.js";
import { announceSettled } from "./frame.js";
import { whoIsHere } from "./session.js";
import { Source } from "./source.js";
import { reasonName } from "./storage.js";
import { put, say, tagOf } from "./words.js";

export class Study {
  #task = null;
  #changed;
  #complain;
  #source = new Source();
  #mine = element("div", "study-side");
  #golden = element("div", "study-side");
  #answers = new Answers({ one: "rewrite", many: "rewriteN" });
  #verdict = element("p", "study-verdict");
  #says = said("p", "study-says", "studySays");

  /** @param {() => void} changed  something was typed  @param {(body: object) => void} complain  hands in a complaint */
  constructor(changed, complain) {
    this.#changed = changed;
    this.#complain = complain;
    this.#answers.addEventListener("change", () => {
      this.#showVerdict();
      this.#changed();
    });
    const sides = element("div", "study-sides", this.#mine, this.#golden);
    this.root = element(
      "div", "study", this.#says, this.#source.root, sides,
      this.#answers.root, this.#verdict,
    );
  }

  get shortcuts() {
    return {
      "Alt ↓": ["nextAnswer", () => this.#answers.step(1)],
      "Alt ↑": ["previousAnswer", () => this.#answers.step(-1)],
      "Alt C": ["complain", () => this.complain()],
    };
  }

  begin(task, draft) {
    this.#task = task;
    this.#source.begin(task);
    const wrong = this.#wrong;
    put(this.#says, wrong.every((it) => it.complaint) ? "studySaysDecided" : "studySays");
    this.#mine.replaceChildren(said("h2", "", "yourAnswer"), ...wrong.map((it) => this.#drawMine(it)));
    this.#golden.replaceChildren(said("h2", "", "acceptedAgainst"), ...(task.golden ?? []).map((it) => this.#drawGolden(it, wrong[0])));
    this.#answers.begin(task, draft?.answers ?? wrong.map(({ target }) => target || task.item.source), { isSingle: true });
    this.#showVerdict();
    this.#answers.focus();
  }

  focus() {
    this.#answers.focus();
  }

  read() {
    return { answers: this.#answers.targets };
  }

  plain() {
    return this.#answers.targets.join("\n");
  }

  async body() {
    const targets = this.#answers.targets.map(normalised);
    const wrong = targets.findIndex((target) => !this.#isAccepted(target));
    if (wrong >= 0) {
      this.#answers.refuse(wrong, "notYetAccepted");
      return null;
    }
    return { answers: [...new Set(targets.map((target) => this.#goldenOf(target)))] };
  }

  refuse(line) {
    this.#answers.refuse(0, "serverSays", line);
  }

  /** Say why an answer of one's own is right; about each answer once. */
  async complain(answer = this.#wrong.find((it) => !it.complaint)) {
    if (!answer) return;
    const reason = await askForText("complainTitle", "complainWhy", "complainSend", reasonName(whoIsHere().id, this.#task.id));
    if (reason) this.#complain({ complaint: reason, target: answer.target });
  }

  get #wrong() {
    return (this.#task.mine ?? []).filter((it) => !it.is_accepted);
  }

  #goldenOf(target) {
    return (this.#task.golden ?? []).map((it) => it.target).find((it) => normalised(it) === target);
  }

  #isAccepted(target) {
    return this.#goldenOf(target) !== undefined;
  }

  #drawMine(answer) {
    const { target, comment, complaint } = answer;
    const { source } = this.#task.item;
    const text = element("p", "study-text", ...compare(source, target || source).map(drawPiece));
    text.lang = tagOf(this.#task.project.language);
    const parts = target && target !== source ? [text] : [said("p", "quiet", "youSaidErrorFree"), text];
    if (comment) parts.push(element("blockquote", "reviewer-says", comment));
    if (complaint?.decision) parts.push(said("p", "quiet", "complaintRejected"), element("blockquote", "reviewer-says", complaint.decision));
    else if (complaint) parts.push(said("p", "quiet", "complaintRejectedOnly"));
    else parts.push(button("complain", () => this.complain(answer), { className: "small", keys: "Alt C" }));
    return element("div", "study-answer is-wrong", ...parts);
  }

  /** An accepted answer, as it differs from one's own. */
  #drawGolden({ target, edits }, mine) {
    const lang = tagOf(this.#task.project.language);
    const text = element("p", "study-text", ...compare(mine?.target || this.#task.item.source, target).map(drawPiece));
    text.lang = lang;
    return element("div", "study-answer is-right", text, edits?.length ? editList(edits, lang) : said("p", "quiet", "errorFree"));
  }

  #showVerdict() {
    const isRight = this.#answers.targets.map(normalised).every((target) => this.#isAccepted(target));
    const was = this.#verdict.dataset.right;
    this.#verdict.dataset.right = String(isRight);
    this.#verdict.replaceChildren(...(isRight ? [icon("check")] : []), said("span", "", isRight ? "isAccepted" : "notYetAccepted"));
    if (was !== undefined && was !== String(isRight)) announceSettled(say(isRight ? "isAccepted" : "notYetAccepted"));
  }
}
