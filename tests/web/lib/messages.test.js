import assert from "node:assert/strict";
import { test } from "node:test";
import { count, speaker } from "../../../src/errata/web/lib/messages.js";

test("a page says its own sentences, with gaps filled", () => {
  const { say } = speaker({
    en: { undo: "Undo", found: (n) => count(n, "1 mark", "# marks") },
    zh: { undo: "撤销", found: (n) => `${n} 处` },
  });
  const said = [say("en", "undo"), say("en", "found", 1), say("en", "found", 1200), say("zh", "found", 2)];
  assert.deepEqual(said, ["Undo", "1 mark", "1,200 marks", "2 处"]);
});

test("two pages do not share sentences", () => {
  const [one, two] = ["One", "Two"].map((title) => speaker({ en: { title } }));
  assert.deepEqual([one.say("en", "title"), two.say("en", "title")], ["One", "Two"]);
});

test("a page's fixed words are put in place", () => {
  const { translate } = speaker({ en: { save: "Save", name: "Name" } });
  const button = fake({ sayLabel: "save" }, "BUTTON");
  const heading = fake({ say: "name" });
  const field = fake({ sayPlaceholder: "name" }, "INPUT");
  const found = { "[data-say]": [heading], "[data-say-label]": [button], "[data-say-placeholder]": [field] };
  translate({ querySelectorAll: (selector) => found[selector] }, "en");
  assert.deepEqual([heading.textContent, button.label, button.title, field.placeholder], ["Name", "Save", "Save", "Name"]);
});

function fake(dataset, tagName = "P") {
  return { dataset, tagName, setAttribute(_, value) { this.label = value; } };
}
