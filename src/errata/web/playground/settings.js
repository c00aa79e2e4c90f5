/** What the reader chose, kept in the browser; and the personal dictionary. */
import { STEPS } from "./confidence.js";

const SETTINGS = "errata.settings";
const WORDS = "errata.dictionary";
const WORKBENCH_LANGUAGE = "errata.workbench.language";

export const PRESETS = ["careful", "balanced", "eager"];
export const LANGUAGES = ["auto", "en", "zh"];
export const UI_LANGUAGES = ["en", "zh"];

export class Settings {
  /** In which language the page speaks. */
  ui = navigator.language?.startsWith("zh") ? "zh" : "en";
  language = "auto";
  preset = "balanced";
  minConfidence = 0;
  /** The words that are right as they are, in order. */
  dictionary = [];

  constructor() {
    this.dictionary = this.#keptWords();
    const kept = read(SETTINGS, {});
    if (UI_LANGUAGES.includes(kept.ui)) this.ui = kept.ui;
    if (LANGUAGES.includes(kept.language)) this.language = kept.language;
    if (PRESETS.includes(kept.preset)) this.preset = kept.preset;
    if (Object.values(STEPS).includes(kept.minConfidence)) this.minConfidence = kept.minConfidence;
  }

  /** Choose, and remember it. */
  set(name, value) {
    this[name] = value;
    const { ui, language, preset, minConfidence } = this;
    write(SETTINGS, { ui, language, preset, minConfidence });
    if (name === "ui") write(WORKBENCH_LANGUAGE, ui); // what was chosen last counts there too
  }

  addWord(word) {
    const words = new Set([...this.#keptWords(), word]);
    this.#keep([...words].sort((a, b) => a.localeCompare(b)));
  }

  removeWord(word) {
    this.#keep(this.#keptWords().filter((it) => it !== word));
  }

  /** Take over words that another tab keeps; whether there are other words now. */
  reread() {
    const before = this.dictionary.join("\n");
    this.dictionary = this.#keptWords();
    return this.dictionary.join("\n") !== before;
  }

  /** The dictionary's words that may stand in `text`; upper and lower case alike. */
  wordsIn(text) {
    if (!this.dictionary.length) return [];
    const folded = fold(text);
    return this.dictionary.filter((word) => folded.includes(fold(word)));
  }

  /** The words as they are kept now: another tab may have added some. */
  #keptWords() {
    const words = read(WORDS, this.dictionary);
    return Array.isArray(words) ? words.filter((word) => typeof word === "string" && word.trim() !== "") : [];
  }

  #keep(words) {
    this.dictionary = words;
    write(WORDS, words);
  }
}

function fold(text) {
  return text.normalize("NFC").toLowerCase();
}

/** What the browser kept, or `otherwise`: storage may be empty, full, forbidden, or written by somebody else. */
function read(key, otherwise) {
  try {
    return JSON.parse(window.localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    window.localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page works all the same, it only forgets.
  }
}
