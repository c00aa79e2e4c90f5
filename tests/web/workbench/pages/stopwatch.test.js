import assert from "node:assert/strict";
import { test } from "node:test";
import { Stopwatch } from "../../../../src/errata/web/workbench/pages/stopwatch.js";

function open() {
  const clock = { now: 0 };
  const watch = new Stopwatch(() => clock.now);
  watch.start();
  return { watch, pass: (s) => (clock.now += s * 1000) };
}

test("time counts while the page is visible", () => {
  const { watch, pass } = open();
  pass(10);
  watch.pause();
  pass(1000);
  watch.resume();
  pass(5);
  assert.equal(watch.seconds, 15);
});

test("without a key or pointer for two minutes it stands still", () => {
  const { watch, pass } = open();
  pass(60);
  watch.touch();
  pass(3600);
  assert.equal(watch.seconds, 180);
  watch.touch();
  pass(30);
  assert.equal(watch.seconds, 210);
});

test("it goes on from what was worked before, and is not stopped twice", () => {
  const { watch, pass } = open();
  watch.start(42);
  pass(3);
  watch.pause();
  watch.pause();
  watch.resume();
  watch.resume();
  assert.equal(watch.seconds, 45);
});
