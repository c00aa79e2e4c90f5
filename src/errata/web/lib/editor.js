/**
 * An editor for plain text: a text area with marks under its words, undo and redo, checking and saving.
 *
 * `mountEditor` builds it inside an element of the page, as often as a page needs one; the styles are in `editor.css`.
 * It uses no ids and no words of its own.
 */
import { Area } from "./area.js";
import { Check } from "./check.js";
import { element } from "./elements.js";
import { Manuscript } from "./manuscript.js";
import { Saving } from "./saving.js";

const CHECK_PAUSE_MS = 350; // how long typing must rest before the text is checked
const SAVE_PAUSE_MS = 500;
const FIXED = { spellcheck: "false", autocomplete: "off", autocorrect: "off", rows: "1" };

// Options that are attributes of the text area. The mirror must lay out the same letters, so it has some of them too.
const ATTRIBUTES = {
  label: "aria-label",
  labelledBy: "aria-labelledby",
  describedBy: "aria-describedby",
  placeholder: "placeholder",
  lang: "lang",
  dir: "dir",
  maxLength: "maxlength",
  isReadOnly: "readonly",
  autofocus: "autofocus",
};
const MIRRORED = new Set(["lang", "dir"]);

/**
 * @typedef {object} Options
 * @property {string} [text]  what to begin with; `accepted` and `dismissed` are what was decided about it, as `Draft` has it
 * @property {(text: string, options: {signal: AbortSignal}) => Promise<import("./marks.js").Mark[]>} [check]  is called
 *   when typing rests `checkPause` milliseconds, and gives what to mark
 * @property {(text: string, options: {isLeaving: boolean}) => unknown} [save]  is called when typing rests `savePause`
 *   milliseconds and when the page is left (`isLeaving`: a request must have `keepalive`); may give a promise
 * @property {(suggestion: object) => boolean} [isWanted]  whether to show a mark
 * @property {HTMLElement} [scroller]  what the text scrolls in, if it is not `root`
 * @property {string} [label]  and the other names in `ATTRIBUTES`
 */

/** Build an editor inside `root`. @param {HTMLElement} root  @param {Options} options  @returns {Editor} */
export function mountEditor(root, options = {}) {
  return new Editor(root, options);
}

/**
 * Events: `change` (detail: `{text, edit, isTyping}`; `isTyping`: more is likely to follow at once), `save` (detail:
 * `{text, problem}`) after a save, `check` (detail: `{isBusy, problem}`), `undo`, `redo`, `compose` when an input method
 * begins or ends, `point` (detail: the mark at the place of a click, or undefined).
 */
export class Editor extends EventTarget {
  #root;
  #elements;
  #stop = new AbortController(); // ends all listening
  #check = null;
  #save;
  #savePause;
  #saving = null;
  /** The text and everything decided about it. */
  manuscript;
  /** The text area: where marks are on the screen, which one is looked at. */
  area;

