/** Waiting: for a pause in typing, and after failures. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/** How long to wait before the next attempt once `failures` attempts in a row have failed. */
export function waitAfter(failures) {
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
}

/** An action that waits; scheduled again, it waits anew. */
export class Later {
  #action;
  #timer = null;

  constructor(action) {
    this.#action = action;
  }

  get isWaiting() {
    return this.#timer !== null;
  }

  schedule(ms) {
    this.cancel();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#action();
    }, ms);
  }

  cancel() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }
}
