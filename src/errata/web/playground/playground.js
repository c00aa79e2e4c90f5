/** The page: its parts made, and connected. */
import { Card } from "./card.js";
import { Checker } from "./checker.js";
import { compareRows } from "./compare.js";
import { Dictionary } from "./dictionary.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { listenForKeys } from "./keys.js";
import { List } from "./list.js";
import { Manuscript } from "./manuscript.js";
import { say, translate } from "./messages.js";
import { Review } from "./review.js";
import { Settings } from "./settings.js";
import { Status } from "./status.js";
import { copyText, downloadText } from "./takeaway.js";

const DRAFT_MS = 500;
const SAMPLE_CHARS = 2000;
const FILE_NAME = "errata.txt";

const find = (id) => document.getElementById(id);
const settings = new Settings();
const manuscript = new Manuscript(
  settings.draft,
  ({ confidence, original }) =>
    (confidence ?? 1) >= settings.minConfidence && !settings.dictionary.includes(original.trim()),
);
const editor = new Editor({ area: find("text"), mirror: find("mirror"), scroller: find("scroller") }, manuscript);
const checker = new Checker(manuscript, settings, new URL("v1/correct", document.baseURI));
const status = new Status(find, settings);
const card = new Card(find, find("scroller"));
const dictionary = new Dictionary(find, settings, reconsider);
const review = new Review(manuscript, editor, card, settings, {
  announce: (text) => status.announce(text),
  changed: refresh,
});
const list = new List({ root: find("list"), more: find("more"), heading: find("found-title") }, {
  go: (located) => goTo(located),
  accept: (located) => review.accept([located]),
  dismiss: (located) => review.dismiss([located]),
});
const nextExample = { en: 0, zh: 0 };
let view = "write";
let frame = 0;
let draftTimer = 0;

/** Draw what depends on the whole text, once for however many changes came together. */
function refresh() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    draw();
  });
}

function draw() {
  const { suggestions, text } = manuscript;
  const state = checker.state;
  status.render(state, suggestions.length, text.length, checker.model);
  list.render(suggestions, review.active, settings.ui);
  find("count").textContent = suggestions.length ? String(suggestions.length) : "";
  const isClean = text.trim() !== "" && !state.isBusy && !state.trouble;
  find("list-empty").textContent = say(settings.ui, isClean ? "cleanList" : "emptyList");
  find("list-empty").hidden = suggestions.length > 0;
  find("start").hidden = text !== "";
  enable("undo", manuscript.canUndo);
  enable("redo", manuscript.canRedo);
  for (const id of ["copy", "download", "clear"]) enable(id, text !== "");
  for (const id of ["accept-all", "dismiss-all"]) enable(id, suggestions.length > 0);
  setTextLanguage(text);
  card.move();
  if (view === "compare") drawComparison();
}

/** Chinese characters are drawn as Chinese ones, not as Japanese, whatever language the page speaks. */
function setTextLanguage(text) {
  const lang = /\p{Script=Han}/u.test(text.slice(0, SAMPLE_CHARS)) ? "zh-Hans" : "en";
  if (find("list").lang === lang) return; // setting it has every letter laid out anew
  for (const place of document.querySelectorAll(".text-language")) place.lang = lang;
}

/** Buttons out of use stay where they are in the order of focus. */
function enable(id, isEnabled) {
  find(id).setAttribute("aria-disabled", String(!isEnabled));
}

function drawComparison() {
  const { changes, paragraphs } = manuscript;
  find("compare-rows").replaceChildren(...compareRows(paragraphs, changes));
  find("compare-empty").hidden = changes.length > 0;
}

/* ---- views ---- */

function showView(name, isFocused = false) {
  view = name;
  for (const it of ["write", "compare"]) {
    find(`panel-${it}`).hidden = it !== name;
    find(`tab-${it}`).setAttribute("aria-selected", String(it === name));
    find(`tab-${it}`).tabIndex = it === name ? 0 : -1;
  }
  if (isFocused) find(`tab-${name}`).focus();
  if (name === "compare") review.close();
  labelTakeaway();
  refresh();
}

function goTo(located) {
  showView("write");
  review.open(located, true);
}

function step(by) {
  showView("write");
  review.step(by);
}

/** Copy and download take what the view shows as the result. */
const result = () => (view === "compare" ? manuscript.corrected : manuscript.text);

function labelTakeaway() {
  for (const id of ["copy", "download"]) {
    const label = say(settings.ui, view === "compare" ? `${id}Corrected` : id);
    find(id).setAttribute("aria-label", label);
    find(id).title = label;
  }
}

/* ---- settings ---- */

/** The next answers may differ: ask again. */
function reconsider() {
  manuscript.touch(manuscript.paragraphs.filter((paragraph) => paragraph.suggestions.length));
  checker.reconsider();
}

