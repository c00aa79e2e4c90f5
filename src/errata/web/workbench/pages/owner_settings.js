/** The settings of a project, and its state: running, paused, finished. */
import { at, get, page as pageOf, patch, post } from "./api.js";
import { box, button, element, field, input, said } from "./build.js";
import { ask } from "./dialogs.js";
import { form, tell } from "./forms.js";
import { announce, showNotice } from "./frame.js";

// What can follow on each state: `[state, key of the button]`.
const STEPS = {
  draft: [["running", "startWork"], ["archived", "archive"]],
  running: [["paused", "pause"], ["finished", "finish"], ["archived", "archive"]],
  paused: [["running", "resume"], ["finished", "finish"], ["archived", "archive"]],
  finished: [["running", "reopen"], ["archived", "archive"]],
  archived: [["paused", "unarchive"]],
};
// States that are asked about first.
const ASKED = { finished: ["finishTitle", "finishText", "finish"], archived: ["archiveTitle", "archiveText", "archive"] };

const number = (min, max, step = 1) => input("number", { min, max, step, inputMode: step === 1 ? "numeric" : "decimal" });

export class ProjectSettings {
  #page;
  #state = box("projectState");
  #deletion = box("deleteProject");
  #fields = {
    name: field("projectName", input("text", { maxLength: 200 })),
    k: field("setK", number(1, 20), { hintKey: "setKHint" }),
    n: field("setQualifyN", number(0, 1000), { hintKey: "setQualifyHint" }),
    share: field("setQualifyShare", number(0, 100)),
    lease: field("setLease", number(1, 10_080), { hintKey: "setLeaseHint" }),
    suggestions: check("setSuggestions", "setSuggestionsHint"),
    blind: check("setBlind", "setBlindHint"),
  };

  constructor(page) {
    this.#page = page;
    const { name, k, n, share, lease, suggestions, blind } = this.#fields;
    const { root } = form({
      fields: [name.root, k.root, element("div", "field-row", n.root, share.root), lease.root, suggestions.root, blind.root],
      actionKey: "saveSettings",
      send: () => this.#save(),
    });
    this.root = element("div", "stack", this.#state, box("settings", root), this.#deletion);
    this.#show();
  }

  open() {
    this.#drawState();
  }

  #show() {
    const { name, settings } = this.#page.project;
    const { k, n, share, lease, suggestions, blind } = this.#fields;
    this.#fields.name.input.value = name;
    k.input.value = settings.k;
    n.input.value = settings.qualification.n;
    share.input.value = Math.round(settings.qualification.share * 1000) / 10;
    lease.input.value = settings.lease_minutes;
    suggestions.input.checked = settings.suggestions;
    blind.input.checked = settings.blind;
    this.#drawState();
  }

  async #save() {
    const { name, k, n, share, lease, suggestions, blind } = this.#fields;
    for (const it of [k, n, share, lease]) {
      if (!it.input.checkValidity() || it.input.value === "") return it.tell("numberBetween", Number(it.input.min), Number(it.input.max));
    }
    if (!name.input.value.trim()) return name.tell("projectNameMissing");
    const settings = {
      k: Number(k.input.value),
      qualification: { n: Number(n.input.value), share: Number(share.input.value) / 100 },
      lease_minutes: Number(lease.input.value),
      suggestions: suggestions.input.checked,
      blind: blind.input.checked,
    };
    if (await change(this.#page, { name: name.input.value.trim(), settings })) announce("savedSettings");
  }

  #drawState() {
    const { state } = this.#page.project;
    const steps = STEPS[state].map(([next, key], i) => button(key, () => this.#go(next), { className: i ? "" : "primary" }));
    this.#state.replaceChildren(this.#state.firstChild, said("p", "", `state-${state}-text`), element("div", "actions", ...steps));
    this.#deletion.hidden = state !== "archived";
    if (state === "archived") this.#drawDeletion();
  }

  /** A project that is put away can be deleted by whoever types its name. */
  #drawDeletion() {
    const { id, name } = this.#page.project;
    const typed = field("typeName", input("text", { maxLength: 200, autocomplete: "off", spellcheck: false }), { args: [name] });
    const { root } = form({
      fields: [typed.root],
      actionKey: "deleteForGood",
      send: async () => {
        if (oneSpaced(typed.input.value) !== oneSpaced(name)) return typed.tell("notTheName");
        await post(at("projects", id, "delete"), { name: typed.input.value });
        location.assign(pageOf(""));
      },
    });
    root.querySelector("[type=submit]").classList.add("is-danger");
    this.#deletion.replaceChildren(this.#deletion.firstChild, said("p", "", "deleteText"), root);
  }

  async #go(state) {
    const [title, text, key] = ASKED[state] ?? [];
    if (title && (await ask(title, text, [["yes", key], ["no", "cancel"]])) !== "yes") return;
    try {
      await change(this.#page, { state });
    } catch (problem) {
      const place = this.#state.appendChild(element("p", "problem"));
      tell(place, problem);
    }
    this.#drawState();
    this.#state.querySelector("button")?.focus();
  }
}

const oneSpaced = (text) => text.split(/\s+/).filter(Boolean).join(" ");

/** A box to tick, with what it means. */
function check(key, hintKey) {
  const made = field(key, input("checkbox"), { hintKey });
  made.root.classList.add("is-check");
  return made;
}

/** Change the project; whether it was changed. If somebody else did meanwhile, their version is shown instead. */
export async function change(page, changes) {
  const { id, version } = page.project;
  try {
    page.take(await patch(at("projects", id), { version, ...changes }));
    showNotice({ key: "savedSettings", kind: "news", name: "saved" });
    return true;
  } catch (problem) {
    if (problem.status !== 409) throw problem;
    page.take(await get(at("projects", id)));
    showNotice({ key: "changedMeanwhile", name: "changedMeanwhile" });
    return false;
  }
}
