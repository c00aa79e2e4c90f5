import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, visible } from "../../../src/errata/web/lib/change.js";

test("a change in words says what goes and what comes", () => {
  const say = (key, ...gaps) => [key, ...gaps].join("|");
  assert.equal(describe(say, { original: "teh", replacement: "the" }), "replaceWith|teh|the");
  assert.equal(describe(say, { original: "", replacement: " to" }), "insert|to");
  assert.equal(describe(say, { original: "very ", replacement: "" }), "remove|very");
  assert.equal(describe(say, { original: "  ", replacement: " " }), "replaceWith|  | ");
});

test("white space that alone changes can be seen", () => {
  assert.equal(visible(" \t"), "␣⇥");
});
