/**
 * Asks the server about paragraphs that changed, and tells the manuscript.
 *
 * An answer belongs to the text it was asked for: it is given to every paragraph that still has that text and kept for
 * those that will have it again, so late answers never land on newer words. Trouble is told and, where waiting helps,
 * tried again.
 */
import { Later, waitAfter } from "../lib/later.js";

const PAUSE_MS = 350; // how long typing must rest before its paragraph is sent
const BATCH_CHARS = 4000; // enough for the model to work in batches, few enough to see answers come in
const BATCH_TEXTS = 100;
const MAX_IN_FLIGHT = 2;
const CACHE_CHARS = 4_000_000;
const TIMEOUT_MS = 60_000;

export class Checker extends EventTarget {
  #manuscript;
  #settings;
  #url;
  #questions = new WeakMap(); // paragraph → its question under the present settings
  #answers = new Map(); // question → suggestions, the latest last
  #cachedChars = 0;
  #inFlight = new Set(); // questions asked and not answered yet
  #nInFlight = 0;
  #later = new Later(() => this.#send());
  #failures = 0;
  #trouble = null; // {kind, detail, until}: why nothing is asked for now
  #refused = new Map(); // question → why the server does not answer it
  /** The model that answered last. */
  model = "";

  /** Events: `state`, whenever `state` may have changed. */
  constructor(manuscript, settings, url) {
    super();
    this.#manuscript = manuscript;
    this.#settings = settings;
    this.#url = url;
  }

  /** What is going on: `{isBusy, trouble}`; trouble is null or `{kind, detail, until}`, with a language for no-model. */
  get state() {
    const { paragraphs } = this.#manuscript;
    const refusal = () => paragraphs.map((it) => this.#refused.get(this.#question(it))).find(Boolean);
    return {
      isBusy: paragraphs.some((it) => this.#isOpen(it)),
      trouble: this.#trouble ?? (this.#refused.size ? refusal() : null) ?? null,
    };
  }

  /** Check what needs checking: at once, or after a pause in typing. */
  schedule(isTyping = false) {
    this.#recall();
    this.#later.schedule(isTyping ? PAUSE_MS : 0);
    this.#tell();
  }

  /** Ask again under settings that changed. */
  reconsider() {
    this.#questions = new WeakMap();
    this.schedule();
  }

  /** Do not wait any longer after trouble. */
  retry() {
    this.#trouble = null;
    this.#refused.clear();
    this.schedule();
  }

  /** Everything that decides the answer about a paragraph, as one string. */
  #question(paragraph) {
    let question = this.#questions.get(paragraph);
    if (question === undefined) {
      const { language, preset, ui } = this.#settings;
      question = [language, preset, ui, ...this.#settings.wordsIn(paragraph.text), paragraph.text].join("\n");
      this.#questions.set(paragraph, question);
    }
    return question;
  }

  /** Whether a paragraph waits for an answer. */
  #isOpen(paragraph) {
    const question = this.#question(paragraph);
    return paragraph.checkedAs !== question && paragraph.text.trim() !== "" && !this.#refused.has(question);
  }

  /** Answer from memory where the same was asked before. */
  #recall() {
    const known = [];
    for (const paragraph of this.#manuscript.paragraphs) {
      const checkedAs = this.#question(paragraph);
      const suggestions = paragraph.checkedAs === checkedAs ? undefined : this.#answers.get(checkedAs);
      if (suggestions) known.push({ paragraph, suggestions: suggestions.map((it) => ({ ...it })), checkedAs });
    }
    this.#manuscript.answer(known);
  }

