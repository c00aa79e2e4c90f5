/**
 * The words of the pages, in the language people chose.
 *
 * `put` and `label` remember what they wrote, so that a change of language reaches everything on the page at once and
 * nothing has to be drawn anew. A gap may be a function: it is asked again in the other language.
 */
import { speaker } from "../../lib/messages.js";
import { ACCOUNT } from "./messages/account.js";
import { COMMON } from "./messages/common.js";
import { FIGURES } from "./messages/figures.js";
import { OWNER } from "./messages/owner.js";
import { REVIEW } from "./messages/review.js";
import { WORK } from "./messages/work.js";

export const LANGUAGES = ["en", "zh"];
export const TABLES = [COMMON, ACCOUNT, WORK, REVIEW, OWNER, FIGURES];

const merge = (language) => Object.assign({}, ...TABLES.map((table) => table[language]));
const { say: sayIn } = speaker({ en: merge("en"), zh: merge("zh") });
const gaps = new WeakMap(); // element → { text: [key, ...gaps], label: …, placeholder: … }
let language = "en";

export const currentLanguage = () => language;
/** What `lang` says of a language, so that Chinese characters are drawn as Chinese ones. */
export const tagOf = (it) => (it === "zh" ? "zh-Hans" : it);

/** The message `key` in the page's language. */
export function say(key, ...args) {
  return sayIn(language, key, ...args.map((gap) => (typeof gap === "function" ? gap() : gap)));
}

/** Whether there is such a message. */
export const hasWords = (key) => say(key) !== undefined;

const WRITE = {
  text: (it, words) => (it.textContent = words),
  placeholder: (it, words) => (it.placeholder = words),
  label: (it, words) => {
    it.setAttribute("aria-label", words);
    if (it.tagName === "BUTTON") it.title = words;
  },
};

function remember(it, place, key, args) {
  gaps.set(it, { ...gaps.get(it), [place]: [key, ...args] });
  it.dataset.said = "";
  WRITE[place](it, say(key, ...args));
  return it;
}

/** Have an element say `key`. */
export const put = (it, key, ...args) => remember(it, "text", key, args);
/** Name an element for people who do not see it; a button shows it as its title too. */
export const label = (it, key, ...args) => remember(it, "label", key, args);
export const hint = (it, key, ...args) => remember(it, "placeholder", key, args);

/** Have an element say nothing, and not speak up at the next change of language. */
export function hush(it) {
  gaps.delete(it);
  delete it.dataset.said;
  it.textContent = "";
}

/** Take over the words that the HTML names: `data-say`, `data-say-label`, `data-say-placeholder`. */
export function translate(root) {
  root.querySelectorAll("[data-say]").forEach((it) => put(it, it.dataset.say));
  root.querySelectorAll("[data-say-label]").forEach((it) => label(it, it.dataset.sayLabel));
  root.querySelectorAll("[data-say-placeholder]").forEach((it) => hint(it, it.dataset.sayPlaceholder));
}

/** Speak another language from now on, and say everything again that was said. */
export function speak(other) {
  language = LANGUAGES.includes(other) ? other : "en";
  document.documentElement.lang = tagOf(language);
  for (const it of document.querySelectorAll("[data-said]")) {
    for (const [place, [key, ...args]] of Object.entries(gaps.get(it) ?? {})) WRITE[place](it, say(key, ...args));
  }
  document.dispatchEvent(new Event("spoken"));
}
