/** The page by keyboard. */
import { wayOf } from "../lib/keys.js";

/** Whether an element knows these keys itself. */
const isOtherField = (target) => target.matches("input[type=text], select") || target.closest("dialog") !== null;

export function listenForKeys({ find, editor, review, step, showView, getView }) {
  document.addEventListener("keydown", (event) => {
    const isTaken = event.defaultPrevented; // the editor undoes and redoes by itself
    if (isTaken || event.isComposing || editor.isComposing || isOtherField(event.target)) return;
    const way = wayOf(event);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way) editor[way]();
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
