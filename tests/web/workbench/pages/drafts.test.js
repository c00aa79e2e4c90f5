import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Drafts } from "../../../../src/errata/web/workbench/pages/drafts.js";
import { Storage } from "../../../../src/errata/web/workbench/pages/storage.js";
import { MemoryStorage } from "../../lib/memory_storage.js";

const settle = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};
const problem = (status, current = null) => Object.assign(new Error(String(status)), { status, current });

/** Drafts of the task `t` with a server that answers as `answer` says. */
function open({ memory = new MemoryStorage(), version = 1, draft = null } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const sent = [];
  const server = { answer: (now) => now + 1 };
  const drafts = new Drafts(new Storage(memory), async (now, it) => {
    sent.push([now, it.text]);
    return server.answer(now);
  });
  const begun = drafts.begin("t", version, draft);
  const wait = async (ms) => {
    mock.timers.tick(ms);
    await settle();
  };
  return { drafts, begun, sent, server, memory, wait };
}

const fail = (status) => () => {
  throw problem(status);
};

test("a draft is kept here at once, and sent when typing rests", async () => {
  const { drafts, sent, memory, wait } = open();
  drafts.change({ text: "a" });
  await wait(500);
  drafts.change({ text: "ab" });
  assert.equal(drafts.state, "saving");
  assert.equal(JSON.parse(memory.getItem("errata.workbench.draft.t")).draft.text, "ab");
  await wait(500);
  assert.deepEqual(sent, []);
  await wait(300);
  assert.deepEqual(sent, [[1, "ab"]]);
  assert.equal(drafts.state, "saved");
  assert.equal(drafts.version, 2);
});

test("what is typed while a draft is sent is sent after it, with the new version", async () => {
  const { drafts, sent, server, wait } = open();
  let release;
  server.answer = (now) => new Promise((resolve) => (release = () => resolve(now + 1)));
  drafts.change({ text: "a" });
  await wait(800);
  drafts.change({ text: "b" });
  await wait(800);
  assert.deepEqual(sent, [[1, "a"]]);
  server.answer = (now) => now + 1;
  release();
  await settle();
  await wait(0);
  assert.deepEqual(sent, [[1, "a"], [2, "b"]]);
  assert.equal(drafts.state, "saved");
});

test("without a network the draft stays here and is tried again", async () => {
  const { drafts, sent, server, memory, wait } = open();
  server.answer = fail(0);
  drafts.change({ text: "a" });
  await wait(800);
  assert.equal(drafts.state, "here");
  drafts.change({ text: "ab" });
  assert.equal(drafts.state, "here");
  server.answer = (now) => now + 1;
  await wait(1000);
  assert.deepEqual(sent.at(-1), [1, "ab"]);
  assert.equal(drafts.state, "saved");
  assert.equal(JSON.parse(memory.getItem("errata.workbench.draft.t")).isSent, true);
});

test("a browser that comes back finds what the server never got", async () => {
  const { memory } = await lost("typed offline");
  const { begun, sent, wait } = open({ memory });
  assert.deepEqual(begun, { draft: { text: "typed offline" }, other: null });
  await wait(800);
  assert.deepEqual(sent, [[1, "typed offline"]]);
});

test("if the server has something newer, both are there", async () => {
  const { memory } = await lost("typed offline");
  const { begun, drafts } = open({ memory, version: 5, draft: { text: "from another computer" } });
  assert.deepEqual(begun, { draft: { text: "from another computer" }, other: { text: "typed offline" } });
  assert.ok(!drafts.isUnsent);
});

async function lost(text) {
  const opened = open();
  opened.server.answer = fail(0);
  opened.drafts.change({ text });
  await opened.wait(800);
  return opened;
}

test("a browser that keeps nothing says so", async () => {
  const memory = new MemoryStorage();
  memory.isForbidden = true;
  const { drafts, server, wait } = open({ memory });
  server.answer = fail(0);
  drafts.change({ text: "a" });
  await wait(800);
  assert.equal(drafts.state, "nowhere");
});

test("a conflict stops the sending until the writer decides", async () => {
  const { drafts, sent, server, wait } = open();
  server.answer = fail(409);
  drafts.change({ text: "mine" });
  await wait(800);
  assert.equal(drafts.state, "conflict");
  drafts.change({ text: "mine too" });
  await wait(60_000);
  assert.equal(sent.length, 1);
  server.answer = (now) => now + 1;
  drafts.keepMine(7);
  await wait(800);
  assert.deepEqual(sent.at(-1), [7, "mine too"]);
});

for (const status of [404, 410]) {
  test(`a task that is lost (${status}) is told and not sent again`, async () => {
    const { drafts, sent, server, wait } = open();
    server.answer = fail(status);
    drafts.change({ text: "a" });
    await wait(800);
    assert.equal(drafts.state, "lost");
    drafts.change({ text: "b" });
    await wait(60_000);
    assert.equal(sent.length, 1);
  });
}

test("while a task is handed in no draft is sent; if it is refused, it is", async () => {
  const { drafts, sent, wait } = open();
  drafts.change({ text: "a" });
  await drafts.hold();
  await wait(60_000);
  await drafts.flush();
  assert.deepEqual(sent, []);
  drafts.release();
  await wait(800);
  assert.deepEqual(sent, [[1, "a"]]);
});

test("a task that is done leaves nothing behind", async () => {
  const { drafts, memory, sent, wait } = open();
  drafts.change({ text: "a" });
  drafts.finish();
  drafts.change({ text: "b" });
  await wait(60_000);
  assert.deepEqual(sent, []);
  assert.equal(memory.length, 0);
});

test("the answer to a draft of another task changes nothing", async () => {
  const { drafts, server, wait } = open();
  let release;
  server.answer = () => new Promise((resolve) => (release = () => resolve(99)));
  drafts.change({ text: "a" });
  await wait(800);
  drafts.begin("u", 3, null);
  release();
  await settle();
  assert.equal(drafts.version, 3);
});
