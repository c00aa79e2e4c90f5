import assert from "node:assert/strict";
import { test } from "node:test";
import * as spans from "../../../src/errata/web/lib/spans.js";
import { forSeeds, randomEdits, randomText } from "./random.js";

const { acceptEdits, applyEdits, covering, editBetween, groupChanges, inverse, moveSpans, withoutSpace } = spans;
const replace = (start, end, replacement) => ({ start, end, replacement });

test("an edit between two texts is as short as their common ends allow", () => {
  const cases = [
    ["", "", null],
    ["same", "same", null],
    ["teh cat", "the cat", replace(1, 3, "he")],
    ["aa", "aaa", replace(2, 2, "a")],
    ["我门走", "我们走", replace(1, 2, "们")],
    ["one", "", replace(0, 3, "")],
  ];
  for (const [before, after, edit] of cases) assert.deepEqual(editBetween(before, after), edit, `${before} → ${after}`);
});

test("edits and their inverse lead there and back", () => {
  forSeeds(500, (random) => {
    const [before, after] = [randomText(random), randomText(random)];
    const edit = editBetween(before, after);
    if (edit) assert.equal(applyEdits(before, [edit]), after);
    const edits = randomEdits(random, before);
    const made = applyEdits(before, edits);
    assert.equal(applyEdits(made, inverse(before, edits)), before);
    if (edits.length) assert.equal(applyEdits(before, [covering(before, edits)]), made);
  });
});

test("spans that edits leave alone keep their words", () => {
  forSeeds(500, (random) => {
    const text = randomText(random, 12);
    const marked = randomEdits(random, text, 6).map(({ start, end }) => ({ start, end, words: text.slice(start, end) }));
    const edits = randomEdits(random, text);
    const after = applyEdits(text, edits);
    for (const keepTouching of [false, true]) {
      for (const { start, end, words } of moveSpans(marked, edits, keepTouching)) {
        assert.equal(after.slice(start, end), words);
      }
    }
  });
});

test("a word that is typed at the border of a span takes it away; a space does not", () => {
  const span = { start: 3, end: 6 };
  assert.deepEqual(moveSpans([span], [replace(6, 6, "s")]), []);
  assert.deepEqual(moveSpans([span], [replace(6, 6, " s")]), [span]);
  assert.deepEqual(moveSpans([span], [replace(3, 3, "x ")]), [{ start: 5, end: 8 }]);
  assert.deepEqual(moveSpans([span], [replace(6, 6, "s")], true), [span]);
});

test("what was accepted can be shown as it was before", () => {
  forSeeds(300, (random) => {
    const original = randomText(random, 10);
    const first = randomEdits(random, original);
    const now = applyEdits(original, first);
    const accepted = acceptEdits(original, [], first);
    const second = randomEdits(random, now);
    const after = applyEdits(now, second);
    const groups = groupChanges(after, acceptEdits(now, accepted, second), []);
    const back = groups.map(({ start, end, original: was }) => replace(start, end, was));
    assert.equal(applyEdits(after, back), original);
  });
});

test("white space at the ends of a span is left out, unless there is nothing else", () => {
  assert.deepEqual(withoutSpace("a  word b", { start: 1, end: 8 }), { start: 3, end: 7 });
  assert.deepEqual(withoutSpace("a   b", { start: 1, end: 4 }), { start: 1, end: 4 });
  assert.deepEqual(withoutSpace("ab", { start: 1, end: 1 }), { start: 1, end: 1 });
});
