/** The page by keyboard. */
const isCommand = (event) => (event.ctrlKey || event.metaKey) && !event.altKey;

/** Way back that a key event asks for: "undo", "redo" or null. */
function wayOf(event) {
  if (!isCommand(event)) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && !event.shiftKey ? "redo" : null;
}

/** Whether an element knows these keys itself. */
const isOtherField = (target) => target.matches("input[type=text], select") || target.closest("dialog") !== null;

export function listenForKeys({ find, editor, review, step, goBack, showView, getView }) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || editor.isComposing || isOtherField(event.target)) return;
    const way = wayOf(event);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way) goBack(way);
    else if (event.altKey && !event.ctrlKey && !event.metaKey && by) step(by);
    else if (event.key === "Escape" && review.active) review.close();
    else return;
    event.preventDefault();
  });
  find("card").addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Delete" || event.key === "Backspace") review.dismiss();
    else if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (/^[1-9]$/.test(event.key)) review.choose(Number(event.key) - 1);
    else return;
    event.preventDefault();
  });
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    showView(getView() === "write" ? "compare" : "write", true);
  });
}
