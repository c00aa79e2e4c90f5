/**
 * A person at work on tasks, one after the other: taking one, keeping its draft, holding it, handing it in.
 *
 * The page draws the task and reads the draft; the desk knows what can go wrong on the way to the server, and sees to
 * it that nothing typed is lost.
 */
import { Later, waitAfter } from "../../lib/later.js";
import { copyText } from "../../lib/takeaway.js";
import { at, get, post, Problem, putTo } from "./api.js";
import { button } from "./build.js";
import { Drafts } from "./drafts.js";
import { announce, hideNotice, showNotice } from "./frame.js";
import { findPerson, whoIsHere } from "./session.js";
import { followPage, Stopwatch } from "./stopwatch.js";
import { browserStorage, reasonName } from "./storage.js";
import { Tabs } from "./tabs.js";

const KEEP_MS = 20_000; // how often the desk looks whether the task must be kept for longer
const DEFAULT_LEASE_MINUTES = 30;

export class Desk {
  #project;
  #kinds;
  #view;
  #storage = browserStorage();
  #stopwatch = new Stopwatch();
  #drafts;
  #tabs;
  #task = null;
  #hand = null; // what is being handed in: {body, key}
  #again = new Later(() => this.#deliver());
  #failures = 0;
  #isTouched = false; // since the task was last kept
  #keptAt = 0;
  #isTaking = false;

  /**
   * @param {object} project  as the server gives it
   * @param {string[]} kinds  of tasks that the page can show
   * @param {{show: (task: object, draft: object | null) => void, read: () => object, plain: () => string,
   *   empty: (reason: string) => void, state: (state: string) => void, busy: (isBusy: boolean) => void,
   *   refuse: (line: string) => void, done: (answer: object, handed: {id: string, kind: string, status: string}) => void,
   *   cannotTakeBack: () => void}} view  the page
   */
  constructor(project, kinds, view) {
    this.#project = project;
    this.#kinds = kinds;
    this.#view = view;
    this.#drafts = new Drafts(this.#storage, (version, draft, isLeaving) => this.#sendDraft(version, draft, isLeaving));
    this.#drafts.addEventListener("state", ({ problem }) => this.#draftNews(problem));
    this.#tabs = new Tabs(whoIsHere().id, (news) => this.#hear(news));
    this.#listen();
  }

  get task() {
    return this.#task;
  }

