import assert from "node:assert/strict";
import { test } from "node:test";
import { shortcutOf } from "../../../../src/errata/web/workbench/pages/shortcuts.js";

const ALL = ["Ctrl Enter", "Alt M", "Alt 2", "Alt ↓", "?", "↓", "1", "e"];
const event = (key, more = {}) => ({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false, ...more });

const CASES = [
  ["Ctrl and Enter", event("Enter", { ctrlKey: true }), true, "Ctrl Enter"],
  ["⌘ and Enter", event("Enter", { metaKey: true }), true, "Ctrl Enter"],
  ["Enter alone", event("Enter"), false, null],
  ["Alt and a letter that gives another sign", event("µ", { altKey: true, code: "KeyM" }), true, "Alt M"],
  ["Alt and a digit", event("2", { altKey: true, code: "Digit2" }), true, "Alt 2"],
  ["AltGr is Ctrl and Alt", event("µ", { altKey: true, ctrlKey: true, code: "KeyM" }), true, null],
  ["Alt and an arrow", event("ArrowDown", { altKey: true }), true, "Alt ↓"],
  ["a bare key in a text field", event("e"), true, null],
  ["a bare key elsewhere", event("e"), false, "e"],
  ["an arrow elsewhere", event("ArrowDown"), false, "↓"],
  ["a question mark with Shift", event("?", { shiftKey: true }), false, "?"],
  ["a bare key with Ctrl", event("e", { ctrlKey: true }), false, null],
  ["an input method at work", event("Enter", { ctrlKey: true, isComposing: true }), true, null],
  ["an old input method at work", event("1", { keyCode: 229 }), false, null],
];

for (const [name, it, isTyping, found] of CASES) {
  test(name, () => assert.equal(shortcutOf(it, ALL, isTyping), found));
}
