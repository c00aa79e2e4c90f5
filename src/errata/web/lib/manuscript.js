/**
 * The text being written: its paragraphs, what was accepted and dismissed, and the way back. No DOM here.
 *
 * Events: `text` (detail: `{edit, isTyping, selection, first, removed, added}`) when characters changed (`isTyping`:
 * they stand in the text area already), `marks` (detail: paragraphs) when only what is said about them did, `word`
 * (detail: `{word, isKept}`) when a word is to come into the dictionary, or out of it.
 */
import { History } from "./history.js";
import { dealMarks } from "./marks.js";
import { editParagraphs, paragraphsOf } from "./paragraphs.js";
import { acceptEdits, applyEdits, covering, editBetween, groupChanges, inverse, moveSpans } from "./spans.js";

export class Manuscript extends EventTarget {
  #history = new History();
  #located = null; // paragraph → its suggestions to show, with their places; null when it is to be found again
  #inOrder = null; // the same as one list

  /** @param {(suggestion: object) => boolean} isWanted  whether a suggestion is to be shown */
  constructor(text, isWanted, { accepted = [], dismissed = [] } = {}) {
    super();
    this.accepted = accepted;
    this.dismissed = dismissed;
    this.text = text;
    this.paragraphs = paragraphsOf(text);
    this.isWanted = isWanted;
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  /** Suggestions to decide on, with their place in the whole text: `{suggestion, paragraph, start, end}`. */
  get suggestions() {
    const all = this.#all(); // which may find anew, and forget the list
    this.#inOrder ??= [...all.values()].flat().filter(({ suggestion }) => !suggestion.isPart);
    return this.#inOrder;
  }

  /** What is shown in one paragraph: its suggestions, and parts of marks that go on elsewhere. */
  shownIn(paragraph) {
    return this.#all().get(paragraph) ?? [];
  }

  /** The text once every suggestion shown is accepted. */
  get corrected() {
    return applyEdits(this.text, this.suggestions.map(asEdit));
  }

  /** What changed or would change, group by group: see `groupChanges`. */
  get changes() {
    return groupChanges(this.text, this.accepted, this.suggestions.map(asEdit));
  }

  /**
   * Take over `text` as it now stands in the text area; `before` and `after` are the selections around the change.
   *
   * What is typed in one go is undone in one go; `isWhole` is a step of its own.
   */
  write(text, before, after, isWhole = false) {
    const edit = editBetween(this.text, text);
    if (edit) this.#replace(edit, before, after, isWhole ? "whole" : "typing", true);
  }

  /** Have another text instead. */
  put(text, before, after) {
    const edit = editBetween(this.text, text);
    if (edit) this.#replace(edit, before, after, "whole", false);
  }

  /** Begin with another text, which has no way back to this one. */
  begin(text, { accepted = [], dismissed = [] } = {}) {
    const removed = this.paragraphs.length;
    const edit = { start: 0, end: this.text.length, replacement: text };
    Object.assign(this, { text, accepted, dismissed, paragraphs: paragraphsOf(text) });
    this.#history = new History();
    this.#located = null;
    const selection = { start: text.length, end: text.length };
    const detail = { first: 0, removed, added: this.paragraphs, edit, isTyping: false, selection };
    this.dispatchEvent(new CustomEvent("text", { detail }));
  }

  /** Mark spans of the whole text in place of those that are marked. @param {import("./marks.js").Mark[]} marks */
  mark(marks) {
    this.answer(dealMarks(this.paragraphs, marks));
  }

  /** Make the changes of `located` suggestions; one with a `replacement` of its own is changed to that instead. */
  accept(located, selection) {
    const edits = located.map(asEdit);
    if (!edits.length) return;
    this.#make(edits, "accept", selection, moveSelection(selection, edits), {
      accepted: acceptEdits(this.text, this.accepted, edits),
      dismissed: moveSpans(this.dismissed, edits, true),
    });
  }

  /** Show `located` suggestions no more. */
  dismiss(located, selection) {
    if (!located.length) return;
    const dismissed = [...this.dismissed, ...located.map(asEdit)].sort((a, b) => a.start - b.start);
    this.#make([], "dismiss", selection, selection, { accepted: this.accepted, dismissed });
  }

  /** Have a word in the dictionary. */
  keepWord(word, selection) {
    this.#make([], "word", selection, selection, { accepted: this.accepted, dismissed: this.dismissed, word });
    this.#tellWord(word, true);
  }

  undo() {
    const step = this.#history.undo();
    if (!step) return;
    this.#change(step.inverse, step.kind, step.before);
    this.#tellWord(step.after.word, false);
  }

  redo() {
    const step = this.#history.redo();
    if (!step) return;
    this.#change(step.edits, step.kind, step.after);
    this.#tellWord(step.after.word, true);
  }

  /** Note what the checker says about paragraphs: `{paragraph, suggestions, checkedAs}` for each. */
  answer(answers) {
    for (const { paragraph, suggestions, checkedAs } of answers) {
      paragraph.suggestions = suggestions;
      paragraph.checkedAs = checkedAs;
    }
    if (answers.length) this.touch(answers.map(({ paragraph }) => paragraph));
  }

  /** Say that what is to be shown of `paragraphs` may have changed. */
  touch(paragraphs) {
    this.#located = null;
    this.dispatchEvent(new CustomEvent("marks", { detail: paragraphs }));
  }

  #tellWord(word, isKept) {
    if (word) this.dispatchEvent(new CustomEvent("word", { detail: { word, isKept } }));
  }

  #replace(edit, before, after, kind, isTyping) {
    const state = { accepted: moveSpans(this.accepted, [edit]), dismissed: moveSpans(this.dismissed, [edit]) };
    this.#make([edit], kind, before, after, state, isTyping);
  }

  #make(edits, kind, before, after, state, isTyping = false) {
    const step = {
      kind,
      edits,
      inverse: inverse(this.text, edits),
      before: { accepted: this.accepted, dismissed: this.dismissed, selection: before },
      after: { ...state, selection: after },
      time: performance.now(),
    };
    this.#history.push(step);
    this.#change(edits, kind, step.after, isTyping);
  }

  #change(edits, kind, { accepted, dismissed, selection }, isTyping = false) {
    this.accepted = accepted;
    this.dismissed = dismissed;
    if (!edits.length) {
      this.touch(this.paragraphs.filter((paragraph) => paragraph.suggestions.length));
      return;
    }
    const edit = covering(this.text, edits);
    this.text = applyEdits(this.text, [edit]);
    this.#located = null;
    const detail = editParagraphs(this.paragraphs, edit, edits, kind === "accept");
    this.dispatchEvent(new CustomEvent("text", { detail: { ...detail, edit, isTyping, selection } }));
  }

  #all() {
    if (!this.#located) {
      this.#located = this.#locate();
      this.#inOrder = null;
    }
    return this.#located;
  }

  #locate() {
    const dismissed = new Set(this.dismissed.map(nameOf));
    const located = new Map();
    let offset = 0;
    for (const paragraph of this.paragraphs) {
      const at = offset;
      const shown = paragraph.suggestions
        .map((it) => ({ suggestion: it, paragraph, start: it.start + at, end: it.end + at }))
        .filter((it) => this.isWanted(it.suggestion) && !dismissed.has(nameOf(asEdit(it))));
      if (shown.length) located.set(paragraph, shown);
      offset += paragraph.text.length + 1;
    }
    return located;
  }
}

function asEdit({ start, end, suggestion, replacement = suggestion.replacement }) {
  return { start, end, replacement };
}

function nameOf({ start, end, replacement }) {
  return `${start} ${end} ${replacement}`;
}

/** Where the selection is after `edits`: at the same letters, or behind what replaced them. */
function moveSelection({ start, end }, edits) {
  const move = (position) => {
    let shift = 0;
    for (const edit of edits) {
      const change = edit.replacement.length - (edit.end - edit.start);
      if (edit.end <= position) shift += change;
      else if (edit.start < position) return edit.start + shift + edit.replacement.length;
    }
    return position + shift;
  };
  return { start: move(start), end: move(end) };
}
