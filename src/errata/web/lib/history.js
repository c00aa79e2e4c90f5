/**
 * Undo and redo: typing and decisions alike.
 *
 * @typedef {{kind: string, edits: import("./spans.js").Edit[], inverse: import("./spans.js").Edit[], before: object,
 *   after: object, time: number}} Step  `before` and `after` are what else to restore
 */
const TOGETHER_MS = 1000; // typing without a longer pause is undone at once
const MAX_STEPS = 1000;

export class History {
  #past = [];
  #future = [];

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Remember a step that was just made. @param {Step} step */
  push(step) {
    this.#future = [];
    const merged = this.canUndo ? merge(this.#past.at(-1), step) : null;
    if (merged) this.#past[this.#past.length - 1] = merged;
    else this.#past.push(step);
    if (this.#past.length > MAX_STEPS) this.#past.shift();
  }

  /** The step to take back, or undefined. @returns {Step | undefined} */
  undo() {
    const step = this.#past.pop();
    if (step) this.#future.push(step);
    return step;
  }

  /** The step to make again, or undefined. @returns {Step | undefined} */
  redo() {
    const step = this.#future.pop();
    if (step) this.#past.push({ ...step, time: -Infinity });
    return step;
  }
}

/** Both steps as one where the second goes on typing where the first was; else null. */
function merge(last, step) {
  if (last.kind !== "typing" || step.kind !== "typing" || step.time - last.time > TOGETHER_MS) return null;
  const [before] = last.edits;
  const [edit] = step.edits;
  const [wasThere] = last.inverse;
  const [isRemoved] = step.inverse;
  const typed = before.replacement;
  if (edit.start >= before.start && edit.end <= before.start + typed.length && !edit.replacement.includes("\n")) {
    const [from, to] = [edit.start - before.start, edit.end - before.start];
    const now = typed.slice(0, from) + edit.replacement + typed.slice(to);
    return joined(last, step, before.start, before.end, now, wasThere.replacement);
  }
  const isBackspacing = typed === "" && edit.replacement === "" && edit.end === before.start;
  if (isBackspacing) {
    return joined(last, step, edit.start, before.end, "", isRemoved.replacement + wasThere.replacement);
  }
  return null;
}

function joined(last, step, start, end, replacement, original) {
  return {
    ...last,
    after: step.after,
    time: step.time,
    edits: [{ start, end, replacement }],
    inverse: [{ start, end: start + replacement.length, replacement: original }],
  };
}