  constructor(root, options) {
    super();
    const { text = "", accepted, dismissed, isWanted = () => true, check, save, scroller = root, ...others } = options;
    const { checkPause = CHECK_PAUSE_MS, savePause = SAVE_PAUSE_MS, ...attributes } = others;
    this.#root = root;
    this.#savePause = savePause;
    this.#build(attributes);
    this.manuscript = new Manuscript(unified(text), isWanted, { accepted, dismissed });
    this.area = new Area({ ...this.#elements, scroller }, this.manuscript, this.#stop.signal);
    if (check) this.#startChecking(check, checkPause);
    this.#startSaving(save);
    this.#listen();
    this.#check?.schedule(this.text);
  }

  get text() {
    return this.manuscript.text;
  }

  /** Have another text; undo brings back the one before. */
  set text(text) {
    this.put(text);
  }

  /** The same, and select a part of it; by default nothing, at the end. */
  put(text, selection = null) {
    const now = unified(text);
    this.area.finishComposing();
    this.manuscript.put(now, this.area.selection, selection ?? { start: now.length, end: now.length });
  }

  /**
   * Begin with another text, as if it had been there from the start. What is not saved of this one is saved first, as
   * before; the other one may have a `save` of its own.
   */
  begin(text, { accepted, dismissed, save = this.#save } = {}) {
    this.area.finishComposing();
    this.#saving?.close();
    this.#saving = null;
    this.manuscript.begin(unified(text), { accepted, dismissed });
    this.#startSaving(save);
  }

  get selection() {
    return this.area.selection;
  }

  /** Take the focus, and select `{start, end}` if it is given. */
  focus(selection = null) {
    this.area.focus(selection);
  }

  get canUndo() {
    return this.manuscript.canUndo;
  }

  get canRedo() {
    return this.manuscript.canRedo;
  }

  undo() {
    this.#goBack("undo", this.canUndo);
  }

  redo() {
    this.#goBack("redo", this.canRedo);
  }

  /** Whether an input method is at work: what it has put down so far is not what the writer means. */
  get isComposing() {
    return this.area.isComposing;
  }

  /** What is marked and can be decided on, where it is now. */
  get marks() {
    return this.manuscript.suggestions.map(({ suggestion, start, end }) => ({ ...suggestion, start, end }));
  }

  /** Mark these spans of the text, and no others. @param {import("./marks.js").Mark[]} marks */
  setMarks(marks) {
    this.manuscript.mark(marks);
  }

  /** Check the text again: something else that decides the answer has changed. */
  checkNow() {
    this.#check?.schedule(this.text);
  }

  /** Save after a pause: something that belongs to the text has changed. */
  saveLater() {
    this.#saving?.schedule();
  }

  saveNow() {
    this.#saving?.now();
  }

  /** Set options that are attributes of the text area, such as `label` or `lang`; null takes one away. */
  configure(attributes) {
    for (const [option, value] of Object.entries(attributes)) {
      const name = ATTRIBUTES[option];
      if (!name) throw new TypeError(`the editor has no option ${option}; there are ${Object.keys(ATTRIBUTES).join(", ")}`);
      const { field, mirror } = this.#elements;
      for (const place of MIRRORED.has(option) ? [field, mirror] : [field]) setAttribute(place, name, value);
    }
  }

  /** Save what is not saved, and leave the page as it was. */
  destroy() {
    this.#saving?.close();
    this.#check?.stop();
    this.#stop.abort();
    this.#elements.mirror.remove();
    this.#elements.field.remove();
    this.#root.classList.remove("editor");
  }

  /** The elements it is made of: `{field, mirror}`. */
  get elements() {
    return this.#elements;
  }

  #build(attributes) {
    const [mirror, field] = [element("div", "mirror"), element("textarea")];
    mirror.setAttribute("aria-hidden", "true");
    for (const [name, value] of Object.entries(FIXED)) field.setAttribute(name, value);
    this.#elements = { field, mirror };
    this.configure(attributes);
    this.#root.classList.add("editor");
    this.#root.append(mirror, field);
  }

  #startChecking(check, pause) {
    this.#check = new Check(check, {
      pause,
      take: (marks) => this.setMarks(marks),
      tell: (state) => this.#tell("check", state),
    });
  }

  #startSaving(save) {
    this.#save = save;
    if (!save) return;
    const tell = (outcome) => this.#tell("save", outcome);
    this.#saving = new Saving(save, () => this.text, { pause: this.#savePause, tell });
  }

  #listen() {
    this.#hear(this.manuscript, "text", ({ detail }) => this.#changed(detail));
    this.#hear(this.area, "back", ({ detail }) => this[detail]());
    this.#hear(this.area, "compose", () => this.#composed());
    this.#hear(window, "pagehide", () => this.#saving?.leave());
    this.#hear(document, "visibilitychange", () => document.hidden && this.#saving?.flush());
    this.#hear(this.area, "point", ({ detail }) => this.#tell("point", detail));
  }

  #changed({ edit, isTyping }) {
    const isOngoing = isTyping && edit.replacement.length < 2; // a key, and not a paste
    if (!this.isComposing) this.#check?.schedule(this.text, isOngoing);
    this.#saving?.schedule();
    this.#tell("change", { text: this.text, edit, isTyping: isOngoing });
  }

  #composed() {
    if (!this.isComposing) this.#check?.schedule(this.text, true);
    this.#tell("compose");
  }

  #goBack(way, isPossible) {
    this.area.finishComposing();
    this.manuscript[way]();
    if (isPossible) this.#tell(way);
  }

  #hear(place, name, hear) {
    place.addEventListener(name, hear, { signal: this.#stop.signal });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** `text` with the line ends that a text area has. */
function unified(text) {
  return text.replace(/\r\n?/g, "\n");
}

function setAttribute(place, name, value) {
  if (value === null || value === undefined || value === false) place.removeAttribute(name);
  else place.setAttribute(name, value === true ? "" : String(value));
}
