/** Seconds that somebody worked: time counts while the page is visible, and pauses after a while without any input. */
const REST_MS = 120_000; // without a key or a pointer for so long, people are elsewhere

export class Stopwatch {
  #now;
  #ms = 0;
  #since = null; // null: it stands still
  #lastInput = 0;

  /** @param {() => number} now  milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Begin anew, with some seconds already worked. */
  start(seconds = 0) {
    this.#ms = seconds * 1000;
    this.#lastInput = this.#now();
    this.#since = this.#lastInput;
  }

  /** The page was hidden. */
  pause() {
    this.#ms += this.#running();
    this.#since = null;
  }

  /** The page is visible again. */
  resume() {
    if (this.#since !== null) return;
    this.#lastInput = this.#now();
    this.#since = this.#lastInput;
  }

  /** Somebody pressed a key or moved the pointer. */
  touch() {
    if (this.#since === null) return;
    this.#ms += this.#running();
    this.#since = this.#lastInput = this.#now();
  }

  get seconds() {
    return (this.#ms + this.#running()) / 1000;
  }

  #running() {
    if (this.#since === null) return 0;
    return Math.max(0, Math.min(this.#now(), this.#lastInput + REST_MS) - this.#since);
  }
}

/** Have a stopwatch follow the page it is on. */
export function followPage(stopwatch) {
  document.addEventListener("visibilitychange", () => (document.hidden ? stopwatch.pause() : stopwatch.resume()));
  for (const name of ["keydown", "pointerdown", "pointermove", "wheel"]) {
    document.addEventListener(name, () => stopwatch.touch(), { passive: true, capture: true });
  }
}
