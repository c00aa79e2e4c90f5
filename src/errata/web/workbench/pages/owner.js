/** The owner's page: progress, people, sentences, guidelines, settings, files, and everything that happened. */
import { at, get, page } from "./api.js";
import { element, said } from "./build.js";
import { Files } from "./owner_files.js";
import { GuidelinesEditor } from "./owner_guidelines.js";
import { Items } from "./owner_items.js";
import { People } from "./owner_people.js";
import { Progress } from "./owner_progress.js";
import { ProjectSettings } from "./owner_settings.js";
import { Trail } from "./owner_trail.js";
import { retitle, showFailure, showPath, showPerson, startPage } from "./frame.js";
import { stateTag } from "./projects.js";
import { requirePerson } from "./session.js";
import { label, say } from "./words.js";

// name of a tab → what it shows. Each has a `root`, and `open(project)` when it comes into view.
const TABS = {
  progress: Progress, people: People, items: Items, guidelines: GuidelinesEditor, settings: ProjectSettings, files: Files, trail: Trail,
};
const main = document.querySelector("main");

class OwnerPage {
  #project;
  #shown = new Map(); // name → what it shows
  #buttons = new Map();
  #panels = element("div", "panels");
  #head = element("div", "page-head");

  constructor(project) {
    this.#project = project;
    const tabs = label(element("div", "tabs owner-tabs"), "ownerTabs");
    tabs.setAttribute("role", "tablist");
    tabs.append(...Object.keys(TABS).map((name) => this.#tab(name)));
    tabs.addEventListener("keydown", (event) => this.#step(event));
    this.#drawHead();
    main.replaceChildren(this.#head, tabs, this.#panels);
    main.removeAttribute("aria-busy");
    window.addEventListener("hashchange", () => this.#open(this.#wanted));
    this.#open(this.#wanted);
  }

  /** Take over a newer project: another part changed it. */
  take(project) {
    this.#project = { ...this.#project, ...project };
    this.#drawHead();
    return this.#project;
  }

  get project() {
    return this.#project;
  }

  get #wanted() {
    const name = location.hash.slice(1);
    return name in TABS ? name : this.#isEmpty ? "files" : "progress";
  }

  /** A project without sentences needs some first. */
  get #isEmpty() {
    return Object.values(this.#project.counts ?? { some: 1 }).every((n) => !n);
  }

  #drawHead() {
    const name = element("h1", "", this.#project.name);
    this.#head.replaceChildren(element("div", "", name), stateTag(this.#project.state));
  }

  #tab(name) {
    const made = said("button", "", `tab-${name}`);
    made.type = "button";
    made.id = `tab-${name}`;
    made.setAttribute("role", "tab");
    made.setAttribute("aria-controls", `panel-${name}`);
    made.addEventListener("click", () => (location.hash = name));
    this.#buttons.set(name, made);
    return made;
  }

  #step(event) {
    const names = [...this.#buttons.keys()];
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -names.length, End: names.length }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = names.indexOf(document.activeElement.id.slice("tab-".length));
    const name = names[Math.max(0, Math.min(names.length - 1, at + by))];
    location.hash = name;
    this.#buttons.get(name).focus();
  }

  #open(name) {
    for (const [it, button] of this.#buttons) {
      button.setAttribute("aria-selected", String(it === name));
      button.tabIndex = it === name ? 0 : -1;
    }
    this.#buttons.get(name).scrollIntoView({ block: "nearest", inline: "nearest" });
    if (!this.#shown.has(name)) this.#make(name);
    for (const panel of this.#panels.children) panel.hidden = panel.id !== `panel-${name}`;
    retitle("pageOf", () => say(`tab-${name}`), this.#project.name);
    this.#shown.get(name).open();
  }

  #make(name) {
    const shown = new TABS[name](this);
    const panel = element("section", "panel", shown.root);
    panel.id = `panel-${name}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    this.#panels.append(panel);
    this.#shown.set(name, shown);
  }
}

async function start() {
  startPage("ownerPage");
  try {
    const id = new URLSearchParams(location.search).get("project") ?? "-";
    showPerson(await requirePerson());
    const project = await get(at("projects", id));
    showPath([project.name, page("project", { id })], [{ key: "ownerPage" }]);
    new OwnerPage(project);
  } catch (problem) {
    showFailure(problem);
  }
}

start();
