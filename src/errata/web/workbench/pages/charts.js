/**
 * Charts as trees that anybody can turn into SVG: bars, columns, lines, dots before and after, ranges.
 *
 * A tree is `{ tag, attributes, children }`; children are trees or strings. Every chart begins with a title and a
 * description for those who do not see it. Colours are classes (`figures.css`), so that light and dark need no other
 * chart.
 *
 * @typedef {{tag: string, attributes: Object<string, string|number>, children: Array<Tree|string>}} Tree
 * @typedef {{id: string, title: string, description: string}} About  `id` is the chart's own on the page
 */

// Sizes are in units of the view box; the chart grows with the page.
export const WIDTH = 400;
const ROW = 24; // of charts whose rows have names
const NAME_WIDTH = 118;
const VALUE_WIDTH = 58;
const HEIGHT = 180; // of charts whose columns have names
const LEFT = 38;
const RIGHT = 12;
const TOP = 18; // a number stands over the highest column
const BELOW = 30;
// Characters of a name that fit; the whole name is in its title.
const NAME_LENGTH = 17;
// Room that a label below the axis needs.
const LABEL_WIDTH = 42;

/** A tree. */
export function tree(tag, attributes = {}, ...children) {
  return { tag, attributes, children: children.flat().filter((child) => child !== null) };
}

