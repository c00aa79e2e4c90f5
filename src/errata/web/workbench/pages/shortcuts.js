/**
 * Keys that act on the whole page.
 *
 * A shortcut is written as people read it: "Ctrl Enter", "Alt M", "?". Ctrl is also the Mac's ⌘. Shortcuts without
 * Ctrl or Alt do nothing while people type in a field, and none does anything while an input method is at work: its keys
 * choose characters.
 */
const NAMES = { "↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft", "→": "ArrowRight", Esc: "Escape" };

/** @typedef {{key: string, code: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean, isComposing: boolean, keyCode?: number}} KeyEvent */

/** Whether an event is this shortcut. @param {KeyEvent} event  @param {string} keys */
export function matches(event, keys) {
  const parts = keys.split(" ");
  const last = parts.at(-1);
  const [ctrl, alt] = [parts.includes("Ctrl"), parts.includes("Alt")];
  if (alt !== event.altKey || ctrl !== (event.ctrlKey || event.metaKey)) return false;
  return event.key === (NAMES[last] ?? last) || (alt && isCode(event.code, last));
}

/** With Alt, some keyboards give other characters: the key itself counts. */
function isCode(code, name) {
  return code === `Key${name.toUpperCase()}` || code === `Digit${name}`;
}

/** Whether an input method is at work; 229 is what old ones say. @param {KeyEvent} event */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/** The first shortcut that an event is, or null. @param {KeyEvent} event  @param {string[]} shortcuts */
export function shortcutOf(event, shortcuts, isTyping) {
  if (isComposing(event)) return null;
  const isBare = (keys) => !/^(Ctrl|Alt) /.test(keys);
  return shortcuts.find((keys) => matches(event, keys) && !(isTyping && isBare(keys))) ?? null;
}

/** Whether an element takes characters. */
export function takesText(it) {
  if (it.tagName === "TEXTAREA" || it.tagName === "SELECT" || it.isContentEditable) return true;
  return it.tagName === "INPUT" && !["radio", "checkbox", "button", "submit", "file", "range"].includes(it.type);
}

/** Act on keys: `{ "Ctrl Enter": action }`. An action that gives false leaves the key to the browser. */
export function listenForShortcuts(actions, isAway = () => false) {
  document.addEventListener("keydown", (event) => {
    if (isAway() || event.defaultPrevented) return;
    const found = shortcutOf(event, Object.keys(actions), takesText(event.target));
    if (found === null || actions[found](event) === false) return;
    event.preventDefault();
  });
}
