import assert from "node:assert/strict";
import { test } from "node:test";
import { Draft, MAX_DRAFT } from "../../../src/errata/web/lib/draft.js";
import { MemoryStorage } from "./memory_storage.js";

const kept = (text) => ({ text, accepted: [], dismissed: [] });

/** One browser: `open` opens a tab, which is `{draft, session, events}`. */
function browser(room) {
  const local = new MemoryStorage(room);
  const open = ({ session = new MemoryStorage(), name, signal } = {}) => {
    const events = new EventTarget();
    return { draft: new Draft({ name, local, session, events, signal }), session, events };
  };
  return { local, open };
}

test("a draft is there again when its tab is loaded again", () => {
  const { open } = browser();
  const { draft, session } = open();
  const accepted = [{ start: 0, end: 3, original: "Teh" }];
  assert.equal(draft.save({ text: "The end", accepted, dismissed: [] }), "");
  const again = open({ session }).draft;
  assert.deepEqual(again.kept, { text: "The end", accepted, dismissed: [] });
  assert.ok(!again.isTakenOver);
});

test("an open draft belongs to its tab; a closed one is taken over once", () => {
  const { open } = browser();
  const first = open().draft;
  first.save(kept("mine"));
  assert.equal(open().draft.kept.text, "");
  first.save(kept("mine"), false);
  const heir = open().draft;
  assert.ok(heir.isTakenOver);
  assert.equal(heir.kept.text, "mine");
  assert.equal(open().draft.kept.text, "");
});

test("drafts of different names do not see each other", () => {
  const { open } = browser();
  open({ name: "errata.draft" }).draft.save(kept("another page"), false);
  assert.equal(open({ name: "errata" }).draft.kept.text, "");
  open({ name: "errata" }).draft.save(kept("a page"), false);
  assert.equal(open({ name: "errata.task-1" }).draft.kept.text, "");
  assert.equal(open({ name: "errata" }).draft.kept.text, "a page");
  assert.equal(open({ name: "errata.draft" }).draft.kept.text, "another page");
});

test("an empty text is not kept, and one that is too long is named", () => {
  const { local, open } = browser();
  const { draft } = open();
  draft.save(kept("short"));
  assert.equal(draft.save(kept("x".repeat(MAX_DRAFT + 1))), "too-long");
  assert.equal(local.length, 0);
  draft.save(kept("short"));
  assert.equal(draft.save(kept("")), "");
  assert.equal(local.length, 0);
});

test("a full storage is named, and keeps no older text", () => {
  const { local, open } = browser(300);
  const { draft } = open();
  assert.equal(draft.save(kept("short")), "");
  assert.equal(draft.save(kept("x".repeat(400))), "full");
  assert.equal(local.length, 0);
});

test("a forbidden storage keeps nothing and breaks nothing", () => {
  const local = new MemoryStorage();
  local.isForbidden = true;
  const draft = new Draft({ local, session: local, events: new EventTarget() });
  assert.deepEqual(draft.kept, kept(""));
  assert.equal(draft.save(kept("word")), "full");
});

test("a copy of a tab does not write over the text of the other", () => {
  const { local, open } = browser();
  const { draft, session, events } = open();
  draft.save(kept("first"));
  let nLost = 0;
  draft.onLost = () => nLost++;
  const copy = open({ session: Object.assign(new MemoryStorage(), copyOf(session)) }).draft;
  const key = local.key(0);
  events.dispatchEvent(Object.assign(new Event("storage"), { key, newValue: local.getItem(key) }));
  assert.equal(nLost, 1);
  draft.save(kept("first, changed"));
  copy.save(kept("copy, changed"));
  const texts = [0, 1].map((i) => JSON.parse(local.getItem(local.key(i))).kept.text);
  assert.deepEqual(texts.sort(), ["copy, changed", "first, changed"]);
});

test("a page that is shown again saves again, until its signal ends that", () => {
  const stop = new AbortController();
  const { draft, events } = browser().open({ signal: stop.signal });
  let nLost = 0;
  draft.onLost = () => nLost++;
  const show = (persisted) => events.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
  show(false);
  show(true);
  assert.equal(nLost, 1);
  stop.abort();
  show(true);
  assert.equal(nLost, 1);
});

test("of what somebody else wrote, only what fits is taken", () => {
  const { local, open } = browser();
  const about = { owner: "x", isOpen: false, savedAt: 1 };
  const accepted = [{ start: 0, end: 9, original: "a" }, { start: 1, end: 2, original: "b" }, { start: 0, end: 1 }];
  local.setItem("errata.draft.x", JSON.stringify({ about, kept: { text: "abc", accepted, dismissed: "none" } }));
  local.setItem("errata.draft.y", "{not JSON");
  assert.deepEqual(open().draft.kept, { text: "abc", accepted: [accepted[1]], dismissed: [] });
});

function copyOf(storage) {
  const values = new Map(Array.from({ length: storage.length }, (_, i) => [storage.key(i), storage.getItem(storage.key(i))]));
  return { getItem: (key) => values.get(key) ?? null };
}
