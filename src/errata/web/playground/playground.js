/** The page: its parts made, and connected. */
import { Draft } from "../lib/draft.js";
import { mountEditor } from "../lib/editor.js";
import { element } from "../lib/elements.js";
import { showIfThere } from "../lib/elsewhere.js";
import { Card } from "./card.js";
import { Caution } from "./caution.js";
import { Checker } from "./checker.js";
import { compareRows } from "./compare.js";
import { STEPS, stepOf } from "./confidence.js";
import { Counter } from "./count.js";
import { Dictionary } from "./dictionary.js";
import { EXAMPLES } from "./examples.js";
import { Filter } from "./filter.js";
import { Follow } from "./follow.js";
import { listenForKeys } from "./keys.js";
import { List } from "./list.js";
import { say, translate } from "./messages.js";
import { Review } from "./review.js";
import { Settings } from "./settings.js";
import { Status } from "./status.js";
import { copyText, downloadText } from "../lib/takeaway.js";

const SAMPLE_CHARS = 2000;
const FILE_NAME = "errata.txt";

const find = (id) => document.getElementById(id);
const settings = new Settings();
const draft = new Draft();
const status = new Status(find, settings);
const editor = mountEditor(find("editor"), {
  ...draft.kept,
  isWanted: ({ confidence, original }) =>
    (confidence ?? 1) >= settings.minConfidence && !settings.dictionary.includes(original.trim()),
  save: () => status.showUnkept(draft.save(manuscript)),
  scroller: find("scroller"),
  describedBy: "keys",
  autofocus: true,
});
const { manuscript, area } = editor;
editor.elements.field.id = "text";
editor.elements.mirror.id = "mirror";
const checker = new Checker(manuscript, settings, new URL("v1/correct", document.baseURI));
const card = new Card(find, find("scroller"));
const dictionary = new Dictionary(find, settings, reconsider);
const review = new Review(manuscript, area, card, settings, {
  announce: (text) => status.announce(text),
  changed: refresh,
});
const list = new List({ root: find("list"), more: find("more"), heading: find("found-title") }, {
  go: (located) => goTo(located),
  accept: (located) => review.accept([located]),
  dismiss: (located) => review.dismiss([located]),
  choose: (located, choice) => review.choose(choice, located),
});
const filter = new Filter(find("filter"), refresh);
const follow = new Follow(area, list, review, find("scroller"));
const caution = new Caution(settings);
const counter = new Counter();
const nextExample = { en: 0, zh: 0 };
let view = "write";
let frame = 0;

/** Draw what depends on the whole text, once for however many changes came together. */
function refresh() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    draw();
  });
}

