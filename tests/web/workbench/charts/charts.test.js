/** The charts as trees: everything has its place, numbers are right, and no name can break out. */
import assert from "node:assert/strict";
import test from "node:test";

import * as charts from "../../../../src/errata/web/workbench/pages/charts.js";

const ABOUT = { id: "c1", title: "Title", description: "What it shows" };
const row = (name, value) => ({ name, value, text: String(value) });

/** All trees inside a tree that `test` holds for. */
function find(tree, test) {
  const inside = tree.children.filter((child) => typeof child !== "string").flatMap((child) => find(child, test));
  return test(tree) ? [tree, ...inside] : inside;
}
const withClass = (tree, name) => find(tree, ({ attributes }) => attributes.class === name);
const words = (tree) => tree.children.map((child) => (typeof child === "string" ? child : words(child))).join("");

/** A generator of numbers that is the same each time. */
function random(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

const EVERY = {
  bars: (rows) => charts.bars(ABOUT, rows),
  columns: (rows) => charts.columns(ABOUT, rows),
  line: (rows) => charts.line(ABOUT, rows),
  pairs: (rows) => charts.pairs(ABOUT, rows.map(({ name, value, text }) => ({ name, before: value / 200, after: value / 100, text }))),
  ranges: (rows) => charts.ranges(ABOUT, rows.map(({ name, value, text }) => ({ name, low: value / 2, middle: value, high: value * 2, text }))),
};

for (const [name, draw] of Object.entries(EVERY)) {
  test(`${name}: says what it shows to those who do not see it`, () => {
    const made = draw([row("a", 1), row("b", 2)]);
    assert.equal(made.attributes.role, "img");
    assert.deepEqual(made.children.slice(0, 2).map(({ tag, attributes }) => [tag, attributes.id]), [["title", "c1-title"], ["desc", "c1-desc"]]);
    assert.equal(made.attributes["aria-labelledby"], "c1-title");
    assert.equal(made.attributes["aria-describedby"], "c1-desc");
    assert.equal(words(made.children[1]), "What it shows");
  });

  test(`${name}: nothing lies outside, and every number is one`, () => {
    const next = random(7);
    for (let round = 0; round < 200; round++) {
      const n = Math.floor(next() * 60);
      const most = 10 ** Math.floor(next() * 6);
      const made = draw(Array.from({ length: n }, (_, i) => row(`name ${i}`, Math.floor(next() * (name === "pairs" ? 100 : most)))));
      const [, , width, height] = made.attributes.viewBox.split(" ").map(Number);
      for (const { tag, attributes } of find(made, () => true)) {
        for (const [key, value] of Object.entries(attributes)) {
          if (["x", "x1", "x2", "cx"].includes(key)) assert.ok(value >= 0 && value <= width, `${tag} ${key}=${value} of ${width}`);
          if (["y", "y1", "y2", "cy"].includes(key)) assert.ok(value >= 0 && value <= height, `${tag} ${key}=${value} of ${height}`);
          if (["width", "height", "r"].includes(key)) assert.ok(value >= 0, `${tag} ${key}=${value}`);
          assert.ok(typeof value === "string" || Number.isFinite(value), `${tag} ${key}=${value}`);
        }
        if (tag === "rect") assert.ok(attributes.x + attributes.width <= width + 0.2, `bar ends at ${attributes.x + attributes.width}`);
      }
      assert.doesNotMatch(charts.markup(made), /NaN|undefined|Infinity/);
    }
  });

  test(`${name}: names are text, whatever is in them`, () => {
    const made = charts.markup(draw([row("<script>alert(1)</script>", 1), row('"&', 2)]));
    assert.doesNotMatch(made, /<script/);
    assert.match(made, /&lt;script&gt;/);
  });

  test(`${name}: no styles in attributes, which the page's policy forbids`, () => {
    assert.deepEqual(find(draw([row("a", 1)]), ({ attributes }) => "style" in attributes || "fill" in attributes), []);
  });
}

test("ticks are round numbers from end to end", () => {
  assert.deepEqual(charts.ticks(0, 1), [0, 0.5, 1]);
  assert.deepEqual(charts.ticks(0, 10), [0, 5, 10]);
  assert.deepEqual(charts.ticks(0, 0.8), [0, 0.2, 0.4, 0.6, 0.8]);
  assert.deepEqual(charts.ticks(0, 35), [0, 10, 20, 30]);
  assert.deepEqual(charts.ticks(3, 3), [3]);
});

test("an axis ends at a tick, above every value", () => {
  const next = random(3);
  for (let round = 0; round < 500; round++) {
    const values = Array.from({ length: 5 }, () => next() * 10 ** Math.floor(next() * 8 - 2));
    const end = charts.ceiling(values);
    assert.ok(end >= Math.max(...values));
    assert.ok(end <= 2 * Math.max(...values), `${end} for ${Math.max(...values)}`);
  }
  assert.equal(charts.ceiling([]), 1);
  assert.equal(charts.ceiling([0]), 1);
  assert.equal(charts.ceiling([NaN, 4]), 4);
});

test("bars are as long as their values", () => {
  const made = charts.bars(ABOUT, [row("a", 10), row("b", 5), row("c", 0)]);
  const [a, b, c] = withClass(made, "bar").map(({ attributes }) => attributes.width);
  assert.equal(b, a / 2);
  assert.equal(c, 0);
  const [half] = withClass(charts.bars(ABOUT, [row("a", 0.5)], 1), "bar");
  assert.equal(half.attributes.width, (charts.WIDTH - 118 - 58) / 2);
});

test("dots before and after stand where their values are", () => {
  const made = charts.pairs(ABOUT, [{ name: "a", before: 0, after: 1, text: "" }, { name: "b", before: 0.5, after: null, text: "" }]);
  const [low, middle] = withClass(made, "before").map(({ attributes }) => attributes.cx);
  const [high] = withClass(made, "after").map(({ attributes }) => attributes.cx);
  assert.equal(middle, (low + high) / 2);
  assert.equal(withClass(made, "after").length, 1);
  assert.equal(withClass(made, "joint").length, 1);
});

test("a line has gaps where there is no value", () => {
  const points = [1, 2, null, 3, null, 4, 5].map((value, i) => ({ name: String(i), value, text: "" }));
  assert.deepEqual(charts.splitRuns(points), [[0, 1], [5, 6]]);
  const made = charts.line(ABOUT, points);
  assert.equal(withClass(made, "line").length, 2);
  assert.equal(withClass(made, "dot").length, 5);
});

test("labels below an axis do not run into each other", () => {
  const made = charts.columns(ABOUT, Array.from({ length: 90 }, (_, i) => row(`01-${i}`, i)));
  const places = withClass(made, "tick").filter(({ children }) => String(children[0]).startsWith("01-")).map(({ attributes }) => attributes.x);
  assert.ok(places.length > 3 && places.length < 12);
  places.slice(1, -1).forEach((place, i) => assert.ok(place - places[i] >= 40));
  assert.match(charts.markup(made), /01-89</); // the last one is always there
});

test("long names are cut between characters and kept whole in their title", () => {
  assert.equal(charts.shorten("annotator-1"), "annotator-1");
  assert.equal(charts.shorten("😀".repeat(30)), `${"😀".repeat(16)}…`);
  const long = "a very long name of somebody";
  const [made] = withClass(charts.bars(ABOUT, [row(long, 1)]), "name");
  assert.deepEqual(made.children.map((child) => (typeof child === "string" ? child : words(child))), [long, `${long.slice(0, 16)}…`]);
});

test("an empty chart is still a chart", () => {
  for (const draw of Object.values(EVERY)) assert.match(charts.markup(draw([])), /^<svg/);
});
