/**
 * The draft of a task: kept in the browser at every change, and on the server once typing rests.
 *
 * The browser's copy says on which version of the task it was written and whether the server has it. So nothing typed
 * is lost when the network, the session or the browser goes away, and a newer draft of another tab is noticed.
 *
 * @typedef {"saved" | "saving" | "here" | "nowhere" | "conflict" | "lost"} DraftState  `here`: on this computer alone;
 *   `nowhere`: the browser keeps nothing either; `conflict`: another tab saved another draft; `lost`: the task is not
 *   this person's any more
 */
import { Later, waitAfter } from "../../lib/later.js";

const PAUSE_MS = 800; // how long typing must rest before the server gets the draft
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Drafts extends EventTarget {
  #storage;
  #send;
  #later = new Later(() => this.flush());
  #name = "";
  #draft = null;
  #version = 0;
  #sending = null; // the save that is under way
  #failures = 0;
  #isStopped = true;
  #isHeld = false; // the task is being handed in: the server gets no draft meanwhile
  /** @type {DraftState} */
  state = "saved";

  /**
   * @param {import("./storage.js").Storage} storage
   * @param {(version: number, draft: object, isLeaving: boolean) => Promise<number>} send  gives the new version
   */
  constructor(storage, send) {
    super();
    this.#storage = storage;
    this.#send = send;
  }

  get version() {
    return this.#version;
  }

  /** Whether there is something that the server does not have yet. */
  get isUnsent() {
    return this.#draft !== null;
  }

  /**
   * Begin with a task: the draft to show, and another one that this computer kept (null: none).
   *
   * What was typed here on the version the server still has is newer than the server's. If the server has a newer one
   * too, nobody but the writer can say which counts.
   *
   * @returns {{draft: object | null, other: object | null}}
   */
  begin(name, version, draft) {
    this.#later.cancel();
    Object.assign(this, { state: "saved" });
    this.#name = `draft.${name}`;
    this.#version = version;
    this.#draft = null;
    this.#isStopped = false;
    this.#isHeld = false;
    this.#failures = 0;
    const kept = this.#storage.read(this.#name);
    if (!kept || kept.isSent || same(kept.draft, draft)) return { draft, other: null };
    if (kept.version !== version) return { draft, other: kept.draft };
    this.change(kept.draft);
    return { draft: kept.draft, other: null };
  }

  /** Keep a draft: here at once, on the server soon. */
  change(draft) {
    if (this.#isStopped) return;
    this.#isHeld = false;
    this.#draft = draft;
    const isKept = this.#keep(false);
    if (this.state === "conflict" || this.state === "lost") return;
    if (!isKept) this.#tell("nowhere");
    else if (this.#failures) this.#tell("here");
    else this.#tell("saving");
    if (!this.#failures || !this.#later.isWaiting) this.#later.schedule(this.#failures ? waitAfter(this.#failures) : PAUSE_MS);
  }

  /** Send what is not sent. */
  async flush({ isLeaving = false } = {}) {
    this.#later.cancel();
    if (this.#draft === null || this.#isStopped || this.#isHeld || ["conflict", "lost"].includes(this.state)) return;
    if (this.#sending && !isLeaving) return;
    this.#sending = this.#deliver(isLeaving);
    await this.#sending;
  }

  /** Send nothing until something changes or `release`: the task is handed in. Waits for the save that is under way. */
  async hold() {
    this.#isHeld = true;
    this.#later.cancel();
    await this.#sending;
  }

  /** The task was not handed in after all. */
  release() {
    this.#isHeld = false;
    if (this.#draft !== null) this.#later.schedule(PAUSE_MS);
  }

  /** Try now what failed: the network is back. */
  retry() {
    if (this.#failures) this.flush();
  }

  /** Go on from `version` with what is here: the writer decided so. */
  keepMine(version) {
    this.#version = version;
    this.state = "saved";
    if (this.#draft !== null) this.change(this.#draft);
  }

  /** Another tab of this person saved: its version counts, and there was nothing unsent here. */
  follow(version) {
    this.#version = version;
  }

  /** The task is done: forget the draft, here and for good. */
  finish() {
    this.stop();
    this.#storage.forget(this.#name);
  }

  /** Send nothing more; what is kept here stays. */
  stop() {
    this.#later.cancel();
    this.#isStopped = true;
  }

  async #deliver(isLeaving) {
    const [draft, name] = [this.#draft, this.#name];
    let problem = null;
    let version = this.#version;
    try {
      version = await this.#send(this.#version, draft, isLeaving);
    } catch (error) {
      problem = error;
    }
    this.#sending = null;
    if (name === this.#name && !this.#isStopped) this.#sent(draft, version, problem);
  }

  #sent(draft, version, problem) {
    if (problem) return this.#failed(problem);
    this.#failures = 0;
    this.#version = version;
    if (this.#draft !== draft) {
      this.#keep(false);
      return this.#later.schedule(0); // something was typed meanwhile
    }
    this.#keep(true);
    this.#draft = null;
    this.#tell("saved");
  }

  #failed(problem) {
    if (problem.status === 409) return this.#tell("conflict", problem);
    if (problem.status === 410 || problem.status === 404) return this.#tell("lost", problem);
    this.#failures++;
    this.#later.schedule(waitAfter(this.#failures));
    this.#tell(this.#keep(false) ? "here" : "nowhere", problem);
  }

  #keep(isSent) {
    return this.#storage.write(this.#name, { draft: this.#draft, version: this.#version, isSent });
  }

  #tell(state, problem = null) {
    const isNews = state !== this.state || problem;
    this.state = state;
    if (isNews) this.dispatchEvent(Object.assign(new Event("state"), { problem }));
  }
}