function draw() {
  const { suggestions, text, paragraphs } = manuscript;
  const state = checker.state;
  status.render(state, suggestions.length, text.length, counter.count(paragraphs), checker.model);
  drawList(suggestions);
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

function drawList(suggestions) {
  const listed = filter.apply(suggestions);
  filter.render(suggestions, settings.ui);
  follow.located = listed;
  list.render(listed, follow.current, settings.ui);
  const labels = filter.kind ? ["acceptListed", "dismissListed"] : ["acceptAll", "dismissAll"];
  ["accept-all", "dismiss-all"].forEach((id, i) => {
    find(id).textContent = say(settings.ui, labels[i], listed.length);
  });
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
  editor.configure({ label: say(ui, "editor"), placeholder: say(ui, "placeholder") });
  labelTakeaway();
  for (const button of document.querySelectorAll("[data-ui]")) {
    button.setAttribute("aria-pressed", String(button.dataset.ui === ui));
  }
  find("language").value = language;
  document.querySelector(`[name=preset][value=${preset}]`).checked = true;
  find("preset-hint").textContent = say(ui, `${preset}Hint`);
  showConfidenceChoices(ui, minConfidence);
  const shown = minConfidence ? [say(ui, showMessage(minConfidence))] : [];
  const summary = [languageName(ui, language), say(ui, preset), ...shown];
  find("settings-summary").textContent = summary.join(" · ");
  dictionary.render();
  review.refresh();
  refresh();
}

const languageName = (ui, language) => say(ui, { auto: "languageAuto", en: "languageEn", zh: "languageZh" }[language]);

/** The message that names the suggestions from a confidence on. */
function showMessage(minConfidence) {
  return { certain: "showCertain", likely: "showLikely", unsure: "showUnsure" }[stepOf(minConfidence)];
}

function showConfidenceChoices(ui, minConfidence) {
  const options = Object.values(STEPS).reverse().map((least) => {
    const option = element("option", "", say(ui, showMessage(least)));
    option.value = String(least);
    return option;
  });
  find("confidence").replaceChildren(...options);
  find("confidence").value = String(minConfidence);
}

function foldSettings(isOpen) {
  find("settings").hidden = !isOpen;
  find("settings-open").setAttribute("aria-expanded", String(isOpen));
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

function chooseConfidence(least) {
  settings.set("minConfidence", least);
  showSettings();
  manuscript.touch(manuscript.paragraphs.filter((paragraph) => paragraph.suggestions.length));
}

/* ---- the text ---- */

function put(text) {
  editor.put(text, { start: 0, end: 0 });
  find("scroller").scrollTop = 0;
  editor.focus();
}

function putExample(language) {
  const texts = EXAMPLES[language];
  put(texts[nextExample[language]++ % texts.length]);
}

/** Begin with an empty page; the way back is an undo, until the page is left. */
function clear() {
  put("");
  editor.saveNow();
}

function closeRestored() {
  find("restored").hidden = true;
}

/** Accept what the list shows: all suggestions, or those of one kind. */
function acceptListed() {
  const listed = filter.apply(manuscript.suggestions);
  caution.ask(listed, () => review.accept(listed));
}

/* ---- connections ---- */

/** Call `action` on a click, unless the button is out of use. */
function onClick(id, action) {
  find(id).addEventListener("click", (event) => {
    if (event.currentTarget.getAttribute("aria-disabled") !== "true") action(event);
  });
}

editor.addEventListener("change", ({ detail }) => {
  if (!editor.isComposing) checker.schedule(detail.isTyping);
  if (detail.text === "") closeRestored();
  refresh();
});
manuscript.addEventListener("marks", () => {
  editor.saveLater(); // something may have been dismissed
  refresh();
});
manuscript.addEventListener("word", ({ detail: { word, isKept } }) => {
  if (isKept) dictionary.add(word);
  else dictionary.remove(word);
});
checker.addEventListener("state", refresh);
editor.addEventListener("compose", () => editor.isComposing || checker.schedule(true));
editor.addEventListener("point", ({ detail }) => review.point(detail));
editor.addEventListener("undo", () => status.announce(say(settings.ui, "undone")));
editor.addEventListener("redo", () => status.announce(say(settings.ui, "redone")));
draft.onLost = () => editor.saveNow();

onClick("undo", () => editor.undo());
onClick("redo", () => editor.redo());
onClick("clear", clear);
onClick("start-afresh", clear);
onClick("restored-close", () => {
  closeRestored();
  editor.focus();
});
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
onClick("accept-all", acceptListed);
onClick("dismiss-all", () => review.dismiss(filter.apply(manuscript.suggestions)));
onClick("settings-open", () => foldSettings(find("settings").hidden));
onClick("card-accept", () => review.accept());
onClick("card-kind-all", () => caution.ask(review.likeActive, () => review.acceptKind()));
find("card-choices").addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button) review.choose(Number(button.dataset.choice));
});
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
find("confidence").addEventListener("change", (event) => chooseConfidence(Number(event.target.value)));
find("scroller").addEventListener("scroll", () => card.move(), { passive: true });
window.addEventListener("scroll", () => card.move(), { passive: true });
// A keyboard that comes up on the screen makes the window smaller.
window.addEventListener("resize", () => review.reveal());
window.visualViewport?.addEventListener("resize", ({ target }) => target.scale === 1 && review.reveal());
window.visualViewport?.addEventListener("scroll", () => card.move());
window.addEventListener("storage", () => settings.reread() && dictionary.changed());
window.addEventListener("pagehide", () => draft.save(manuscript, false));
listenForKeys({ find, editor, review, step, showView, getView: () => view });

find("restored").hidden = !draft.isTakenOver;
if (draft.isTakenOver) status.announce(say(settings.ui, "restored"));
showSettings();
checker.schedule();
askWhatIsServed();
showIfThere(find("workbench"));
