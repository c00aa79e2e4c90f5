/** What stands around every page: its top, with the language and the person, and the news for screen readers. */
import { Announcer } from "../../lib/announcer.js";
import { showIfThere } from "../../lib/elsewhere.js";
import { page, SERVER } from "./api.js";
import { button, element, icon, link, said } from "./build.js";
import { chooseLanguage, leave, loginAddress, speakAsBefore, whenLoggedOut } from "./session.js";
import { currentLanguage, label, put, say, tagOf, translate } from "./words.js";

const NAMES = { en: "English", zh: "中文" };
let announcer = null;

/** Begin a page: its words, its top. @param {string} titleKey  what the browser's tab says */
export function startPage(titleKey, ...gaps) {
  speakAsBefore();
  translate(document);
  document.body.prepend(skipLink(), top());
  announcer = new Announcer(document.body.appendChild(element("p", "visually-hidden")));
  retitle(titleKey, ...gaps);
  document.addEventListener("spoken", () => retitle(...title));
  whenLoggedOut(() => showNotice(loggedOutNotice()));
}

let title = ["errata"];

/** Have the tab of the browser say what the page is about. */
export function retitle(key, ...gaps) {
  title = [key, ...gaps];
  document.title = `${say(key, ...gaps)} · errata`;
}

/** Have a screen reader say something, once. */
export const announce = (key, ...gaps) => announcer.announce(say(key, ...gaps));
/** Have it said once things have settled. */
export const announceSettled = (words) => announcer.announceSettled(words);

function skipLink() {
  const made = link("skipToContent", "#main", { className: "skip" });
  made.addEventListener("click", () => document.querySelector("main").focus());
  return made;
}

function top() {
  const brand = element("a", "brand", mark(), element("span", "brand-name", "errata"));
  brand.href = page("");
  label(brand, "homeLabel");
  const path = element("nav", "path");
  label(path, "path");
  path.id = "path";
  const person = element("div", "person");
  person.id = "person";
  return element("header", "top", brand, path, languages(), person);
}

function mark() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "brand-mark");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.setAttribute("aria-hidden", "true");
  const rect = document.createElementNS(svg.namespaceURI, "rect");
  for (const [name, value] of Object.entries({ width: 32, height: 32, rx: 8 })) rect.setAttribute(name, value);
  const path = document.createElementNS(svg.namespaceURI, "path");
  path.setAttribute("d", "M8 13h11M8 19q2-3 4 0t4 0 4 0 4 0M21 11l3 3-3 3");
  svg.append(rect, path);
  return svg;
}

function languages() {
  const group = label(element("div", "segments ui-language"), "uiLanguage");
  group.setAttribute("role", "group");
  const buttons = Object.entries(NAMES).map(([language, name]) => {
    const made = element("button", "", name);
    made.type = "button";
    made.lang = tagOf(language);
    made.dataset.ui = language;
    made.addEventListener("click", () => chooseLanguage(language));
    return made;
  });
  const show = () => buttons.forEach((it) => it.setAttribute("aria-pressed", String(it.dataset.ui === currentLanguage())));
  document.addEventListener("spoken", show);
  show();
  group.append(...buttons);
  return group;
}

/** Show who is here, with the way to the account and out. */
export function showPerson({ name }) {
  const summary = element("summary", "", element("span", "person-name", name), icon("down"));
  label(summary, "accountOf", name);
  const playground = toPlayground();
  const menu = element(
    "div", "menu",
    link("account", page("account")),
    playground,
    button("logOut", () => leave().catch(() => announce("offline"))),
  );
  const details = element("details", "account", summary, menu);
  details.addEventListener("toggle", () => playground.hidden && showIfThere(playground));
  details.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !details.open) return;
    details.open = false;
    summary.focus();
  });
  document.addEventListener("click", ({ target }) => !details.contains(target) && (details.open = false));
  document.getElementById("person").replaceChildren(details);
}

/** The way to the page that corrects texts; hidden until it is known to be there. */
export function toPlayground() {
  const made = link("toPlayground", SERVER.href);
  made.hidden = true;
  return made;
}

/** Show where one is: `[name, address]` from the outside in; the last is this page. */
export function showPath(...steps) {
  const items = steps.map(([name, address], i) => {
    const isHere = i === steps.length - 1;
    const it = element(isHere ? "span" : "a", "");
    if (isHere) it.setAttribute("aria-current", "page");
    else it.href = address;
    if (typeof name === "string") it.textContent = name;
    else put(it, name.key);
    return element("li", "", it);
  });
  document.getElementById("path").replaceChildren(element("ol", "", ...items));
}

/* ---- notices ---- */

/**
 * Show a line at the top of the page, in place of the one before.
 *
 * @param {{key: string, gaps?: unknown[], kind?: "alarm" | "news", actions?: HTMLElement[], name?: string}} notice
 *   a `name` lets `hideNotice` take away this one alone
 */
export function showNotice({ key, gaps = [], kind = "alarm", actions = [], name = key }) {
  const place = noticePlace();
  if (place.dataset.name === name && kind === "alarm" && actions.length === 0) return;
  place.dataset.name = name;
  place.className = kind === "alarm" ? "trouble" : "notice";
  place.replaceChildren(said("p", "", key, ...gaps), element("div", "notice-actions", ...actions));
  place.hidden = false;
  announce(key, ...gaps);
}

export function hideNotice(name = null) {
  const place = noticePlace();
  if (name !== null && place.dataset.name !== name) return;
  place.hidden = true;
  delete place.dataset.name;
}

function noticePlace() {
  let place = document.getElementById("notice");
  if (!place) {
    place = element("div", "trouble");
    place.id = "notice";
    place.hidden = true;
    document.querySelector("main").before(place);
  }
  return place;
}

/** The session has ended: another tab logs in, and what was typed here stays. */
function loggedOutNotice() {
  const way = link("logIn", loginAddress(), { className: "button small" });
  way.target = "_blank";
  return { key: "loggedOut", name: "loggedOut", actions: [way] };
}

/* ---- failures ---- */

/** Say in place of the page's content that it could not be loaded. */
export function showFailure(problem) {
  const again = button("tryAgain", () => location.reload(), { className: "primary" });
  const home = link("toHome", page(""), { className: "button" });
  const line = problem.isOffline ? said("p", "", "offline") : problem.status === 404 ? said("p", "", "notThere") : said("p", "", "serverSays", problem.line || say("failed"));
  const made = element("section", "box blank", said("h1", "", "cannotShow"), line, element("div", "actions", again, home));
  const main = document.querySelector("main");
  main.replaceChildren(made);
  main.removeAttribute("aria-busy");
  if (problem.status === undefined) throw problem; // a fault of the page's own: the console is to have it
}
