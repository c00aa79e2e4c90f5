import assert from "node:assert/strict";
import { test } from "node:test";
import { Check } from "../../../src/errata/web/lib/check.js";
import { waitAfter } from "../../../src/errata/web/lib/later.js";

const PAUSE = 350;

/** A check whose questions are answered by hand; time passes by `tick`. */
function desk(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const it = { questions: [], marks: [], states: [] };
  const ask = (text, { signal }) =>
    new Promise((answer, fail) => it.questions.push({ text, signal, answer, fail }));
  it.check = new Check(ask, {
    pause: PAUSE,
    take: (marks) => it.marks.push(marks.map(String)),
    tell: (state) => it.states.push(state),
  });
  it.tick = (ms) => t.mock.timers.tick(ms);
  return it;
}

/** Let promises go on. */
const settle = () => new Promise((done) => setImmediate(done));

test("typing is asked about once it rests", async (t) => {
  const it = desk(t);
  for (const text of ["a", "ab", "abc"]) {
    it.check.schedule(text, true);
    it.tick(PAUSE - 1);
  }
  assert.equal(it.questions.length, 0);
  it.tick(1);
  assert.deepEqual(it.questions.map(({ text }) => text), ["abc"]);
  it.questions[0].answer(["m"]);
  await settle();
  assert.deepEqual(it.marks, [["m"]]);
  assert.deepEqual(it.states.at(-1), { isBusy: false, problem: null });
});

test("only the latest answer counts, however late the earlier one comes", async (t) => {
  const it = desk(t);
  it.check.schedule("one");
  it.tick(0);
  it.check.schedule("two");
  it.tick(0);
  const [one, two] = it.questions;
  assert.ok(one.signal.aborted && !two.signal.aborted);
  two.answer(["two"]);
  one.answer(["one"]);
  await settle();
  assert.deepEqual(it.marks, [["two"]]);
});

test("a failure is told, tried again, and survived", async (t) => {
  const it = desk(t);
  it.check.schedule("one");
  it.tick(0);
  for (const failures of [1, 2]) {
    it.questions.at(-1).fail(new Error("away"));
    await settle();
    assert.equal(it.states.at(-1).problem.message, "away");
    it.tick(waitAfter(failures) - 1);
    assert.equal(it.questions.length, failures);
    it.tick(1);
    assert.equal(it.questions.length, failures + 1);
  }
  it.questions.at(-1).answer(["m"]);
  await settle();
  assert.deepEqual(it.marks, [["m"]]);
  assert.equal(it.states.at(-1).problem, null);
});

test("an answer that is no list of marks is a failure too", async (t) => {
  const it = desk(t);
  it.check.schedule("one");
  it.tick(0);
  it.questions[0].answer(undefined);
  await settle();
  assert.ok(it.states.at(-1).problem instanceof TypeError);
});

test("nothing is asked about an empty text", (t) => {
  const it = desk(t);
  it.check.schedule("word");
  it.check.schedule(" \n");
  it.tick(PAUSE);
  assert.deepEqual([it.questions.length, it.marks, it.states.at(-1).isBusy], [0, [[]], false]);
});

test("after a stop nothing is asked and no answer taken", async (t) => {
  const it = desk(t);
  it.check.schedule("one");
  it.tick(0);
  it.check.stop();
  it.questions[0].answer(["m"]);
  await settle();
  it.tick(60_000);
  assert.deepEqual([it.questions.length, it.marks.length], [1, 0]);
});
