/**
 * Asks about a text once typing rests.
 *
 * Only the answer to the latest question counts, however late an earlier one comes. A failure is told and tried again.
 *
 * @typedef {{isBusy: boolean, problem: Error | null}} CheckState
 */
import { Later, waitAfter } from "./later.js";

export class Check {
  #ask;
  #pause;
  #take;
  #tell;
  #later = new Later(() => this.#run());
  #asked = null; // the AbortController of the question that is open
  #failures = 0;
  #text = "";

  /**
   * @param {(text: string, options: {signal: AbortSignal}) => Promise<object[]>} ask  gives the marks of a text
   * @param {{pause: number, take: (marks: object[]) => void, tell: (state: CheckState) => void}} options
   */
  constructor(ask, { pause, take, tell }) {
    this.#ask = ask;
    this.#pause = pause;
    this.#take = take;
    this.#tell = tell;
  }

  /** Ask about `text`: at once, or after a pause in typing. */
  schedule(text, isTyping = false) {
    this.stop();
    this.#failures = 0;
    this.#text = text;
    const isBlank = text.trim() === "";
    if (isBlank) this.#take([]);
    else this.#later.schedule(isTyping ? this.#pause : 0);
    this.#tell({ isBusy: !isBlank, problem: null });
  }

  /** Ask no more, and take no answer that is still to come. */
  stop() {
    this.#later.cancel();
    this.#asked?.abort();
    this.#asked = null;
  }

  async #run() {
    const asked = (this.#asked = new AbortController());
    let problem = null;
    try {
      const marks = await this.#ask(this.#text, { signal: asked.signal });
      if (!asked.signal.aborted) this.#take(marks);
    } catch (error) {
      problem = error;
    }
    if (asked.signal.aborted) return;
    this.#failures = problem ? this.#failures + 1 : 0;
    if (problem) this.#later.schedule(waitAfter(this.#failures));
    this.#tell({ isBusy: false, problem });
  }
}