/** Round numbers from `low` to `high`, about `n` of them. */
export function ticks(low, high, n = 4) {
  if (!(high > low)) return [low];
  const raw = (high - low) / n;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * ([1, 2, 5, 10].find((factor) => unit * factor >= raw * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** A number at which an axis can end: no smaller than any value. */
export function ceiling(values) {
  const most = Math.max(0, ...values.filter(Number.isFinite));
  if (most === 0) return 1;
  const [, step] = ticks(0, most);
  return step ? Math.ceil(most / step - 1e-9) * step : most;
}

/** Where values from `low` to `high` lie between two places. */
export const scale = (low, high, start, end) => (value) => round(start + ((value - low) / (high - low || 1)) * (end - start));

const round = (value) => Math.round(value * 10) / 10;

/** The beginning of a name that is too long, with its characters whole. */
export function shorten(name, length = NAME_LENGTH) {
  const characters = [...name];
  return characters.length <= length ? name : `${characters.slice(0, length - 1).join("")}…`;
}

function chart({ id, title, description }, height, children) {
  const attributes = {
    viewBox: `0 0 ${WIDTH} ${height}`,
    role: "img",
    "aria-labelledby": `${id}-title`,
    "aria-describedby": `${id}-desc`,
    class: "chart",
  };
  const about = [tree("title", { id: `${id}-title` }, title), tree("desc", { id: `${id}-desc` }, description)];
  return tree("svg", attributes, about, children);
}

const text = (x, y, words, attributes = {}) => tree("text", { x: round(x), y: round(y), ...attributes }, words);

/** A name at the left of its row. */
function name(words, y) {
  const shown = shorten(words);
  const whole = shown === words ? null : tree("title", {}, words);
  return tree("text", { x: NAME_WIDTH - 8, y, "text-anchor": "end", class: "name" }, whole, shown);
}

/** Lines down through the rows, with their numbers below. */
function downAxis(marks, place, height, show) {
  const foot = height - BELOW + 4;
  return marks.map((mark) => [
    tree("line", { x1: place(mark), x2: place(mark), y1: 4, y2: foot, class: "axis" }),
    text(place(mark), foot + 16, show(mark), { "text-anchor": "middle", class: "tick" }),
  ]).flat();
}

/** Lines across the columns, with their numbers at the left. */
function acrossAxis(marks, place, show) {
  return marks.map((mark) => [
    tree("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: place(mark), y2: place(mark), class: "axis" }),
    text(LEFT - 6, place(mark) + 4, show(mark), { "text-anchor": "end", class: "tick" }),
  ]).flat();
}

/** Every label for which there is room, the last one always. */
function bottomLabels(labels, middle) {
  const room = Math.max(1, Math.ceil((labels.length * LABEL_WIDTH) / (WIDTH - LEFT - RIGHT)));
  const last = labels.length - 1;
  return labels.flatMap((label, i) => {
    if ((last - i) % room) return [];
    const anchor = labels.length > 1 && i === last && room > 1 ? "end" : "middle";
    const x = anchor === "end" ? Math.min(middle(i) + LABEL_WIDTH / 2, WIDTH - 2) : middle(i);
    return [text(x, HEIGHT - 10, label, { "text-anchor": anchor, class: "tick" })];
  });
}

/** Horizontal bars with names: `rows` are `{name, value, text}`, `high` is the value of the longest there can be. */
export function bars(about, rows, high = ceiling(rows.map(({ value }) => value))) {
  const height = rows.length * ROW + 8;
  const length = scale(0, high, 0, WIDTH - NAME_WIDTH - VALUE_WIDTH);
  return chart(about, height, rows.map(({ name: words, value, text: shown }, i) => {
    const y = 4 + i * ROW;
    const long = length(value);
    return tree("g", {}, [
      name(words, y + 17),
      tree("rect", { x: NAME_WIDTH, y: y + 4, width: long, height: ROW - 9, rx: 3, class: "bar" }),
      text(NAME_WIDTH + long + 6, y + 17, shown, { class: "value" }),
    ]);
  }));
}

/** Columns side by side: `rows` are `{name, value, text}`. */
export function columns(about, rows, show = String) {
  const high = ceiling(rows.map(({ value }) => value));
  const place = scale(0, high, HEIGHT - BELOW, TOP);
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, rows.length);
  const width = Math.min(44, step * 0.7);
  const middle = (i) => LEFT + (i + 0.5) * step;
  const drawn = rows.map(({ name: words, value, text: shown }, i) => tree("g", {}, [
    tree("rect", {
      x: round(middle(i) - width / 2), y: place(value), width: round(width), height: round(place(0) - place(value)), rx: 2, class: "bar",
    }, tree("title", {}, `${words}: ${shown}`)),
    step >= LABEL_WIDTH && value ? text(middle(i), place(value) - 4, shown, { "text-anchor": "middle", class: "value" }) : null,
  ]));
  return chart(about, HEIGHT, [acrossAxis(ticks(0, high), place, show), drawn, bottomLabels(rows.map((row) => row.name), middle)].flat());
}

/** A line over time: `points` are `{name, value, text}`; a value that is null is a gap. */
export function line(about, points, show = String) {
  const high = ceiling(points.map(({ value }) => value ?? 0));
  const place = scale(0, high, HEIGHT - BELOW, TOP);
  const x = points.length > 1 ? scale(0, points.length - 1, LEFT + 8, WIDTH - RIGHT - 8) : () => (LEFT + WIDTH - RIGHT) / 2;
  const runs = splitRuns(points).map((run) => tree("polyline", {
    points: run.map((i) => `${x(i)},${place(points[i].value)}`).join(" "), class: "line",
  }));
  const dots = points.flatMap(({ name: words, value, text: shown }, i) => (value === null ? [] : [
    tree("circle", { cx: x(i), cy: place(value), r: points.length > 40 ? 2 : 3.5, class: "dot" }, tree("title", {}, `${words}: ${shown}`)),
  ]));
  const labels = bottomLabels(points.map((point) => point.name), x);
  return chart(about, HEIGHT, [acrossAxis(ticks(0, high), place, show), runs, dots, labels].flat());
}

/** The places of values that follow each other without a gap. */
export function splitRuns(points) {
  const runs = [[]];
  points.forEach(({ value }, i) => (value === null ? runs.push([]) : runs.at(-1).push(i)));
  return runs.filter((run) => run.length > 1);
}

/** Dots before and after, joined: `rows` are `{name, before, after, text}`; a value that is null has no dot. */
export function pairs(about, rows, show = String, low = 0, high = 1) {
  const height = rows.length * ROW + BELOW + 4;
  const place = scale(low, high, NAME_WIDTH, WIDTH - 20);
  const drawn = rows.map(({ name: words, before, after, text: shown }, i) => {
    const y = 4 + i * ROW + 13;
    const both = before !== null && after !== null;
    return tree("g", {}, [
      tree("title", {}, `${words}: ${shown}`),
      name(words, y + 4),
      both ? tree("line", { x1: place(before), x2: place(after), y1: y, y2: y, class: "joint" }) : null,
      before === null ? null : tree("circle", { cx: place(before), cy: y, r: 5, class: "before" }),
      after === null ? null : tree("circle", { cx: place(after), cy: y, r: 5, class: "after" }),
    ]);
  });
  return chart(about, height, [downAxis(ticks(low, high), place, height, show), drawn].flat());
}

/** Ranges from the first to the third quartile with the median marked: `rows` are `{name, low, middle, high, text}`. */
export function ranges(about, rows, show = String) {
  const height = rows.length * ROW + BELOW + 4;
  const most = ceiling(rows.map(({ high }) => high ?? 0));
  const place = scale(0, most, NAME_WIDTH, WIDTH - 20);
  const drawn = rows.map(({ name: words, low, middle, high, text: shown }, i) => {
    const y = 4 + i * ROW + 13;
    if (middle === null) return tree("g", {}, [name(words, y + 4)]);
    return tree("g", {}, [
      tree("title", {}, `${words}: ${shown}`),
      name(words, y + 4),
      tree("rect", { x: place(low), y: y - 6, width: Math.max(1, round(place(high) - place(low))), height: 12, rx: 3, class: "range" }),
      tree("line", { x1: place(middle), x2: place(middle), y1: y - 9, y2: y + 9, class: "median" }),
    ]);
  });
  return chart(about, height, [downAxis(ticks(0, most), place, height, show), drawn].flat());
}

/** A tree as text, for tests and for files; everything in it is escaped. */
export function markup({ tag, attributes, children }) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(String(value))}"`).join("");
  const inside = children.map((child) => (typeof child === "string" ? escape(child) : markup(child))).join("");
  return `<${tag}${written}>${inside}</${tag}>`;
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (words) => words.replace(/[&<>"]/g, (character) => ENTITIES[character]);