  /** Take the next task, or go on with the one that is held. */
  async next() {
    if (this.#isTaking) return;
    this.#isTaking = true;
    this.#view.busy(true);
    try {
      const { task, reason } = await post(at("projects", this.#project.id, "tasks", "next"), { kind: this.#kinds });
      hideNotice();
      if (task) this.#begin(task);
      else this.#rest(reason ?? "nothing");
    } catch (problem) {
      this.#cannotTake(problem);
    } finally {
      this.#isTaking = false;
      this.#view.busy(false);
    }
  }

  /** Take back an answer that was handed in; what is typed on the present sentence waits meanwhile. */
  async takeBack(id) {
    if (this.#isTaking || this.#hand) return;
    this.#isTaking = true;
    this.#view.busy(true);
    try {
      await this.#drafts.flush();
      const task = await post(at("tasks", id, "take-back"));
      this.#begin(task);
      showNotice({ key: "takenBack", kind: "news", name: "back" });
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      const key = problem.isOffline ? "offline" : problem.line ? "serverSays" : "failed";
      showNotice({ key, gaps: [problem.line], name: "back" });
      this.#view.cannotTakeBack();
    } finally {
      this.#isTaking = false;
      this.#view.busy(false);
    }
  }

  /** Something was typed or chosen. */
  changed() {
    if (!this.#task) return;
    this.#isTouched = true;
    this.#cancelHandIn();
    this.#drafts.change(this.#read());
  }

  /** Hand in the task: `body` is what its kind asks for. The next task follows by itself. */
  handIn(body) {
    if (!this.#task || this.#hand) return;
    this.#drafts.change(this.#read()); // if the browser goes away before the server answers
    this.#hand = { body, key: newKey() };
    this.#failures = 0;
    this.#deliver();
  }

  /** Give the task back without an answer. */
  async release() {
    this.#drafts.stop();
    await post(at("tasks", this.#task.id, "release")).catch(() => undefined);
  }

  #begin(task) {
    this.#task = task;
    this.#hand = null;
    this.#isTouched = false;
    this.#keptAt = Date.now();
    const { draft, other } = this.#drafts.begin(`${whoIsHere().id}.${task.id}`, task.version, task.draft);
    this.#stopwatch.start(draft?.seconds ?? 0);
    this.#view.show(task, draft);
    this.#view.state(this.#drafts.state);
    if (other) this.#offerOther(other);
  }

  #rest(reason) {
    this.#task = null;
    this.#drafts.stop();
    this.#view.empty(reason);
  }

  #cannotTake(problem) {
    if (problem.status === undefined) throw problem;
    const again = button("tryAgain", () => this.next(), { className: "small" });
    if (problem.isPassing) showNotice({ key: problem.isOffline ? "offline" : "failed", name: "next", actions: [again] });
    else showNotice({ key: "serverSays", gaps: [problem.line], name: "next", actions: [again] });
  }

  /* ---- drafts ---- */

  async #sendDraft(version, draft, isLeaving) {
    const { id } = this.#task;
    const answer = await putTo(at("tasks", id, "draft"), { version, draft }, { isLeaving });
    if (answer.held_until === null) throw new Problem(410); // the draft is kept, but somebody else has the sentence
    this.#tabs.tell({ task: id, what: "saved", version: answer.version });
    return answer.version;
  }

  #draftNews(problem) {
    this.#view.state(this.#drafts.state);
    if (this.#drafts.state === "conflict") this.#conflict(problem);
    else if (this.#drafts.state === "lost") this.#lost(problem);
    else hideNotice("conflict");
  }

  /** Another tab has a newer draft, or has handed the task in. */
  #conflict(problem) {
    const current = problem?.current ?? {};
    if (current.state === "done") return this.#doneElsewhere();
    if (current.state === "dropped") return this.#stopWith("takenAway");
    if (current.state && current.state !== "held") return this.#lost();
    const mine = button("keepMine", () => this.#keepMine(current.version), { className: "small" });
    const theirs = button("takeOther", () => this.#takeOther(current), { className: "small" });
    showNotice({ key: "otherTabSaved", name: "conflict", actions: [mine, theirs] });
  }

  #keepMine(version) {
    hideNotice("conflict");
    if (version !== undefined) this.#drafts.keepMine(version);
  }

  #takeOther({ version, draft }) {
    hideNotice("conflict");
    this.#drafts.finish();
    this.#drafts.begin(`${whoIsHere().id}.${this.#task.id}`, version, draft);
    this.#view.show(this.#task, draft);
    this.#view.state("saved");
  }

  /** This computer kept another draft of the task, older than the server's. */
  #offerOther(other) {
    const take = button("useKept", () => {
      hideNotice("kept");
      this.#view.show(this.#task, other);
      this.changed();
    }, { className: "small" });
    const leave = button("leaveKept", () => hideNotice("kept"), { className: "small" });
    showNotice({ key: "otherKept", name: "kept", kind: "news", actions: [take, leave] });
  }

  /* ---- other tabs ---- */

  async #hear({ task, what, version }) {
    if (task !== this.#task?.id) return;
    if (what === "submitted") this.#doneElsewhere();
    else if (!this.#drafts.isUnsent && version > this.#drafts.version) await this.#follow();
  }

  /** Another tab saved, and there is nothing new here: show the same. */
  async #follow() {
    const id = this.#task.id;
    const task = await get(at("tasks", id)).catch(() => null);
    if (!task || id !== this.#task?.id || this.#drafts.isUnsent) return;
    this.#drafts.follow(task.version);
    this.#view.show(this.#task, task.draft);
  }

  #doneElsewhere() {
    this.#stopWith("doneElsewhere");
  }

  #lost(problem = null) {
    this.#stopWith(problem?.status === 404 ? "takenAway" : "lostLease");
  }

  /** The task is not to be worked on any more. The text stays on the page and on this computer. */
  #stopWith(key) {
    this.#cancelHandIn();
    this.#drafts.stop();
    const copy = button("copyMine", () => this.#copy(), { className: "small" });
    const next = button("goNext", () => this.#leaveTask(), { className: "small primary" });
    this.#view.state("lost");
    showNotice({ key, actions: [copy, next] });
  }

  #leaveTask() {
    this.#drafts.finish();
    hideNotice();
    this.next();
  }

  async #copy() {
    announce((await copyText(this.#view.plain())) ? "copied" : "notCopied");
  }

  /* ---- handing in ---- */

  async #deliver() {
    const hand = this.#hand;
    const { id } = this.#task;
    this.#again.cancel();
    this.#view.busy(true);
    await this.#drafts.hold();
    const seconds = Math.round(this.#stopwatch.seconds * 1000) / 1000;
    try {
      const body = { ...hand.body, version: this.#drafts.version, key: hand.key, seconds };
      const answer = await post(at("tasks", id, "submit"), body);
      if (hand === this.#hand) await this.#handedIn({ id, kind: this.#task.kind, status: hand.body.status ?? "" }, answer);
    } catch (problem) {
      if (hand === this.#hand) this.#refused(problem);
    }
    if (!this.#isTaking) this.#view.busy(false);
  }

  async #handedIn(handed, answer) {
    const { id } = handed;
    this.#hand = null;
    this.#drafts.finish();
    this.#storage.forget(reasonName(whoIsHere().id, id));
    this.#tabs.tell({ task: id, what: "submitted" });
    this.#task = null;
    this.#view.done(answer ?? {}, handed);
    await this.next();
  }

  #refused(problem) {
    if (problem.isPassing || problem.status === 401) return this.#waitToHandIn(problem);
    this.#cancelHandIn();
    this.#drafts.release();
    if (problem.status === undefined) throw problem;
    if (problem.status === 409) return this.#conflict(problem);
    if (problem.status === 410 || problem.status === 404) return this.#lost(problem);
    this.#view.refuse(problem.line);
  }

  /** The server is away: keep the answer here, and try until it is back or the person types on. */
  #waitToHandIn(problem) {
    this.#failures++;
    this.#view.state("waiting");
    if (problem.status !== 401) this.#again.schedule((problem.wait ?? 0) * 1000 || waitAfter(this.#failures));
  }

  #read() {
    return { ...this.#view.read(), seconds: Math.round(this.#stopwatch.seconds) };
  }

  #cancelHandIn() {
    this.#again.cancel();
    this.#hand = null;
  }

  /* ---- holding ---- */

  get #leaseMs() {
    return (this.#project.settings?.lease_minutes ?? DEFAULT_LEASE_MINUTES) * 60_000;
  }

  #listen() {
    followPage(this.#stopwatch);
    setInterval(() => this.#keepTask(), Math.min(KEEP_MS, this.#leaseMs / 6));
    window.addEventListener("online", () => this.#retry());
    window.addEventListener("focus", () => this.#comeBack());
    window.addEventListener("pagehide", () => this.#drafts.flush({ isLeaving: true }));
    document.addEventListener("visibilitychange", () => document.hidden && this.#drafts.flush());
  }

  /** Hold the task for longer while somebody works on it. */
  async #keepTask() {
    const isTime = Date.now() - this.#keptAt > this.#leaseMs / 3;
    if (!this.#task || !this.#isTouched || !isTime || ["lost", "conflict"].includes(this.#drafts.state)) return;
    this.#keptAt = Date.now();
    this.#isTouched = false;
    const id = this.#task.id;
    await post(at("tasks", id, "extend")).catch((problem) => {
      if (id === this.#task?.id && (problem.status === 410 || problem.status === 404)) this.#lost(problem);
    });
  }

  #retry() {
    this.#drafts.retry();
    if (this.#hand) this.#deliver();
  }

  /** Back on this tab: somebody may have logged in again in another one. */
  async #comeBack() {
    if (document.getElementById("notice")?.dataset.name !== "loggedOut") return;
    const before = whoIsHere().id;
    const found = await findPerson().catch(() => null);
    if (!found) return;
    if (found.id !== before) return location.reload();
    hideNotice("loggedOut");
    this.#retry();
    this.#drafts.flush();
  }
}

/** A name for one attempt, which no other has. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
