/** How one change looks: what goes, what comes, and the words around it. Text nodes only, so any text is safe. */
import { describe, say } from "./messages.js";

const AROUND = 24; // characters of context on either side

/** An element with class and children (strings become text). */
export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** An icon of the page's sprite. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
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

/** A button for each other replacement of a suggestion, with the key that chooses it. */
export function choiceButtons(suggestion, ui) {
  return suggestion.alternatives.map((replacement, i) => {
    const shown = replacement.trim() || visible(replacement) || say(ui, "nothing");
    const button = element("button", "choice", element("span", "", shown), element("kbd", "", String(i + 2)));
    const label = say(ui, "acceptOne", describe(ui, { ...suggestion, replacement }));
    button.type = "button";
    button.dataset.action = "choose";
    button.dataset.choice = String(i + 1);
    button.title = label;
    button.setAttribute("aria-label", label);
    return button;
  });
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

function visible(text) {
  return text.replace(/ /g, "␣").replace(/\t/g, "⇥");
}
