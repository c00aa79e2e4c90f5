import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../../src/errata/web/lib/history.js";
import { applyEdits, inverse } from "../../../src/errata/web/lib/spans.js";

/** A history and the text it is about. */
function desk(text) {
  const history = new History();
  return {
    history,
    get text() {
      return text;
    },
    make(start, end, replacement, kind = "typing", time = 0) {
      const edits = [{ start, end, replacement }];
      history.push({ kind, edits, inverse: inverse(text, edits), before: {}, after: {}, time });
      text = applyEdits(text, edits);
    },
    undo() {
      text = applyEdits(text, history.undo().inverse);
      return text;
    },
    redo() {
      text = applyEdits(text, history.redo().edits);
      return text;
    },
  };
}

test("what is typed in one go is undone in one go", () => {
  const it = desk("");
  "word".split("").forEach((letter, i) => it.make(i, i, letter, "typing", i * 100));
  assert.equal(it.undo(), "");
  assert.ok(!it.history.canUndo && it.history.canRedo);
  assert.equal(it.redo(), "word");
});

test("a pause, another place, a new line and a paste begin a new step", () => {
  const it = desk("");
  it.make(0, 0, "a", "typing", 0);
  it.make(1, 1, "b", "typing", 1001); // a pause
  it.make(0, 0, "c", "typing", 1100); // before what was typed
  it.make(3, 3, "\n", "typing", 1200);
  it.make(4, 4, "pasted", "whole", 1300);
  assert.deepEqual([it.undo(), it.undo(), it.undo(), it.undo(), it.undo()], ["cab\n", "cab", "ab", "a", ""]);
});

test("deleting backwards is one step, and brings back all of it", () => {
  const it = desk("word");
  for (const end of [4, 3, 2]) it.make(end - 1, end, "", "typing", 0);
  assert.equal(it.text, "w");
  assert.equal(it.undo(), "word");
  assert.ok(!it.history.canUndo);
});

test("after a new step there is no way forward, and no step grows after a redo", () => {
  const it = desk("");
  it.make(0, 0, "a");
  it.undo();
  it.redo();
  it.make(1, 1, "b");
  assert.ok(!it.history.canRedo);
  assert.deepEqual([it.undo(), it.undo()], ["a", ""]);
  assert.equal(it.history.undo(), undefined);
});

test("the oldest of more than a thousand steps is forgotten", () => {
  const it = desk("");
  for (let i = 0; i < 1005; i++) it.make(i, i, "x", "whole");
  while (it.history.canUndo) it.undo();
  assert.equal(it.text, "xxxxx");
});
