import assert from "node:assert/strict";
import { test } from "node:test";
import { isSafe, readInline, readMarkdown, TAGS } from "../../../../src/errata/web/workbench/pages/markdown.js";
import { below, forSeeds, pick } from "../../lib/random.js";

const t = (tag, ...children) => ({ tag, children });

const BLOCKS = [
  ["a heading is below the page's own", "# One\n###### Six", [t("h3", "One"), t("h5", "Six")]],
  ["a paragraph keeps its lines", "one\ntwo\n\nthree", [t("p", "one", "\n", "two"), t("p", "three")]],
  ["two spaces break a line", "one  \ntwo", [t("p", "one", t("br"), "two")]],
  ["lines of Chinese have no space between them", "你好，\n世界。\nhi", [t("p", "你好，", "世界。", "\n", "hi")]],
  ["a list with a list in it", "- a\n  - b\n- c", [t("ul", t("li", "a", t("ul", t("li", "b"))), t("li", "c"))]],
  ["a numbered list", "1. a\n2) b", [t("ol", t("li", "a"), t("li", "b"))]],
  ["a list right after a paragraph", "so:\n- a", [t("p", "so:"), t("ul", t("li", "a"))]],
  ["a quotation", "> a\n> - b", [t("blockquote", t("p", "a"), t("ul", t("li", "b")))]],
  ["a rule", "a\n\n---\n\nb", [t("p", "a"), t("hr"), t("p", "b")]],
  ["code keeps its signs", "```\n<b> **a**\n```\nb", [t("pre", t("code", "<b> **a**")), t("p", "b")]],
  ["code without an end goes on to the end", "```\na\n\nb", [t("pre", t("code", "a\n\nb"))]],
  ["nothing", "", []],
  ["blank lines with CRLF", "\r\n \r\n", []],
];

for (const [name, text, tree] of BLOCKS) {
  test(name, () => assert.deepEqual(readMarkdown(text), tree));
}

test("a table has as many cells in each row as heads", () => {
  const [table] = readMarkdown("| type | example |\n|---|:--|\n| **a** | b \\| c | d |\n| e |");
  const [head, body] = table.children;
  assert.deepEqual(head, t("thead", t("tr", t("th", "type"), t("th", "example"))));
  assert.deepEqual(body.children, [t("tr", t("td", t("strong", "a")), t("td", "b | c")), t("tr", t("td", "e"), t("td"))]);
});

const INLINE = [
  ["strong and emphasis", "a **b *c*** d", "a <strong>b <em>c</em></strong> d"],
  ["strong within emphasis", "*he go* → *he **goes***, *a **b** c*", "<em>he go</em> → <em>he <strong>goes</strong></em>, <em>a <strong>b</strong> c</em>"],
  ["a sign in strong", "rains**,** we", "rains<strong>,</strong> we"],
  ["underscores in a word", "snake_case_name _em_", "snake_case_name <em>em</em>"],
  ["code wins", "`**a**` b", "<code>**a**</code> b"],
  ["escapes", "\\*a\\* \\[MC\\]", "*a* [MC]"],
  ["the sign for a missing component is text", "Write [MC] there.", "Write [MC] there."],
  ["a link", "[a *b*](https://example.org/x?y=1)", "<a https://example.org/x?y=1>a <em>b</em></a>"],
  ["struck out", "~~a~~", "<del>a</del>"],
  ["a lone star", "2 * 3 = 6", "2 * 3 = 6"],
];

const plain = (tree) => (typeof tree === "string" ? tree : `<${tree.tag}${tree.href ? ` ${tree.href}` : ""}>${tree.children.map(plain).join("")}</${tree.tag}>`);

for (const [name, line, shown] of INLINE) {
  test(name, () => assert.equal(readInline(line).map(plain).join(""), shown));
}

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](vbscript:msgbox)",
  "[x](//evil.example)",
  "[x](\u0001javascript:alert(1))",
  "<javascript:alert(1)>",
  "[<img src=x onerror=alert(1)>](https://example.org)",
  "![x](https://evil.example/pixel.png)",
  "# <svg onload=alert(1)>",
  "| <b> |\n|---|\n| <script> |",
];

for (const text of HOSTILE) {
  test(`text stays text: ${JSON.stringify(text)}`, () => checkTree(readMarkdown(text)));
}

/** Only known tags, links only to safe places, everything else strings. */
function checkTree(trees, depth = 0) {
  assert.ok(depth < 30, "nesting has an end");
  for (const tree of trees) {
    if (typeof tree === "string") continue;
    assert.ok(TAGS.has(tree.tag), tree.tag);
    assert.deepEqual(Object.keys(tree).filter((key) => !["tag", "children", "href"].includes(key)), []);
    if ("href" in tree) assert.ok(tree.tag === "a" && isSafe(tree.href), tree.href);
    checkTree(tree.children, depth + 1);
  }
}

test("safe links lead to the web, a mailbox or the same page", () => {
  for (const href of ["https://a.example", "http://a.example", "mailto:a@example.org", "#types", "HTTPS://a"]) assert.ok(isSafe(href));
  for (const href of ["javascript:x", " javascript:x", "//a", "/a", "data:,", "file:///", "java\nscript:x", ""]) assert.ok(!isSafe(href));
});

const PIECES = ["# ", "- ", "1. ", "> ", "|", "|---|", "```", "**", "*", "_", "`", "~~", "[", "](", ")", "\n", "\n\n", "  ", "\\", "<", ">", "javascript:", "b", "我", "😀", "    "];

const words = (tree) => (typeof tree === "string" ? tree : (tree.href ?? "") + tree.children.map(words).join(""));
const letters = (text) => text.replace(/[^b我😀]/gu, "");

test("no random text leaves the known tags, and all its letters are shown in order", () => {
  forSeeds(3000, (random) => {
    const text = Array.from({ length: below(random, 40) }, () => pick(random, PIECES)).join("");
    const trees = readMarkdown(text);
    checkTree(trees);
    // What follows the sign of a block of code names its language; a table has as many cells as heads.
    if (!/```|~~~|\|/.test(text)) assert.equal(letters(trees.map(words).join("")), letters(text));
  });
});

const SLOW = {
  stars: "*".repeat(150_000),
  "stars with words": "**a ".repeat(40_000),
  underscores: "_a ".repeat(60_000),
  ticks: "`a".repeat(90_000),
  brackets: "[a".repeat(90_000),
  pipes: `${"|".repeat(90_000)}\n${"|-".repeat(45_000)}`,
  quotations: ">".repeat(150_000),
  items: "- a\n".repeat(40_000),
  "items in items": Array.from({ length: 500 }, (_, i) => `${" ".repeat(i)}- a`).join("\n"),
  lines: "a\n".repeat(90_000),
  spaces: `${" ".repeat(150_000)}x`,
};

for (const [name, text] of Object.entries(SLOW)) {
  test(`a long text is read in time: ${name}`, () => {
    const before = performance.now();
    checkTree(readMarkdown(text));
    assert.ok(performance.now() - before < 10_000);
  });
}
