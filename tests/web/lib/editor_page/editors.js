/** Editors for tests: `window.editors` has those that are mounted, `window.told` what they did. */
import { mountEditor } from "../lib/editor.js";

window.editors = {};
window.told = [];

/** What `check` of the test page does with the next texts: "ok", "fail", or milliseconds to wait. */
window.answers = [];

async function check(text, { signal }) {
  window.told.push(["check", text]);
  const answer = window.answers.shift() ?? "ok";
  if (answer === "fail") throw new Error("no answer");
  if (answer !== "ok") await new Promise((done) => setTimeout(done, answer));
  window.told.push(["answer", text, signal.aborted]);
  const found = [...text.matchAll(/teh/g)];
  return found.map(({ index }, i) => ({ start: index, end: index + 3, replacement: "the", type: "R:SPELL", id: i }));
}

function save(text, { isLeaving }) {
  window.told.push(["save", text, isLeaving]);
  localStorage.setItem("saved", JSON.stringify([text, isLeaving]));
}

/** Mount an editor in the element `id`; `uses` names "check" and "save". */
window.mount = (id, uses = [], options = {}) => {
  const given = Object.fromEntries(Object.entries({ check, save }).filter(([name]) => uses.includes(name)));
  const editor = mountEditor(document.getElementById(id), { label: id, checkPause: 100, savePause: 200, ...given, ...options });
  for (const name of ["change", "save", "check", "undo", "redo", "point"]) {
    editor.addEventListener(name, ({ detail }) => window.told.push([`${name} event`, plain(detail)]));
  }
  window.editors[id] = editor;
};

/** What a test can be told of an event. */
function plain(detail) {
  if (!detail) return null;
  const { text, problem, isBusy, id } = detail;
  return { text, problem: problem?.message, isBusy, id };
}

window.isReady = true;
