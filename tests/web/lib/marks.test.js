import assert from "node:assert/strict";
import { test } from "node:test";
import { dealMarks } from "../../../src/errata/web/lib/marks.js";
import { paragraphsOf } from "../../../src/errata/web/lib/paragraphs.js";
import { below, forSeeds, randomText } from "./random.js";

/** What each line has marked: [start, end, original, isPart]. */
function dealt(text, marks) {
  return dealMarks(paragraphsOf(text), marks).map(({ paragraph, suggestions }) => [
    paragraph.text,
    suggestions.map((it) => [it.start, it.end, it.original, it.isPart]),
  ]);
}

test("marks come to the lines they lie in", () => {
  const text = "He go.\n\nWe goes.";
  const marks = [{ start: 11, end: 15 }, { start: 3, end: 5 }, { start: 7, end: 7 }, { start: 16, end: 16 }];
  assert.deepEqual(dealt(text, marks), [
    ["He go.", [[3, 5, "go", false]]],
    ["", [[0, 0, "", false]]],
    ["We goes.", [[3, 7, "goes", false], [8, 8, "", false]]],
  ]);
});

test("a mark over a line break has a part on each line", () => {
  assert.deepEqual(dealt("one\ntwo\nthree", [{ start: 2, end: 9 }]), [
    ["one", [[2, 3, "e", true]]],
    ["two", [[0, 3, "two", true]]],
    ["three", [[0, 1, "t", true]]],
  ]);
  assert.deepEqual(dealt("one\ntwo", [{ start: 3, end: 4 }]), [["one", [[3, 3, "", true]]]]);
});

test("marks that do not fit the text, or overlap, are left out", () => {
  const bad = [{ start: 2, end: 1 }, { start: -1, end: 1 }, { start: 0, end: 9 }, { start: 0.5, end: 1 }, { start: "0" }];
  assert.deepEqual(dealt("word", bad), []);
  assert.deepEqual(dealt("word", [{ start: 0, end: 3 }, { start: 2, end: 4 }]), [["word", [[0, 3, "wor", false]]]]);
});

test("what else is known of a mark stays with it", () => {
  const [{ suggestions }] = dealMarks(paragraphsOf("teh"), [{ start: 0, end: 3, replacement: "the", type: "R:SPELL", id: 7 }]);
  const { replacement, type, id, original, alternatives } = suggestions[0];
  assert.deepEqual({ replacement, type, id, original, alternatives }, {
    replacement: "the", type: "R:SPELL", id: 7, original: "teh", alternatives: [],
  });
});

test("a line that has lost its marks is named too", () => {
  const paragraphs = paragraphsOf("a\nb");
  paragraphs[1].suggestions = [{ start: 0, end: 1 }];
  assert.deepEqual(dealMarks(paragraphs, []).map((it) => it.paragraph.text), ["b"]);
});

test("however marks lie, a line shows each of its letters once", () => {
  forSeeds(500, (random) => {
    const text = randomText(random, 12);
    const place = () => below(random, text.length + 3) - 1;
    const marks = Array.from({ length: 8 }, () => ({ start: place(), end: place() }));
    for (const { paragraph, suggestions } of dealMarks(paragraphsOf(text), marks)) {
      let last = 0;
      for (const { start, end, original } of suggestions) {
        assert.ok(last <= start && start <= end && end <= paragraph.text.length);
        assert.equal(paragraph.text.slice(start, end), original);
        last = end;
      }
    }
  });
});
