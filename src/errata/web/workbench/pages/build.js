/** Elements as the pages are made of them: words in the page's language, buttons, fields, notices. */
import { element, icon } from "../../lib/elements.js";
import { hush, label, put } from "./words.js";

export { element, icon };

/** An element that says `key`. */
export const said = (tag, className, key, ...args) => put(element(tag, className), key, ...args);

/** A button with words. */
export function button(key, action, { className = "", picture = null, keys = null, args = [] } = {}) {
  const made = element("button", className);
  made.type = "button";
  if (picture) made.append(icon(picture));
  made.append(said("span", "", key, ...args));
  if (keys) made.append(keyCaps(keys));
  made.addEventListener("click", (event) => made.getAttribute("aria-disabled") !== "true" && action(event));
  return made;
}

/** A button with a picture, which says what it does when asked. */
export function tool(key, picture, action) {
  const made = label(element("button", "tool", icon(picture)), key);
  made.type = "button";
  made.addEventListener("click", (event) => made.getAttribute("aria-disabled") !== "true" && action(event));
  return made;
}

/** Buttons out of use stay where they are in the order of focus. */
export const enable = (it, isEnabled) => it.setAttribute("aria-disabled", String(!isEnabled));

/** A link that says `key`. */
export function link(key, address, { className = "", args = [] } = {}) {
  const made = said("a", className, key, ...args);
  made.href = address;
  return made;
}

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");
const MAC_CAPS = { Ctrl: "⌘", Alt: "⌥", Enter: "↩" };
const caps = (keys) => keys.split(" ").map((key) => element("kbd", "", isMac ? (MAC_CAPS[key] ?? key) : key));

/** Keys as they stand on the keyboard, "Ctrl Enter" in two caps. Screen readers hear them from the list of keys. */
export function keyCaps(keys) {
  const made = element("span", "caps", ...caps(keys));
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** The same for the list of keys, to be read out. */
export const keyNames = (keys) => caps(keys).flatMap((cap, i) => (i ? [" ", cap] : [cap]));

let nFields = 0;

/** A labelled field with room for what is wrong in it: `{root, input, tell(key), clear()}`. */
export function field(key, input, { hintKey = null, args = [] } = {}) {
  input.id ||= `field-${++nFields}`;
  const name = said("label", "", key, ...args);
  name.htmlFor = input.id;
  const problem = element("p", "problem");
  problem.id = `${input.id}-problem`;
  problem.setAttribute("role", "alert");
  const parts = hintKey ? [name, said("p", "quiet hint", hintKey), input, problem] : [name, input, problem];
  if (hintKey) parts[1].id = `${input.id}-hint`;
  input.setAttribute("aria-describedby", [hintKey && parts[1].id, problem.id].filter(Boolean).join(" "));
  const clear = () => {
    hush(problem);
    input.removeAttribute("aria-invalid");
  };
  input.addEventListener("input", clear);
  return { root: element("div", "field", ...parts), input, clear, tell: (words, ...gaps) => tellIn(problem, input, words, gaps) };
}

/** Say beside a field what is wrong in it: a key of ours, or a line the server wrote. */
function tellIn(problem, input, words, gaps) {
  if (typeof words === "string") put(problem, words, ...gaps);
  else put(problem, "serverSays", words.line);
  input.setAttribute("aria-invalid", "true");
  input.focus();
}

/** An input of some type with these properties. */
export function input(type, properties = {}) {
  const made = Object.assign(element(type === "textarea" || type === "select" ? type : "input"), properties);
  if (made.tagName === "INPUT") made.type = type;
  return made;
}

/** A select with `[value, key]` options. */
export function choices(options, value) {
  const made = element("select", "", ...options.map(([it, key]) => Object.assign(said("option", "", key), { value: it })));
  made.value = value;
  return made;
}

/** Radio buttons side by side: `{root, value (get/set)}`; `change` is called with what was chosen. */
export function segments(nameKey, options, value, change = () => undefined) {
  const name = `choice-${++nFields}`;
  const root = label(element("div", "segments"), nameKey);
  root.setAttribute("role", "radiogroup");
  const radios = options.map(([it, key]) => {
    const radio = input("radio", { name, value: it, checked: it === value });
    radio.addEventListener("change", () => change(it));
    root.append(element("label", "", radio, said("span", "", key)));
    return radio;
  });
  return {
    root,
    radios,
    get value() {
      return radios.find(({ checked }) => checked)?.value ?? null;
    },
    set value(it) {
      for (const radio of radios) radio.checked = radio.value === it;
    },
  };
}

/** A box with a heading. */
export function box(key, ...children) {
  const heading = said("h2", "", key);
  heading.id = `box-${++nFields}`;
  const made = element("section", "box", heading, ...children);
  made.setAttribute("aria-labelledby", heading.id);
  return made;
}

/** A table with headings in words: rows are lists of cells (strings or nodes). */
export function table(captionKey, headKeys, rows, className = "") {
  const head = element("tr", "", ...headKeys.map((key) => (key ? columnHead(key) : element("td"))));
  const body = rows.map((cells) => element("tr", "", ...cells.map((cell, i) => tableCell(cell, headKeys[i]))));
  const caption = said("caption", "visually-hidden", captionKey);
  const made = element("table", className, caption, element("thead", "", head), element("tbody", "", ...body));
  return element("div", "table", made);
}

const columnHead = (key) => Object.assign(said("th", "", key), { scope: "col" });

function tableCell(cell, key) {
  const made = element("td", typeof cell === "number" ? "number" : "");
  made.append(typeof cell === "number" ? cell.toLocaleString() : (cell ?? ""));
  if (key) put(made.appendChild(element("span", "cell-head")), key).setAttribute("aria-hidden", "true");
  return made;
}
