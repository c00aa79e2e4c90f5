/**
 * The text of this tab and what was decided about it, kept in the browser for when the page is loaded again. It is
 * never sent anywhere.
 *
 * Every tab keeps its draft in a slot of its own, so no tab writes over the text of another. A new tab takes over the
 * latest draft whose tab was closed. A copy of a tab begins with the same slot; the other one then moves to a new slot.
 *
 * @typedef {{text: string, accepted: object[], dismissed: object[]}} Kept  as in a manuscript
 */
const SLOT = "errata.draft.";
const TAB = "errata.tab"; // in the tab's own storage: the name of its slot
// In UTF-16 units. A browser keeps some 5,000,000 of them for all pages of a server: room for a book in several tabs.
export const MAX_DRAFT = 200_000;
const MAX_CLOSED = 10; // drafts of closed tabs that wait to be taken over
const ABANDONED_MS = 3_600_000; // the browser of a draft this old may have crashed without closing its tab

export class Draft {
  #slot;
  #owner = randomName(); // this page, as it is loaded now
  #body = ""; // what was saved last
  #kept;
  /** Whether the draft was written in another tab. */
  isTakenOver = false;

  constructor() {
    const mine = session("getItem", TAB);
    this.#slot = mine ?? randomName();
    this.#kept = mine ? readSlot(mine) : this.#takeOver();
    for (const { name } of closedSlots().slice(MAX_CLOSED)) local("removeItem", SLOT + name);
    session("setItem", TAB, this.#slot);
    this.#body = JSON.stringify(this.kept);
    if (this.#kept) this.#write(true);
    window.addEventListener("storage", (event) => this.#hear(event));
    window.addEventListener("pageshow", ({ persisted }) => persisted && this.#comeBack());
  }

  /** What was kept when the page was loaded. @returns {Kept} */
  get kept() {
    return keptFrom(this.#kept);
  }

  /** Called when the slot has to be written again. @type {() => void} */
  onLost = () => undefined;

  /**
   * Keep `{text, accepted, dismissed}`; with nothing to keep, keep nothing.
   *
   * @param {Kept} manuscript  @returns {"" | "too-long" | "full"}  why it cannot be kept
   */
  save({ text, accepted, dismissed }, isOpen = true) {
    if (text === "" || text.length > MAX_DRAFT) {
      this.#body = "";
      local("removeItem", SLOT + this.#slot);
      return text === "" ? "" : "too-long";
    }
    const body = JSON.stringify({ text, accepted, dismissed });
    const isSame = body === this.#body;
    if (isSame && isOpen) return "";
    // Somebody removed it, and nothing was written since: it stays removed.
    if (isSame && local("getItem", SLOT + this.#slot) === null) return "";
    this.#body = body;
    return this.#write(isOpen) ? "" : "full";
  }

  /** Write what is to be kept; whether it worked. */
  #write(isOpen) {
    const about = { owner: this.#owner, isOpen, savedAt: Date.now() };
    const entry = `{"about":${JSON.stringify(about)},"kept":${this.#body}}`;
    if (local("setItem", SLOT + this.#slot, entry) !== null) return true;
    this.#body = "";
    local("removeItem", SLOT + this.#slot); // an older text would come back as if it were this one
    return false;
  }

  #takeOver() {
    const [latest] = closedSlots();
    if (!latest) return null;
    local("removeItem", SLOT + latest.name);
    this.isTakenOver = true;
    return latest.entry;
  }

  /** Another tab wrote to this slot, or took it over: go to a new one. */
  #hear({ key, newValue }) {
    if (key !== SLOT + this.#slot || ownerOf(newValue) === this.#owner) return;
    this.#slot = randomName();
    session("setItem", TAB, this.#slot);
    this.#body = "";
    this.onLost();
  }

  /** The page is shown again as it was left. */
  #comeBack() {
    const newValue = local("getItem", SLOT + this.#slot);
    if (newValue === null || ownerOf(newValue) === this.#owner) this.#body = "";
    else this.#hear({ key: SLOT + this.#slot, newValue });
    this.onLost();
  }
}

/** Drafts that no open tab has, the latest first: `{name, entry}`. */
function closedSlots() {
  return slotNames()
    .map((name) => ({ name, entry: readSlot(name) }))
    .filter(({ entry }) => entry && (!entry.about.isOpen || Date.now() - entry.about.savedAt > ABANDONED_MS))
    .sort((a, b) => b.entry.about.savedAt - a.entry.about.savedAt);
}

function slotNames() {
  try {
    return Object.keys(window.localStorage).filter((key) => key.startsWith(SLOT)).map((key) => key.slice(SLOT.length));
  } catch {
    return []; // the browser forbids it
  }
}

function readSlot(name) {
  const entry = parsed(local("getItem", SLOT + name));
  return typeof entry?.kept?.text === "string" && entry.about ? entry : null;
}

function ownerOf(entry) {
  return parsed(entry)?.about?.owner;
}

/** A draft as it was kept; of spans that somebody else may have written, only those that fit. @returns {Kept} */
function keptFrom(entry) {
  const { text = "", accepted, dismissed } = entry?.kept ?? {};
  return { text, accepted: spansIn(text, accepted, "original"), dismissed: spansIn(text, dismissed, "replacement") };
}

function spansIn(text, spans, field) {
  let last = 0;
  return (Array.isArray(spans) ? spans : []).filter((span) => {
    const fits =
      Number.isInteger(span?.start) && Number.isInteger(span.end) && typeof span[field] === "string" &&
      last <= span.start && span.start <= span.end && span.end <= text.length;
    if (fits) last = field === "original" ? span.end : span.start; // what was dismissed may overlap
    return fits;
  });
}

function randomName() {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((n) => n.toString(36)).join("");
}

function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function session(...call) {
  return storage("sessionStorage", ...call);
}

function local(...call) {
  return storage("localStorage", ...call);
}

/** What a method of a storage gives; null where the storage is full or forbidden. */
function storage(name, method, ...args) {
  try {
    return window[name][method](...args);
  } catch {
    return null;
  }
}
