/** A page on which tasks of some kinds are done, one after the other: the sheet, its foot, its keys. */
import { at, get, page } from "./api.js";
import { button, element, enable, link, said, tool } from "./build.js";
import { Desk } from "./desk.js";
import { isAsking, showKeys } from "./dialogs.js";
import { announce, retitle, showFailure, showNotice, showPath, showPerson, startPage } from "./frame.js";
import { Guidelines } from "./guidelines.js";
import { requirePerson } from "./session.js";
import { listenForShortcuts } from "./shortcuts.js";
import { StateLine } from "./state.js";
import { put, say } from "./words.js";

const REASONS = ["nothing", "draft", "paused", "finished", "archived", "failed"];
const COMMON_KEYS = [["Alt G", "guidelines"], ["Ctrl Z", "undo"], ["Ctrl Shift Z", "redo"], ["?", "keysTitle"], ["Alt K", "keysTitle"]];

/**
 * @typedef {object} Sheet  how one kind of task is done
 * @property {HTMLElement} root
 * @property {(task: object, draft: object | null) => void} begin
 * @property {() => object} read  gives the draft
 * @property {() => string} plain  gives what was typed, to be copied
 * @property {() => Promise<object | null>} body  gives what to hand in; null: something is to be put right first
 * @property {(line: string) => void} refuse  tells why the server did not take it
 * @property {Record<string, [string, () => unknown]>} shortcuts  keys, the message that names them, what they do
 * @property {() => Promise<object | null>} [skip]  gives what to hand in if the task is left to somebody else
 */

export class TaskPage {
  #project;
  #makeSheet;
  #sheets = new Map();
  #desk;
  #guidelines;
  #mode = null;
  #kinds;
  #main = document.querySelector("main");
  #title = element("h1", "work-title");
  #position = element("span", "quiet");
  #place = element("div", "work-place");
  #state = new StateLine();
  #skip = button("skip", () => this.#handInSkip(), { className: "skip-button" });
  #back = button("takeBackLast", () => this.#takeBack(), { className: "small back-button", picture: "undo" });
  #last = null; // the answer handed in last, which can be taken back
  #submit = button("saveAndNext", () => this.#handIn(), { className: "primary", keys: "Ctrl Enter" });
  #news = null; // to be told with the next task

  /** @param {string[]} kinds  @param {(kind: string, desk: Desk) => Sheet} makeSheet  @param {string | null} back  an
   *   answer to take back, to begin with */
  constructor(project, kinds, makeSheet, back = null) {
    this.#project = project;
    this.#kinds = kinds;
    this.#makeSheet = makeSheet;
    this.#guidelines = new Guidelines(project);
    this.#desk = new Desk(project, kinds, this);
    this.#showBack(null);
    this.#listen();
    if (back) this.#desk.takeBack(back).then(() => this.#desk.task || this.#desk.next());
    else this.#desk.next();
  }

  /* ---- what the desk asks of a page ---- */

