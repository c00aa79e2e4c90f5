import assert from "node:assert/strict";
import { test } from "node:test";
import { editParagraphs, Paragraph, paragraphsOf } from "../../../src/errata/web/lib/paragraphs.js";
import { applyEdits, covering } from "../../../src/errata/web/lib/spans.js";
import { forSeeds, randomEdits, randomText } from "./random.js";

const joined = (paragraphs) => paragraphs.map(({ text }) => text).join("\n");

test("a text has as many paragraphs as lines", () => {
  for (const text of ["", "a", "a\n", "\n\n", "a\n\nb"]) {
    assert.equal(paragraphsOf(text).length, text.split("\n").length);
    assert.equal(joined(paragraphsOf(text)), text);
  }
});

test("edits change the paragraphs they reach, and no others", () => {
  forSeeds(500, (random) => {
    const text = randomText(random, 12);
    const edits = randomEdits(random, text);
    if (!edits.length) return;
    const before = paragraphsOf(text);
    const paragraphs = [...before];
    const { first, removed, added } = editParagraphs(paragraphs, covering(text, edits), edits, false);
    assert.equal(joined(paragraphs), applyEdits(text, edits));
    assert.deepEqual(paragraphs, [...before.slice(0, first), ...added, ...before.slice(first + removed)]);
  });
});

test("suggestions move along, also to another paragraph", () => {
  const suggestion = { start: 4, end: 7, original: "teh", replacement: "the" };
  const paragraphs = [new Paragraph("See teh cat", [suggestion])];
  const edit = { start: 3, end: 4, replacement: "\n" };
  editParagraphs(paragraphs, edit, [edit], true);
  assert.deepEqual(paragraphs.map(({ text }) => text), ["See", "teh cat"]);
  assert.deepEqual(paragraphs.map((it) => it.suggestions), [[], [{ ...suggestion, start: 0, end: 3 }]]);
});