  #send() {
    while (!this.#trouble && this.#nInFlight < MAX_IN_FLIGHT) {
      const batch = this.#nextBatch();
      if (!batch.length) break;
      this.#check(batch);
    }
    this.#tell();
  }

  /** The next texts to ask about: in reading order, each once. */
  #nextBatch() {
    const batch = [];
    let nChars = 0;
    const seen = new Set();
    for (const paragraph of this.#manuscript.paragraphs) {
      const question = this.#question(paragraph);
      if (!this.#isOpen(paragraph) || seen.has(question) || this.#inFlight.has(question)) continue;
      if (batch.length && (nChars + paragraph.text.length > BATCH_CHARS || batch.length === BATCH_TEXTS)) break;
      seen.add(question);
      batch.push({ text: paragraph.text, question });
      nChars += paragraph.text.length;
    }
    return batch;
  }

  async #check(batch) {
    this.#nInFlight++;
    for (const { question } of batch) this.#inFlight.add(question);
    try {
      this.#accept(batch, await this.#ask(batch.map(({ text }) => text)));
    } catch (problem) {
      await this.#fail(batch, problem);
    } finally {
      this.#nInFlight--;
      for (const { question } of batch) this.#inFlight.delete(question);
    }
    this.#send();
  }

  async #ask(texts) {
    const { language, preset, ui } = this.#settings;
    const dictionary = this.#settings.wordsIn(texts.join("\n"));
    const body = { texts: texts.map(wellFormed), language, preset, messages: ui, dictionary };
    const response = await fetch(this.#url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Refusal(response, await reasonOf(response));
    const answer = await response.json().catch((problem) => {
      throw problem instanceof SyntaxError ? new NotErrata() : problem;
    });
    if (!Array.isArray(answer?.results)) throw new NotErrata();
    return answer;
  }

  #accept(batch, { model, results }) {
    this.#failures = 0;
    this.model = model ?? this.model;
    batch.forEach(({ text, question }, i) => {
      const [unchecked] = results[i].unchecked;
      if (unchecked && !results[i].edits.length) {
        this.#refused.set(question, { kind: "no-model", detail: "", until: null, language: unchecked.language });
      } else this.#remember(text, question, suggestionsIn(text, results[i]));
    });
    this.#recall();
  }

  #remember(text, question, suggestions) {
    this.#answers.set(question, suggestions);
    this.#cachedChars += text.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#cachedChars <= CACHE_CHARS || oldest === question) break;
      this.#answers.delete(oldest);
      this.#cachedChars -= oldest.length;
    }
  }

  async #fail(batch, problem) {
    const status = problem instanceof Refusal ? problem.status : 0;
    if (status === 413 && batch.length > 1) {
      for (const one of batch) await this.#check([one]);
    } else if (status >= 400 && status < 500 && status !== 429 && status !== 408) {
      const kind = status === 413 ? "too-long" : "refused";
      for (const { question } of batch) this.#refused.set(question, { kind, detail: problem.message, until: null });
    } else {
      this.#wait(problem, status);
    }
  }

  #wait(problem, status) {
    this.#failures++;
    const wait = problem.retryAfter * 1000 || waitAfter(this.#failures);
    const kind = problem instanceof NotErrata ? "not-errata" : kindOfStatus(status);
    const trouble = { kind, detail: problem.message, until: Date.now() + wait };
    this.#trouble = trouble;
    setTimeout(() => {
      if (this.#trouble !== trouble) return;
      this.#trouble = null;
      this.#send();
    }, wait);
  }

  #tell() {
    this.dispatchEvent(new Event("state"));
  }
}

/** A response that is not an answer. */
class Refusal extends Error {
  constructor(response, reason) {
    super(reason);
    this.status = response.status;
    this.retryAfter = Number(response.headers.get("Retry-After")) || 0;
  }
}

/** A response that somebody else gave. */
class NotErrata extends Error {}

function kindOfStatus(status) {
  if (!status) return "offline";
  return status === 503 || status === 429 ? "busy" : "failed";
}

async function reasonOf(response) {
  try {
    const { detail } = await response.json();
    return typeof detail === "string" ? detail : detail.map((it) => it.msg).join("; ");
  } catch {
    return `${response.status} ${response.statusText}`;
  }
}

/** `text` with lone surrogates replaced, which JSON cannot carry; of the same length. */
function wellFormed(text) {
  return text.toWellFormed ? text.toWellFormed() : text;
}

const MAX_ALTERNATIVES = 8; // with the first suggestion, as many as there are keys from 1 to 9

/** Other replacements that a server has for an edit, the best first; an older server has none. */
function alternativesOf({ original, replacement, alternatives }) {
  const fitting = (Array.isArray(alternatives) ? alternatives : []).filter(
    (it) => typeof it === "string" && it !== original && it !== replacement && !it.includes("\n"),
  );
  return [...new Set(fitting)].slice(0, MAX_ALTERNATIVES);
}

/** The suggestions of a result that fit `text`: one that does not would change other words than it names. */
function suggestionsIn(text, result) {
  const sent = wellFormed(text);
  return result.edits
    .filter((it) => sent.slice(it.utf16_start, it.utf16_end) === it.original && !it.replacement.includes("\n"))
    .map((it) => ({
      start: it.utf16_start,
      end: it.utf16_end,
      original: it.original,
      replacement: it.replacement,
      type: it.type,
      message: it.message,
      confidence: it.confidence,
      alternatives: alternativesOf(it),
    }));
}
