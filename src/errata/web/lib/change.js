/** One change, to see and to hear: what goes, what comes, and the words around it. */
import { element } from "./elements.js";

const AROUND = 24; // characters of context on either side

/**
 * A change in words, for names of buttons and for screen readers.
 *
 * @param {(key: string, ...gaps: string[]) => string} say  says `insert`, `remove` and `replaceWith`
 */
export function describe(say, { original, replacement }) {
  const [a, b] = [original, replacement].map((it) => it.trim() || it);
  if (!original.trim() && replacement.trim()) return say("insert", b);
  if (!replacement.trim() && original.trim()) return say("remove", a);
  return say("replaceWith", a, b);
}

/** `<del>` and `<ins>` of a suggestion. White space that alone changes is drawn. */
export function changeNodes({ original, replacement }) {
  const nodes = [];
  if (original.trim() === replacement.trim()) {
    nodes.push(element("del", "", visible(original)), element("ins", "", visible(replacement)));
  } else {
    nodes.push(element("del", "", original.trim()), element("ins", "", replacement.trim()));
  }
  return nodes.filter((node) => node.textContent !== "");
}

/** The change among the words around it in its paragraph. */
export function changeInContext({ suggestion, paragraph }) {
  const { text } = paragraph;
  const { start, end } = suggestion;
  const before = text.slice(Math.max(0, start - AROUND), start).replace(/^[\udc00-\udfff]/, "");
  const after = text.slice(end, end + AROUND).replace(/[\ud800-\udbff]$/, "");
  const lead = start > AROUND ? `…${before.replace(/^\S*\s/u, "")}` : before;
  const tail = end + AROUND < text.length ? `${after.replace(/\s\S*$/u, "")}…` : after;
  return [spaced(lead, suggestion, false), ...joined(changeNodes(suggestion)), spaced(tail, suggestion, true)];
}

function joined(nodes) {
  return nodes.flatMap((node, i) => (i ? [" ", node] : [node]));
}

/** Context keeps its distance where the change itself begins or ends with a space. */
function spaced(context, { original, replacement }, isAfter) {
  const [a, b] = [original, replacement].map((it) => (isAfter ? /\s$/u : /^\s/u).test(it));
  if (!(a || b) || context === "") return context;
  return isAfter ? ` ${context.trimStart()}` : `${context.trimEnd()} `;
}

/** White space as signs that can be seen. */
export function visible(text) {
  return text.replace(/ /g, "␣").replace(/\t/g, "⇥");
}
