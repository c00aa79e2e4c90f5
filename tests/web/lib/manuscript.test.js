import assert from "node:assert/strict";
import { test } from "node:test";
import { Manuscript } from "../../../src/errata/web/lib/manuscript.js";
import { applyEdits } from "../../../src/errata/web/lib/spans.js";
import { below, forSeeds, pick, randomEdits, randomText } from "./random.js";

const CARET = { start: 0, end: 0 };
const N_EDITS = 1000;

/** A manuscript and the text area it is shown in, which only hears of changes by events. */
function desk(text) {
  const manuscript = new Manuscript(text, () => true);
  const it = { manuscript, area: text };
  manuscript.addEventListener("text", ({ detail: { edit, isTyping } }) => {
    if (!isTyping) it.area = applyEdits(it.area, [edit]);
  });
  return it;
}

const ACTIONS = {
  type(it, random) {
    const start = below(random, it.area.length + 1);
    const end = Math.min(it.area.length, start + below(random, 3));
    const replacement = randomText(random, 1);
    it.area = applyEdits(it.area, [{ start, end, replacement }]);
    it.manuscript.write(it.area, CARET, CARET, random() < 0.2);
  },
  put: (it, random) => it.manuscript.put(randomText(random, 20), CARET, CARET),
  mark: (it, random) => it.manuscript.mark(randomEdits(random, it.area, 5)),
  accept(it, random) {
    const some = it.manuscript.suggestions.filter(() => random() < 0.5);
    const expected = applyEdits(it.area, some.map(({ start, end, suggestion }) => ({ ...suggestion, start, end })));
    it.manuscript.accept(some, CARET);
    assert.equal(it.area, expected);
  },
  dismiss: (it, random) => it.manuscript.dismiss(it.manuscript.suggestions.filter(() => random() < 0.3), CARET),
  undo: (it) => it.manuscript.undo(),
  redo: (it) => it.manuscript.redo(),
};
const OFTEN = ["type", "type", "type", "type", "mark", "accept", "dismiss", "undo", "undo", "redo", "put"];

function look({ manuscript, area }) {
  const { text, paragraphs, suggestions } = manuscript;
  assert.equal(area, text);
  assert.equal(paragraphs.map((it) => it.text).join("\n"), text);
  for (const { start, end, suggestion } of suggestions) assert.equal(text.slice(start, end), suggestion.original);
}

const stateOf = ({ manuscript, area }) => JSON.stringify([area, manuscript.accepted, manuscript.dismissed]);

test("a thousand edits are undone to the first text and redone to the last", () => {
  forSeeds(5, (random) => {
    const start = randomText(random, 20);
    const it = desk(start);
    for (let i = 0; i < N_EDITS; i++) {
      ACTIONS[pick(random, OFTEN)](it, random);
      look(it);
    }
    while (it.manuscript.canRedo) it.manuscript.redo();
    const states = [];
    while (it.manuscript.canUndo) {
      states.push(stateOf(it));
      it.manuscript.undo();
      look(it);
    }
    assert.equal(stateOf(it), JSON.stringify([start, [], []]));
    while (it.manuscript.canRedo) {
      it.manuscript.redo();
      assert.equal(stateOf(it), states.pop());
    }
    assert.equal(states.length, 0);
  });
});

test("another text begins without a past", () => {
  const it = desk("one\ntwo");
  it.manuscript.put("three", CARET, CARET);
  it.manuscript.mark([{ start: 0, end: 5, replacement: "four" }]);
  it.manuscript.dismiss(it.manuscript.suggestions, CARET);
  it.manuscript.begin("five\nsix");
  look(it);
  assert.equal(it.area, "five\nsix");
  const { canUndo, canRedo, dismissed, suggestions } = it.manuscript;
  assert.deepEqual([canUndo, canRedo, dismissed, suggestions], [false, false, [], []]);
});

test("a part of a mark is shown, and is nothing to decide on", () => {
  const { manuscript } = desk("one\ntwo");
  manuscript.mark([{ start: 2, end: 5, replacement: "x" }, { start: 5, end: 7, replacement: "en" }]);
  assert.deepEqual(manuscript.suggestions.map((it) => [it.start, it.end]), [[5, 7]]);
  assert.deepEqual(manuscript.paragraphs.map((it) => manuscript.shownIn(it).length), [1, 2]);
  assert.equal(manuscript.corrected, "one\nten");
});

test("what is dismissed stays away while marks are set again", () => {
  const { manuscript } = desk("teh cat");
  const marks = [{ start: 0, end: 3, replacement: "the" }];
  manuscript.mark(marks);
  manuscript.dismiss(manuscript.suggestions, CARET);
  manuscript.mark(marks);
  assert.deepEqual(manuscript.suggestions, []);
  manuscript.undo();
  assert.equal(manuscript.suggestions.length, 1);
});