  show(task, draft) {
    this.#mode = this.#sheetFor(task.kind);
    this.#build();
    put(this.#title, `title-${task.kind}`);
    put(this.#position, "sentenceOf", task.item.number, task.item.n_of);
    this.#skip.hidden = !this.#mode.skip || task.kind === "qualify";
    this.#place.replaceChildren(this.#mode.root);
    this.#mode.begin(task, draft);
    this.#tellNews();
  }

  read() {
    return this.#mode.read();
  }

  plain() {
    return this.#mode.plain();
  }

  empty(reason) {
    this.#main.replaceChildren(emptyBox(REASONS.includes(reason) ? reason : "nothing", this.#project, this.#back));
    this.#main.className = "narrow";
    this.#main.removeAttribute("aria-busy");
    this.#main.querySelector("h1").focus();
    this.#tellNews();
  }

  state(state) {
    this.#state.show(state);
  }

  busy(isBusy) {
    enable(this.#submit, !isBusy);
    enable(this.#skip, !isBusy);
    enable(this.#back, !isBusy);
  }

  cannotTakeBack() {
    this.#showBack(null);
  }

  refuse(line) {
    this.#mode.refuse(line);
  }

  done({ qualified }, { id, kind, status }) {
    announce("handedIn");
    this.#showBack(kind === "annotate" && status !== "skipped" ? id : null);
    const gaps = [qualified?.n_right, qualified?.n_of];
    if (qualified?.state === "qualified") this.#news = { key: "qualifiedNow", gaps, kind: "news", name: "news" };
    else if (qualified?.state === "failed") this.#news = { key: "failedNow", gaps, name: "news" };
  }

  /* ---- its own ---- */

  #sheetFor(kind) {
    if (!this.#sheets.has(kind)) this.#sheets.set(kind, this.#makeSheet(kind, this.#desk));
    return this.#sheets.get(kind);
  }

  #build() {
    if (this.#place.isConnected) return;
    const keys = tool("keysTitle", "keyboard", () => this.#showKeys());
    const title = element("div", "bar-title", this.#title, this.#position);
    const bar = element("div", "bar", title, element("div", "tools", this.#guidelines.opener, keys));
    const foot = element("footer", "foot", this.#state.root, this.#back, element("div", "foot-actions", this.#skip, this.#submit));
    this.#main.className = "desk";
    this.#main.removeAttribute("aria-busy");
    this.#main.replaceChildren(element("section", "sheet", bar, this.#place, foot), element("aside", "side", this.#guidelines.panel));
  }

  #showBack(id) {
    this.#last = id;
    this.#back.hidden = id === null;
  }

  async #takeBack() {
    const id = this.#last;
    if (id === null || this.#back.getAttribute("aria-disabled") === "true") return;
    this.#showBack(null);
    await this.#desk.takeBack(id);
  }

  #tellNews() {
    if (this.#news) showNotice(this.#news);
    this.#news = null;
  }

  async #handIn() {
    await this.#handInWith(() => this.#mode.body());
  }

  async #handInSkip() {
    if (!this.#skip.hidden) await this.#handInWith(() => this.#mode.skip());
  }

  async #handInWith(read) {
    const { task } = this.#desk;
    const body = task && this.#submit.getAttribute("aria-disabled") !== "true" && (await read());
    if (body && task === this.#desk.task) this.#desk.handIn(body);
  }

  #showKeys() {
    const own = Object.entries(this.#mode?.shortcuts ?? {}).filter(([keys]) => !/^[2-9]$/.test(keys) || !this.#mode.shortcuts[3]);
    const listed = own.map(([keys, [key]]) => [keys === "1" && key === "toggleN" ? "1 … 9" : keys, key]);
    const skip = this.#skip.hidden ? [] : [["Alt J", "skip"]];
    const back = this.#kinds.includes("annotate") ? [["Alt Z", "takeBackLast"]] : [];
    showKeys([["Ctrl Enter", "saveAndNext"], ...listed, ...skip, ...back, ...COMMON_KEYS]);
  }

  /** A key of the task's own; the sheet says what it does. */
  #own(keys) {
    const found = this.#desk.task && this.#mode?.shortcuts[keys];
    return found ? found[1]() : false;
  }

  #listen() {
    const own = this.#kinds.flatMap((kind) => Object.keys(this.#sheetFor(kind).shortcuts));
    listenForShortcuts({
      "Ctrl Enter": () => (this.#desk.task ? void this.#handIn() : false),
      "Alt J": () => void this.#handInSkip(),
      "Alt Z": () => void this.#takeBack(),
      "Alt G": () => this.#guidelines.open(),
      "Alt K": () => void this.#showKeys(),
      "?": () => void this.#showKeys(),
      ...Object.fromEntries(own.map((keys) => [keys, () => this.#own(keys)])),
    }, isAsking);
    window.addEventListener("beforeunload", (event) => this.#state.isAtRisk && event.preventDefault());
  }
}

function emptyBox(reason, { id, name }, takeBack) {
  const heading = said("h1", "", `empty-${reason}`);
  heading.tabIndex = -1;
  const back = link("toProject", page("project", { id }), { className: "button primary", args: [name] });
  return element("section", "box blank", heading, said("p", "quiet", `empty-${reason}-text`), element("div", "actions", takeBack, back));
}

/** Open a page of tasks: who is here, which project, then the first task. */
export async function startTaskPage(nameKey, allKinds, makeSheet) {
  startPage(nameKey);
  try {
    const values = new URLSearchParams(location.search);
    const [id, kind] = [values.get("project") ?? "-", values.get("kind")];
    showPerson(await requirePerson());
    const project = await get(at("projects", id));
    showPath([project.name, page("project", { id })], [{ key: nameKey }]);
    retitle("pageOf", () => say(nameKey), project.name);
    const back = values.get("back");
    if (back) history.replaceState(null, "", page("work", { project: id, kind })); // to be taken back once, not at every reload
    new TaskPage(project, allKinds.includes(kind) ? [kind] : allKinds, makeSheet, back);
  } catch (problem) {
    showFailure(problem);
  }
}
