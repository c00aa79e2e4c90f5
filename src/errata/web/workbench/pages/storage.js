/** What the browser keeps for people. Storage may be empty, full, forbidden, or written by somebody else. */
const PREFIX = "errata.workbench.";

export class Storage {
  #kept;

  /** @param {globalThis.Storage | null} kept  null: nothing is kept */
  constructor(kept) {
    this.#kept = kept;
  }

  read(name) {
    try {
      return JSON.parse(this.#kept.getItem(PREFIX + name));
    } catch {
      return null;
    }
  }

  /** Keep a value; whether it is kept. */
  write(name, value) {
    try {
      this.#kept.setItem(PREFIX + name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }

  forget(name) {
    try {
      this.#kept.removeItem(PREFIX + name);
    } catch {
      // What cannot be kept need not be forgotten.
    }
  }
}

/** Where a reason that somebody began to write for a task is kept until the task is handed in. */
export const reasonName = (personId, taskId) => `reason.${personId}.${taskId}`;

/** The browser's own storage. */
export function browserStorage() {
  try {
    return new Storage(window.localStorage);
  } catch {
    return new Storage(null);
  }
}
