import assert from "node:assert/strict";
import { test } from "node:test";
import { wayOf } from "../../../src/errata/web/lib/keys.js";

test("keys ask for undo and redo on every system", () => {
  const press = (key, ...held) => ({ key, ...Object.fromEntries(held.map((it) => [`${it}Key`, true])) });
  assert.equal(wayOf(press("z", "ctrl")), "undo");
  assert.equal(wayOf(press("Z", "meta", "shift")), "redo");
  assert.equal(wayOf(press("y", "ctrl")), "redo");
  for (const other of [press("z"), press("z", "ctrl", "alt"), press("y", "ctrl", "shift"), press("a", "ctrl")]) {
    assert.equal(wayOf(other), null);
  }
});
