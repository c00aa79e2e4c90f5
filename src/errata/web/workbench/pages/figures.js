/** The figures of a project as boxes: each a sentence, a chart, and the same numbers as a table. */
import { nameOfType } from "../../lib/kinds.js";
import { box, element, said, table } from "./build.js";
import * as charts from "./charts.js";
import { currentLanguage, say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
let nCharts = 0;
let drawAgain = () => undefined;
document.addEventListener("spoken", () => drawAgain());

/** The boxes of the figures (`GET …/figures`); they are drawn again when the page speaks another language. */
export function drawFigures(figures) {
  const root = element("div", "charts");
  drawAgain = () => root.replaceChildren(...FIGURES.map((figure) => figure(figures)).filter(Boolean));
  drawAgain();
  return [root];
}

/** A tree of `charts.js` as an element. */
export function render({ tag, attributes, children }) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (typeof child === "string" ? child : render(child))));
  return made;
}

const about = (key, description) => ({ id: `chart-${++nCharts}`, title: say(key), description });
const whole = (n) => n.toLocaleString(currentLanguage());
const decimal = (n, digits = 2) => (n === null || n === undefined ? say("figureUndefined") : n.toLocaleString(currentLanguage(), { minimumFractionDigits: digits, maximumFractionDigits: digits }));
const percent = (n, digits = 1) => (n === null || n === undefined ? "–" : `${decimal(100 * n, digits)} %`);
const seconds = (n) => (n === null ? "–" : `${decimal(n, n < 10 ? 1 : 0)} s`);
const kindOf = (kind) => say(`figure-kind-${kind}`) ?? kind;
const describe = (rows) => rows.map(({ name, text }) => say("figureRow", name, text)).join("; ");

/** A box with a chart and its table; without rows, a line that says so. */
function figure(key, { text = null, chart = null, rows = null, more = [] }) {
  const words = text === null ? [] : [element("p", "quiet", text)];
  const parts = chart === null ? [said("p", "quiet", "figureNone")] : [render(chart), ...more];
  const details = rows === null || chart === null ? [] : [element("details", "", said("summary", "", "figureTable"), rows)];
  return box(key, ...words, ...parts, ...details);
}

function progress({ progress: { items, n_items: nItems, annotations, lacking } }) {
  const states = ["annotating", "reviewing", "done", "withdrawn"].filter((state) => items[state]);
  const rows = states.map((state) => ({ name: say(`figure-${state}`), value: items[state], text: whole(items[state]) }));
  const alarms = Object.entries(lacking).filter(([, n]) => n > 0).map(([who, n]) => said("p", "problem", `figure-lacking-${who}`, n));
  return figure("figure-progress", {
    more: alarms,
    text: `${say("figure-progress-text", whole(items.done ?? 0), whole(nItems))} ${say("figure-annotations-text", whole(annotations.n_done), whole(annotations.n_wanted))}`,
    chart: rows.length ? charts.bars(about("figure-progress", describe(rows)), rows) : null,
    rows: table("figure-progress", ["figureState", "figureNumber"], rows.map(({ name, value }) => [name, value])),
  });
}

function tasks({ progress: { tasks: kinds } }) {
  const rows = Object.entries(kinds).map(([kind, states]) => ({ name: kindOf(kind), value: states.done ?? 0, text: whole(states.done ?? 0) }));
  return figure("figure-tasks", {
    chart: rows.length ? charts.bars(about("figure-tasks", describe(rows)), rows) : null,
    rows: table("figure-tasks", ["figureKind", "figureNumber"], rows.map(({ name, value }) => [name, value])),
  });
}

function throughput({ throughput: { days, n_submissions: n } }) {
  const rows = days.map(({ day, n: value }) => ({ name: day.slice(5), value, text: whole(value) }));
  return figure("figure-throughput", {
    text: say("figure-throughput-text", n),
    chart: rows.length ? charts.line(about("figure-throughput", describe(rows)), rows, whole) : null,
    rows: table("figure-throughput", ["figureDay", "figureNumber"], days.map(({ day, n: value }) => [day, value])),
  });
}

function weeks({ throughput: { weeks: found } }) {
  if (found.length < 2) return null;
  const rows = found.map(({ week, n: value }) => ({ name: week.slice(5), value, text: whole(value) }));
  return figure("figure-weeks", {
    chart: charts.columns(about("figure-weeks", describe(rows)), rows, whole),
    rows: table("figure-weeks", ["figureWeek", "figureNumber"], found.map(({ week, n: value }) => [week, value])),
  });
}

const f = (score) => (score === null ? null : score["f0.5"]);

