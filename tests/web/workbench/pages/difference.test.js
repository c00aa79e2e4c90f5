import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, normalised, piecesOf, sideOf, wordsOf } from "../../../../src/errata/web/workbench/pages/difference.js";
import { forSeeds, randomEdits, randomText } from "../../lib/random.js";

const drawn = (pieces) => pieces.map(({ kind, text }) => ({ same: text, gone: `[-${text}-]`, come: `{+${text}+}` })[kind]).join("");

const PAIRS = [
  ["a word", "He go home.", "He goes home.", "He [-go-]{+goes+} home."],
  ["a word more", "I look forward.", "I look forward to it.", "I look forward{+ to it+}."],
  ["a word less", "more taller", "taller", "[-more -]taller"],
  ["characters of Chinese", "我门去公圆", "我们去公园", "我[-门-]{+们+}去公[-圆-]{+园+}"],
  ["nothing", "the same", "the same", "the same"],
  ["everything", "", "new", "{+new+}"],
  ["emoji", "a 😀 b", "a 😁 b", "a [-😀-]{+😁+} b"],
  ["white space", "a  b", "a b", "a[-  -]{+ +}b"],
];

for (const [name, before, after, shown] of PAIRS) {
  test(`compare: ${name}`, () => assert.equal(drawn(compare(before, after)), shown));
}

test("compare gives back both texts, whatever they are", () => {
  forSeeds(1000, (random) => {
    const [before, after] = [randomText(random, 12), randomText(random, 12)];
    const pieces = compare(before, after);
    assert.equal(sideOf(pieces, "gone"), before);
    assert.equal(sideOf(pieces, "come"), after);
    assert.ok(pieces.every(({ text }) => text !== ""));
    assert.ok(pieces.every(({ kind }, i) => kind !== pieces[i - 1]?.kind), "neighbours differ in kind");
  });
});

test("words put together are the text", () => {
  forSeeds(300, (random) => {
    const text = randomText(random, 20);
    assert.equal(wordsOf(text).join(""), text);
  });
});

test("a text too long for the table is compared all the same", () => {
  const [before, after] = ["a ".repeat(3000), "b ".repeat(3000)];
  assert.equal(sideOf(compare(before, after), "come"), after);
});

test("the pieces of edits give back the source and the corrected text", () => {
  forSeeds(500, (random) => {
    const source = randomText(random, 10);
    const edits = randomEdits(random, source).map(({ start, end, replacement }) => ({ utf16_start: start, utf16_end: end, replacement }));
    const pieces = piecesOf(source, edits);
    assert.equal(sideOf(pieces, "gone"), source);
    const target = edits.reduceRight((text, it) => text.slice(0, it.utf16_start) + it.replacement + text.slice(it.utf16_end), source);
    assert.equal(sideOf(pieces, "come"), target);
  });
});

test("edits that do not fit are left out", () => {
  const edit = (start, end) => ({ utf16_start: start, utf16_end: end, replacement: "x" });
  assert.equal(drawn(piecesOf("abc", [edit(0, 2), edit(1, 3), edit(2, 9), edit(-1, 0)])), "[-ab-]{+x+}c");
});

test("sentences count without their outer and double spaces", () => {
  assert.equal(normalised("  a \n b\tc "), "a b c");
});
