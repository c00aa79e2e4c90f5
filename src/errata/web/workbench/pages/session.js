/** Who is here: the person, in which language they read, and the way to the log-in page and back. */
import { get, onLoggedOut, onOldToken, page, post, takeToken } from "./api.js";
import { browserStorage } from "./storage.js";
import { currentLanguage, LANGUAGES, speak } from "./words.js";

const PLAYGROUND = "errata.settings"; // where that page keeps what was chosen there
const storage = browserStorage();
let person = null;

export const whoIsHere = () => person;

/** The language to begin with: what was chosen on this computer, or the browser's own. */
export function speakAsBefore() {
  const kept = [storage.read("language"), languageOfPlayground()].find((it) => LANGUAGES.includes(it));
  speak(kept ?? (navigator.language?.startsWith("zh") ? "zh" : "en"));
}

/** The language that was chosen on the page that corrects texts. */
function languageOfPlayground() {
  try {
    return JSON.parse(window.localStorage.getItem(PLAYGROUND))?.ui;
  } catch {
    return null;
  }
}

/** Speak `language` from now on, here and wherever this person logs in. */
export function chooseLanguage(language) {
  speak(language);
  storage.write("language", language);
  // The account only remembers the choice; the page speaks the language either way.
  if (person) post("accounts/language", { language }, { isQuiet: true }).catch(() => undefined);
}

/** Take over an answer of the server that says who is here. */
export function arrive({ user, csrf }) {
  person = user;
  takeToken(csrf);
  if (!LANGUAGES.includes(user.language)) chooseLanguage(currentLanguage());
  else if (!storage.read("language")) speak(user.language);
  return user;
}

/** Who is here, or null if nobody is logged in. */
export async function findPerson() {
  try {
    return arrive(await get("accounts/me", { isQuiet: true }));
  } catch (problem) {
    if (problem.status === 401) return null;
    throw problem;
  }
}

/** Take over the token of a session that the same person began in another tab; whether there is one. */
async function renewToken(old) {
  const answer = await get("accounts/me", { isQuiet: true }).catch(() => null);
  if (!person || answer?.user.id !== person.id || answer.csrf === old) return false;
  arrive(answer);
  return true;
}
onOldToken(renewToken);

/** Who is here; without a session the log-in page comes first, and then this one. */
export async function requirePerson() {
  const found = await findPerson();
  if (found) return found;
  location.replace(loginAddress());
  return new Promise(() => undefined); // the page is on its way out
}

/** The log-in page, which leads back here. */
export const loginAddress = () => page("login", { next: hereFrom(location) });

export async function leave() {
  await post("accounts/logout", {}, { isQuiet: true }).catch((problem) => {
    if (problem.status !== 401) throw problem;
  });
  location.assign(page("login"));
}

const hereFrom = ({ pathname, search, hash }) => `${pathname.split("/").pop()}${search}${hash}`;

/** Where to go after the log-in: a page of the workbench, whatever the address says. */
export function wayOn(next) {
  return /^[a-z]*(\?[\w=&%.~+-]*)?(#[\w-]*)?$/.test(next ?? "") ? (next ?? "") : "";
}

/** Call `action` when the session has ended while the page was open; nothing on the page is touched. */
export function whenLoggedOut(action) {
  onLoggedOut(action);
}
