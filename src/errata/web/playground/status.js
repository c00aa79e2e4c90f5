/** What the page says of itself: how the check goes, trouble and when it is tried again, news for screen readers. */
import { Announcer } from "../lib/announcer.js";
import { say } from "./messages.js";

export class Status {
  #find;
  #settings;
  #announcer;
  #trouble = null;
  #ticking = 0;
  #saidCount = null; // null: nothing was said about this text yet

  constructor(find, settings) {
    this.#find = find;
    this.#settings = settings;
    this.#announcer = new Announcer(find("announce"));
  }

  /** Show how things are: `{isBusy, trouble}` of the checker, the number of suggestions, and how long the text is. */
  render({ isBusy, trouble }, nSuggestions, nChars, counted, model) {
    const state = this.#find("state");
    const found = nSuggestions ? this.#say("found", nSuggestions) : this.#say("clean");
    const going = trouble ? this.#say("unchecked") : this.#say("checking");
    const done = trouble && !nSuggestions ? this.#say("partly") : found;
    state.textContent = !nChars ? this.#say("idle") : isBusy ? going : done;
    state.dataset.state = trouble ? "trouble" : isBusy ? "busy" : nChars && !nSuggestions ? "clean" : "idle";
    this.#find("length").textContent = this.#length(counted);
    this.#find("length").title = this.#say("characters", nChars);
    this.#find("model").textContent = model && nChars ? this.#say("by", model) : "";
    this.#tellTrouble(trouble);
    if (!nChars) this.#saidCount = null;
    else if (!isBusy && !trouble) this.#settle(nSuggestions, found);
  }

  /** Say why the draft cannot be kept (`too-long`, `full`), or that it can (""). */
  showUnkept(reason) {
    const text = reason && this.#say(`unkept-${reason}`);
    if (text === this.#find("unkept").textContent) return;
    this.#find("unkept").textContent = text;
    if (text) this.announce(text);
  }

  /** Have a screen reader say something. */
  announce(text) {
    this.#announcer.announce(text);
  }

  /** Words, or characters where a text is Chinese; both where it has both. */
  #length({ words, characters }) {
    if (!characters) return this.#say("words", words);
    return words ? `${this.#say("han", characters)} · ${this.#say("words", words)}` : this.#say("han", characters);
  }

  #settle(nSuggestions, found) {
    if (nSuggestions === this.#saidCount) return;
    this.#saidCount = nSuggestions;
    this.#announcer.announceSettled(found);
  }

  #tellTrouble(trouble) {
    this.#find("trouble").hidden = !trouble;
    clearTimeout(this.#ticking);
    if (trouble) {
      const reason = trouble.kind === "offline" ? "" : trouble.detail;
      const text = `${this.#say(trouble.kind, trouble.language)} ${reason}`.trim();
      this.#find("trouble-text").textContent = text;
      if (trouble !== this.#trouble) this.announce(text);
      this.#tick(trouble);
    }
    this.#trouble = trouble;
  }

  #tick(trouble) {
    const left = trouble.until === null ? 0 : Math.ceil((trouble.until - Date.now()) / 1000);
    this.#find("trouble-wait").textContent = left > 0 ? this.#say("retryIn", left) : "";
    if (left > 0) this.#ticking = setTimeout(() => this.#tick(trouble), 500);
  }

  #say(...args) {
    return say(this.#settings.ui, ...args);
  }
}
