import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { TABLES } from "../../../../src/errata/web/workbench/pages/words.js";
import { wayOn } from "../../../../src/errata/web/workbench/pages/session.js";

const PAGES = new URL("../../../../src/errata/web/workbench/pages/", import.meta.url);
const keys = (language) => TABLES.flatMap((table) => Object.keys(table[language]));

test("every message is there in both languages, once", () => {
  assert.deepEqual(keys("en").toSorted(), keys("zh").toSorted());
  const twice = keys("en").filter((key, i, all) => all.indexOf(key) !== i);
  assert.deepEqual(twice, []);
});

test("a message with gaps has the same gaps in both languages", () => {
  for (const table of TABLES) {
    for (const [key, message] of Object.entries(table.en)) {
      assert.equal(typeof table.zh[key], typeof message, key);
      if (typeof message === "function") assert.equal(table.zh[key].length, message.length, key);
    }
  }
});

const CALLS = [
  /\b(?:said|link|button|tool|box|field|announce|showNotice|ask|askForText|show|hint|label|put|say|retitle|startPage|startTaskPage|segments)\(([^()]*)/g,
  /\b\w*[kK]ey: (["`][^"`]+["`])/g,
];

test("every message that a page names is there", () => {
  const known = new Set(keys("en"));
  const named = /"([a-z][A-Za-z]*[a-z][A-Z][A-Za-z]*)"/g; // two words at least, as keys have and class names do not
  const isOther = new Set(["beforeInput", "pointerDown"]);
  const missing = [];
  for (const name of readdirSync(PAGES).filter((it) => it.endsWith(".js"))) {
    const source = readFileSync(new URL(name, PAGES), "utf8");
    for (const [, call] of CALLS.flatMap((pattern) => [...source.matchAll(pattern)])) {
      for (const [, key] of call.matchAll(named)) if (!known.has(key) && !isOther.has(key)) missing.push(`${name}: ${key}`);
    }
  }
  assert.deepEqual(missing, []);
});

test("no message is left over", () => {
  const all = readdirSync(PAGES).filter((it) => it.endsWith(".js")).map((name) => readFileSync(new URL(name, PAGES), "utf8")).join("\n");
  const isUsed = (key) => {
    const [stem] = key.split("-");
    return all.includes(`"${key}"`) || all.includes(`\`${key}\``) || (key.includes("-") && all.includes(`\`${stem}-\${`)) || lib.has(key);
  };
  const lib = new Set(["insert", "remove", "replaceWith"]); // said by lib/change.js
  const joined = new Set(keys("en").filter((key) => /^(empty|export|kind|state)-.*-text$/.test(key) || /^complaint-/.test(key)));
  assert.deepEqual(keys("en").filter((key) => !isUsed(key) && !joined.has(key)), []);
});

test("the way on after the log-in leads to the workbench only", () => {
  for (const next of ["", "work?project=01abc", "owner?project=01abc#people", "project?id=0"]) assert.equal(wayOn(next), next);
  for (const next of ["//evil.example", "https://evil.example", "/x", "..", "javascript:x", "a\\b", "work?x=//", "work?x=<", null]) assert.equal(wayOn(next), "");
});