function scores({ scores: { annotators, all, signature } }) {
  const rows = annotators.map(({ name, before, after }) => ({
    name, before: f(before), after: f(after), text: `${percent(f(before))} → ${percent(f(after))}`,
  }));
  const total = { name: say("figureAll"), before: f(all.before), after: f(all.after), text: `${percent(f(all.before))} → ${percent(f(all.after))}` };
  const shown = [...rows, total];
  const cells = annotators.map(({ name, n_items: nItems, n_accepted: nAccepted, n_answers: nAnswers, before, after }) => [
    name, nItems, `${whole(nAccepted)} / ${whole(nAnswers)}`, percent(f(before), 2), percent(f(after), 2),
  ]);
  const legend = element("p", "chart-legend", said("span", "legend-before", "figureBefore"), said("span", "legend-after", "figureAfter"));
  return figure("figure-scores", {
    text: say("figure-scores-text"),
    chart: rows.length ? charts.pairs(about("figure-scores", describe(shown)), shown, (n) => `${whole(Math.round(100 * n))} %`) : null,
    more: [legend, element("p", "signature", signature)],
    rows: table("figure-scores", ["figureName", "figureSentences", "figureAccepted", "figureBefore", "figureAfter"], [
      ...cells, [say("figureAll"), "", "", percent(f(all.before), 2), percent(f(all.after), 2)],
    ]),
  });
}

/** Each annotator's mean κ with the others; the table has every pair. */
function meanKappas(pairs) {
  const own = new Map();
  for (const { names, kappa } of pairs) {
    for (const name of names) own.set(name, [...(own.get(name) ?? []), kappa].filter((value) => value !== null));
  }
  const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null);
  return [...own].sort().map(([name, values]) => ({ name, value: Math.max(0, mean(values) ?? 0), text: decimal(mean(values)) }));
}

function agreement({ agreement: { kappa, alpha, f1, pairs } }) {
  const rows = meanKappas(pairs);
  const numbers = say("figure-agreement-text", decimal(kappa), decimal(alpha), decimal(f1));
  return figure("figure-agreement", {
    text: rows.length ? `${numbers} ${say("figure-agreement-bars")}` : null,
    chart: rows.length ? charts.bars(about("figure-agreement", describe(rows)), rows, 1) : null,
    rows: table("figure-agreement", ["figurePair", "figureSentences", "figureKappa", "figureF"],
      pairs.map((pair) => [pair.names.join(" – "), pair.n_items, decimal(pair.kappa), decimal(pair.f1)])),
  });
}

const mistakes = (key, list) => ({ mistakes: found }) => {
  const first = found[list].slice(0, 10).map(({ type, n }) => ({ name: nameOfType(type, currentLanguage()), type, n }));
  const isShared = (name) => first.filter((it) => it.name === name).length > 1; // missing, unnecessary and wrong words of one class
  const rows = first.map(({ name, type, n }) => ({ name: isShared(name) ? type : name, value: n, text: whole(n) }));
  const { incomplete = 0, wrong = 0, both = 0 } = found.ways;
  const example = ({ original, replacement }) => `${original || "∅"} → ${replacement || "∅"}`;
  return figure(key, {
    text: list === "rejected" && found.n_rejected ? say("figure-mistakes-text", found.n_rejected, incomplete, wrong, both) : null,
    chart: rows.length ? charts.bars(about(key, describe(rows)), rows) : null,
    rows: table(key, ["figureType", "figureNumber", "figureExample"], found[list].map(({ type, n, examples }) => [type, n, examples.map(example).join(", ")])),
  });
};

function references({ references: { distribution, with_errors: { mean } } }) {
  const rows = distribution.map(({ n_references: number, n }) => ({ name: whole(number), value: n, text: whole(n) }));
  return figure("figure-references", {
    text: mean === null ? null : say("figure-references-text", decimal(mean)),
    chart: rows.length ? charts.columns(about("figure-references", describe(rows)), rows, whole) : null,
    rows: table("figure-references", ["figureReferences", "figureSentences"], distribution.map(({ n_references: number, n }) => [number, n])),
  });
}

function time({ time: { kinds, annotators } }) {
  const named = [
    ...Object.entries(kinds).map(([kind, row]) => ({ name: kindOf(kind), ...row })),
    ...annotators,
  ].filter(({ n }) => n);
  const rows = named.map(({ name, q1, median, q3 }) => ({ name, low: q1, middle: median, high: q3, text: seconds(median) }));
  return figure("figure-time", {
    text: say("figure-time-text"),
    chart: rows.length ? charts.ranges(about("figure-time", describe(rows)), rows, (n) => whole(n)) : null,
    rows: table("figure-time", ["figureName", "figureNumber", "figureQ1", "figureMedian", "figureQ3"],
      named.map(({ name, n, q1, median, q3 }) => [name, n, seconds(q1), seconds(median), seconds(q3)])),
  });
}

function suggestions({ suggestions: { n, n_submissions: all, share } }) {
  if (!n) return null;
  const rows = [{ name: say("figure-suggestions"), value: share, text: percent(share) }];
  return figure("figure-suggestions", {
    text: say("figure-suggestions-text", whole(n), whole(all), percent(share)),
    chart: charts.bars(about("figure-suggestions", describe(rows)), rows, 1),
  });
}

const FIGURES = [
  progress, tasks, throughput, weeks, scores, agreement, mistakes("figure-rejected", "rejected"), mistakes("figure-missed", "missed"),
  references, time, suggestions,
];
