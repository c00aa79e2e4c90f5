import assert from "node:assert/strict";
import { test } from "node:test";
import { Saving } from "../../../src/errata/web/lib/saving.js";

const PAUSE = 500;

/** A text that is saved by hand: `saves` are `{text, isLeaving, done, fail}`. */
function desk(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const it = { text: "", saves: [], outcomes: [] };
  const save = (text, { isLeaving }) =>
    new Promise((done, fail) => it.saves.push({ text, isLeaving, done, fail }));
  it.saving = new Saving(save, () => it.text, { pause: PAUSE, tell: (outcome) => it.outcomes.push(outcome) });
  it.write = (text) => {
    it.text = text;
    it.saving.schedule();
  };
  it.tick = (ms) => t.mock.timers.tick(ms);
  it.texts = () => it.saves.map(({ text }) => text);
  return it;
}

const settle = () => new Promise((done) => setImmediate(done));

test("a text is saved once typing rests", async (t) => {
  const it = desk(t);
  for (const text of ["a", "ab", "abc"]) {
    it.write(text);
    it.tick(PAUSE - 1);
  }
  assert.deepEqual(it.texts(), []);
  it.tick(1);
  assert.deepEqual(it.texts(), ["abc"]);
  it.saves[0].done();
  await settle();
  assert.deepEqual(it.outcomes, [{ text: "abc", problem: null }]);
  it.tick(60_000);
  assert.equal(it.saves.length, 1);
});

test("a newer text waits for the older one to be saved", async (t) => {
  const it = desk(t);
  it.write("old");
  it.tick(PAUSE);
  it.write("new");
  it.tick(PAUSE);
  assert.deepEqual(it.texts(), ["old"]);
  it.saves[0].done();
  await settle();
  assert.deepEqual(it.texts(), ["old", "new"]);
});

test("leaving saves at once, also what is under way", async (t) => {
  const it = desk(t);
  it.saving.leave();
  assert.deepEqual(it.texts(), []); // nothing to save
  it.write("one");
  it.saving.leave();
  assert.deepEqual(it.saves.map(({ text, isLeaving }) => [text, isLeaving]), [["one", true]]);
  it.saving.leave();
  assert.equal(it.saves.length, 2);
  it.saves.forEach(({ done }) => done());
  await settle();
  it.tick(PAUSE);
  it.saving.leave();
  assert.equal(it.saves.length, 2);
});

test("a save that fails is told and made again", async (t) => {
  const it = desk(t);
  it.write("word");
  it.tick(PAUSE);
  it.saves[0].fail(new Error("away"));
  await settle();
  assert.equal(it.outcomes[0].problem.message, "away");
  it.tick(1000);
  assert.deepEqual(it.texts(), ["word", "word"]);
});

test("a save that throws is a failure like any other", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const outcomes = [];
  const refuse = () => {
    throw new Error("full");
  };
  new Saving(refuse, () => "", { pause: 0, tell: (it) => outcomes.push(it.problem.message) }).now();
  await settle();
  assert.deepEqual(outcomes, ["full"]);
});

test("what is closed saves its last text, after the one under way, and no more", async (t) => {
  const it = desk(t);
  it.write("old");
  it.tick(PAUSE);
  it.write("last");
  it.saving.close();
  it.text = "another text";
  it.saves[0].done();
  await settle();
  assert.deepEqual(it.texts(), ["old", "last"]);
  it.saves[1].fail(new Error("away"));
  await settle();
  it.tick(60_000);
  assert.equal(it.saves.length, 2);
});
