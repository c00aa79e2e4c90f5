import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, KINDS, nameOfType } from "../../../src/errata/web/lib/kinds.js";

test("error types have kinds and names", () => {
  const kinds = { "R:SPELL": "spelling", "M:PUNCT": "punctuation", "R:VERB:SVA": "grammar", S: "wording", "": "grammar" };
  for (const [type, kind] of Object.entries(kinds)) {
    assert.equal(kindOf(type), kind);
    assert.ok(KINDS.includes(kind));
  }
  assert.deepEqual([nameOfType("R:VERB:SVA", "en"), nameOfType("S:SPELL", "zh"), nameOfType("X", "en")], [
    "Subject–verb agreement", "错别字", "X",
  ]);
});