function showSettings() {
  const { ui, language, preset, minConfidence } = settings;
  document.documentElement.lang = ui === "zh" ? "zh-Hans" : "en";
  document.title = say(ui, "title");
  translate(document, ui);
  labelTakeaway();
  for (const button of document.querySelectorAll("[data-ui]")) {
    button.setAttribute("aria-pressed", String(button.dataset.ui === ui));
  }
  find("language").value = language;
  document.querySelector(`[name=preset][value=${preset}]`).checked = true;
  find("preset-hint").textContent = say(ui, `${preset}Hint`);
  find("confidence").value = String(Math.round(minConfidence * 100));
  find("confidence-value").textContent = `${Math.round(minConfidence * 100)} %`;
  dictionary.render();
  review.refresh();
  refresh();
}

/** Offer only what the server's models can do; if it does not say, everything. */
async function askWhatIsServed() {
  const response = await fetch(new URL("v1/info", document.baseURI)).catch(() => null);
  if (!response?.ok) return;
  const { models } = await response.json();
  for (const radio of document.querySelectorAll("[name=preset]")) {
    radio.disabled = !models.every(({ presets }) => presets.includes(radio.value));
    if (radio.disabled && radio.checked) choose("preset", "balanced");
  }
  for (const option of find("language").options) {
    option.disabled = option.value !== "auto" && !models.some(({ language }) => language === option.value);
    if (option.disabled && option.selected) choose("language", "auto");
  }
}

function choose(name, value) {
  settings.set(name, value);
  showSettings();
  reconsider();
}

function chooseConfidence(percent) {
  settings.set("minConfidence", percent / 100);
  showSettings();
  manuscript.touch(manuscript.paragraphs.filter((paragraph) => paragraph.suggestions.length));
}

/* ---- the text ---- */

function put(text) {
  manuscript.put(text, editor.selection, { start: 0, end: 0 });
  find("scroller").scrollTop = 0;
  editor.focus();
}

function putExample(language) {
  const texts = EXAMPLES[language];
  put(texts[nextExample[language]++ % texts.length]);
}

function goBack(way) {
  editor.finishComposing();
  const isPossible = way === "undo" ? manuscript.canUndo : manuscript.canRedo;
  manuscript[way]();
  if (isPossible) status.announce(say(settings.ui, way === "undo" ? "undone" : "redone"));
}

function keepDraft() {
  clearTimeout(draftTimer);
  draftTimer = setTimeout(() => (settings.draft = manuscript.text), DRAFT_MS);
}

/* ---- connections ---- */

/** Call `action` on a click, unless the button is out of use. */
function onClick(id, action) {
  find(id).addEventListener("click", (event) => {
    if (event.currentTarget.getAttribute("aria-disabled") !== "true") action(event);
  });
}

manuscript.addEventListener("text", ({ detail }) => {
  if (!editor.isComposing) checker.schedule(detail.isTyping && detail.edit.replacement.length < 2);
  keepDraft();
  refresh();
});
manuscript.addEventListener("marks", refresh);
manuscript.addEventListener("word", ({ detail: { word, isKept } }) => {
  if (isKept) dictionary.add(word);
  else dictionary.remove(word);
});
checker.addEventListener("state", refresh);
editor.addEventListener("compose", () => editor.isComposing || checker.schedule(true));
editor.addEventListener("point", ({ detail }) => review.point(detail));
list.onMore = refresh;

onClick("undo", () => goBack("undo"));
onClick("redo", () => goBack("redo"));
onClick("clear", () => put(""));
onClick("copy", async () => {
  const isCopied = await copyText(result());
  status.announce(say(settings.ui, isCopied ? "copied" : "notCopied"));
  find("copy").classList.toggle("is-done", isCopied);
  setTimeout(() => find("copy").classList.remove("is-done"), 1200);
});
onClick("download", () => downloadText(result(), FILE_NAME));
onClick("retry", () => {
  checker.retry();
  editor.focus(); // the button may go
});
onClick("example-en", () => putExample("en"));
onClick("example-zh", () => putExample("zh"));
onClick("accept-all", () => review.accept(manuscript.suggestions));
onClick("dismiss-all", () => review.dismiss(manuscript.suggestions));
onClick("card-accept", () => review.accept());
onClick("card-dismiss", () => review.dismiss());
onClick("card-word", () => review.keepWord());
onClick("card-next", () => step(1));
onClick("card-previous", () => step(-1));
onClick("card-close", () => review.close());
onClick("tab-write", () => showView("write"));
onClick("tab-compare", () => showView("compare"));
for (const button of document.querySelectorAll("[data-ui]")) {
  button.addEventListener("click", () => choose("ui", button.dataset.ui));
}
find("language").addEventListener("change", (event) => choose("language", event.target.value));
for (const radio of document.querySelectorAll("[name=preset]")) {
  radio.addEventListener("change", () => choose("preset", radio.value));
}
find("confidence").addEventListener("input", (event) => chooseConfidence(Number(event.target.value)));
find("scroller").addEventListener("scroll", () => card.move(), { passive: true });
window.addEventListener("resize", () => card.move());
window.addEventListener("storage", () => settings.reread() && dictionary.changed());
window.addEventListener("pagehide", () => (settings.draft = manuscript.text));
listenForKeys({ find, card, editor, review, step, goBack, showView, getView: () => view });

showSettings();
checker.schedule();
askWhatIsServed();
