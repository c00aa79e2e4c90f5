/**
 * The text of this tab and what was decided about it, kept in the browser for when the page is loaded again. It is
 * never sent anywhere.
 *
 * Every tab keeps its draft in a slot of its own, so no tab writes over the text of another. A new tab takes over the
 * latest draft whose tab was closed. A copy of a tab begins with the same slot; the other one then moves to a new slot.
 * Drafts of different things (another page, another task) have different names.
 *
 * @typedef {{text: string, accepted: object[], dismissed: object[]}} Kept  as in a manuscript
 */
// In UTF-16 units. A browser keeps some 5,000,000 of them for all pages of a server: room for a book in several tabs.
export const MAX_DRAFT = 200_000;
const MAX_CLOSED = 10; // drafts of closed tabs that wait to be taken over
const ABANDONED_MS = 3_600_000; // the browser of a draft this old may have crashed without closing its tab

export class Draft {
  #local;
  #session;
  #prefix; // of the keys of all slots
  #tabKey; // where the tab's own storage has the name of its slot
  #slot;
  #owner = randomName(); // this page, as it is loaded now
  #body = ""; // what was saved last
  #kept;
  /** Whether the draft was written in another tab. */
  isTakenOver = false;

  /**
   * @param {{name?: string, local?: Storage, session?: Storage, events?: EventTarget, signal?: AbortSignal}} options  by
   *   default the browser's storages, and what its window tells of them; `signal` ends all listening
   */
  constructor({ name = "errata", local, session, events = globalThis, signal } = {}) {
    this.#local = caller(() => local ?? globalThis.localStorage);
    this.#session = caller(() => session ?? globalThis.sessionStorage);
    this.#prefix = `${name}.draft.`;
    this.#tabKey = `${name}.tab`;
    const mine = this.#session("getItem", this.#tabKey);
    this.#slot = mine ?? randomName();
    this.#kept = mine ? this.#readSlot(mine) : this.#takeOver();
    for (const closed of this.#closedSlots().slice(MAX_CLOSED)) this.#remove(closed.name);
    this.#session("setItem", this.#tabKey, this.#slot);
    this.#body = JSON.stringify(this.kept);
    if (this.#kept) this.#write(true);
    events.addEventListener("storage", (event) => this.#hear(event), { signal });
    events.addEventListener("pageshow", ({ persisted }) => persisted && this.#comeBack(), { signal });
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
      this.#remove(this.#slot);
      return text === "" ? "" : "too-long";
    }
    const body = JSON.stringify({ text, accepted, dismissed });
    const isSame = body === this.#body;
    if (isSame && isOpen) return "";
    // Somebody removed it, and nothing was written since: it stays removed.
    if (isSame && this.#entry === null) return "";
    this.#body = body;
    return this.#write(isOpen) ? "" : "full";
  }

  /** Write what is to be kept; whether it worked. */
  #write(isOpen) {
    const about = { owner: this.#owner, isOpen, savedAt: Date.now() };
    const entry = `{"about":${JSON.stringify(about)},"kept":${this.#body}}`;
    if (this.#local("setItem", this.#prefix + this.#slot, entry) !== null) return true;
    this.#body = "";
    this.#remove(this.#slot); // an older text would come back as if it were this one
    return false;
  }

  #takeOver() {
    const [latest] = this.#closedSlots();
    if (!latest) return null;
    this.#remove(latest.name);
    this.isTakenOver = true;
    return latest.entry;
  }

  /** Another tab wrote to this slot, or took it over: go to a new one. */
  #hear({ key, newValue }) {
    if (key !== this.#prefix + this.#slot || ownerOf(newValue) === this.#owner) return;
    this.#slot = randomName();
    this.#session("setItem", this.#tabKey, this.#slot);
    this.#body = "";
    this.onLost();
  }

  /** The page is shown again as it was left. */
  #comeBack() {
    const newValue = this.#entry;
    if (newValue === null || ownerOf(newValue) === this.#owner) this.#body = "";
    else this.#hear({ key: this.#prefix + this.#slot, newValue });
    this.onLost();
  }

  /** Drafts that no open tab has, the latest first: `{name, entry}`. */
  #closedSlots() {
    return this.#slotNames()
      .map((name) => ({ name, entry: this.#readSlot(name) }))
      .filter(({ entry }) => entry && (!entry.about.isOpen || Date.now() - entry.about.savedAt > ABANDONED_MS))
      .sort((a, b) => b.entry.about.savedAt - a.entry.about.savedAt);
  }

  #slotNames() {
    const keys = [];
    for (let key, i = 0; (key = this.#local("key", i)) !== null; i++) keys.push(key);
    const names = keys.filter((key) => key.startsWith(this.#prefix)).map((key) => key.slice(this.#prefix.length));
    return names.filter((name) => !name.includes(".")); // a longer prefix may begin with this one
  }

  #readSlot(name) {
    const entry = parsed(this.#local("getItem", this.#prefix + name));
    return typeof entry?.kept?.text === "string" && entry.about ? entry : null;
  }

  /** What this slot holds, as text; null if it holds nothing. */
  get #entry() {
    return this.#local("getItem", this.#prefix + this.#slot);
  }

  #remove(name) {
    this.#local("removeItem", this.#prefix + name);
  }
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

/** A function that calls methods of a storage; it gives null where the storage is full or forbidden. */
function caller(storage) {
  return (method, ...args) => {
    try {
      return storage()[method](...args);
    } catch {
      return null;
    }
  };
}
