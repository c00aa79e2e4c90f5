/** Keys that mean the same on every page. */
const isCommand = (event) => (event.ctrlKey || event.metaKey) && !event.altKey;

/** The way back that a key event asks for: "undo", "redo" or null. */
export function wayOf(event) {
  if (!isCommand(event)) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && !event.shiftKey ? "redo" : null;
}
