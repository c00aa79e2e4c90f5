/**
 * Saves a text once typing rests, and at once when the page is left.
 *
 * One save runs at a time, so an older text never arrives after a newer one. A failure is told and tried again.
 */
import { Later, waitAfter } from "./later.js";

export class Saving {
  #save;
  #read;
  #pause;
  #tell;
  #later = new Later(() => this.now());
  #isDue = false;
  #nRunning = 0;
  #failures = 0;
  #isClosed = false;

  /**
   * @param {(text: string, options: {isLeaving: boolean}) => unknown} save  may give a promise
   * @param {() => string} read  gives the text as it is now
   * @param {{pause: number, tell: (outcome: {text: string, problem: Error | null}) => void}} options
   */
  constructor(save, read, { pause, tell }) {
    this.#save = save;
    this.#read = read;
    this.#pause = pause;
    this.#tell = tell;
  }

  /** Save after a pause. */
  schedule() {
    this.#isDue = true;
    this.#later.schedule(this.#pause);
  }

  /** Save now, or as soon as the save that is under way is done. */
  now() {
    this.#later.cancel();
    if (this.#nRunning) this.#isDue = true;
    else this.#run(false);
  }

  /** Save now if something is waiting to be saved. */
  flush() {
    if (this.#isDue) this.now();
  }

  /** The page goes away: save what is not saved. A save under way may be cut off, so it does not count. */
  leave() {
    if (this.#isDue || this.#nRunning) this.#run(true);
  }

  /** Save what is waiting, as it is now, and then nothing more. */
  close() {
    const text = this.#read();
    this.#read = () => text;
    this.flush();
    this.#isClosed = true;
  }

  async #run(isLeaving) {
    this.#later.cancel();
    this.#isDue = false;
    this.#nRunning++;
    const text = this.#read();
    let problem = null;
    try {
      await this.#save(text, { isLeaving });
    } catch (error) {
      problem = error;
    }
    this.#nRunning--;
    this.#goOn(problem);
    this.#tell({ text, problem });
  }

  /** After a save: try again what failed, save what has changed meanwhile. */
  #goOn(problem) {
    this.#failures = problem ? this.#failures + 1 : 0;
    if (problem && !this.#isClosed) {
      this.#isDue = true;
      this.#later.schedule(waitAfter(this.#failures));
    } else if (this.#isDue && !this.#later.isWaiting) {
      this.now();
    }
  }
}
