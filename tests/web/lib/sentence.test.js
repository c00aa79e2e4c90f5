import assert from "node:assert/strict";
import { test } from "node:test";
import { sentenceAround } from "../../../src/errata/web/lib/sentence.js";

test("a mark lies in the sentence around it", () => {
  const text = "He go home. She stay. 我走。你来。";
  const words = (start, end) => {
    const range = sentenceAround(text, { start, end });
    return text.slice(range.start, range.end);
  };
  assert.equal(words(3, 5), "He go home.");
  assert.equal(words(8, 15), "He go home. She stay.");
  assert.equal(words(22, 23), "我走。");
});
