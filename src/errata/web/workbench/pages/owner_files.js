/** Sentences in, results out: files. */
import { downloadBlob } from "../../lib/takeaway.js";
import { at, fetchFile, get, post, query } from "./api.js";
import { box, button, choices, element, field, input, link, said, segments, table } from "./build.js";
import { tell } from "./forms.js";
import { announce } from "./frame.js";
import { hush, label, put } from "./words.js";

const FORMATS = ["auto", "text", "m2", "m2scorer", "cherrant", "parallel", "mucgec", "fcgec", "robustgec", "jsonl"];
const EXPORTS = ["m2", "tsv", "fcgec", "para", "jsonl", "text"];
const MAX_BYTES = 64 * 1024 * 1024;

export class Files {
  #page;
  #format = choices(FORMATS.map((name) => [name, `format-${name}`]), "auto");
  #purpose = segments("purpose", [["work", "purpose-work"], ["qualify", "purpose-qualify"]], "work", () => this.#showHint());
  #references = field("useReferences", input("checkbox"), { hintKey: "useReferencesHint" });
  #hint = element("p", "quiet");
  #said = element("div", "import-said");
  #drop;
  #isBusy = false;

  constructor(page) {
    this.#page = page;
    this.#references.root.classList.add("is-check");
    this.#said.setAttribute("role", "status");
    this.#drop = this.#dropPlace();
    label(this.#format, "format");
    const options = element("div", "field-row", element("div", "field", said("p", "field-name", "purpose"), this.#purpose.root), field("format", this.#format).root);
    const importing = box("importFile", said("p", "quiet", "importText"), options, this.#hint, this.#references.root, this.#drop, this.#said);
    this.root = element("div", "stack", importing, this.#exports());
    this.#showHint();
  }

  open() {}

  /** A place to drop a file on, and a button that chooses one. */
  #dropPlace() {
    const chooser = input("file", { hidden: true });
    const place = element("div", "drop", said("p", "", "dropHere"), button("chooseFile", () => chooser.click(), { className: "primary" }), chooser);
    chooser.addEventListener("change", () => chooser.files[0] && this.#take(chooser.files[0]).then(() => (chooser.value = "")));
    place.addEventListener("dragover", (event) => {
      event.preventDefault();
      place.classList.add("is-over");
    });
    place.addEventListener("dragleave", () => place.classList.remove("is-over"));
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      place.classList.remove("is-over");
      if (event.dataTransfer.files[0]) this.#take(event.dataTransfer.files[0]);
    });
    return place;
  }

  #showHint() {
    const isWork = this.#purpose.value === "work";
    put(this.#hint, isWork ? "purposeWorkHint" : "purposeQualifyHint");
    this.#references.root.hidden = !isWork;
  }

  async #take(file, again = null) {
    if (this.#isBusy) return;
    if (file.size > MAX_BYTES) return this.#said.replaceChildren(said("p", "problem", "fileTooLarge", file.name));
    this.#isBusy = true;
    this.#said.replaceChildren(said("p", "state", "importing", file.name));
    this.#said.firstChild.dataset.state = "busy";
    try {
      const golden = this.#purpose.value === "work" && this.#references.input.checked ? "golden" : null;
      const values = { format: this.#format.value, purpose: this.#purpose.value, name: file.name, references: golden, again };
      const answer = await post(at("projects", this.#page.project.id, "import") + query(values), file);
      await this.#imported(file, answer);
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      this.#refused(file, problem);
      if (problem.facts.n_known) this.#offerAgain(file, problem.facts.n_known);
    } finally {
      this.#isBusy = false;
    }
  }

  /** All sentences of the file are there already: a slip, unless the owner says otherwise. */
  #offerAgain(file, n) {
    const again = button("importAgain", () => this.#take(file, "yes"), { className: "small" });
    this.#said.replaceChildren(said("p", "problem", "allKnown", file.name, n), element("div", "actions", again));
  }

  async #imported(file, { n_items: n, n_passages: nPassages, n_known: nKnown }) {
    const done = said("p", "is-good", nPassages ? "importedPassages" : "imported", n, file.name, nPassages);
    const known = nKnown ? [said("p", "quiet", "someKnown", nKnown)] : [];
    this.#said.replaceChildren(done, ...known, ...(this.#page.project.state === "draft" ? [nextSteps()] : []));
    this.#page.take(await get(at("projects", this.#page.project.id)));
  }

  /** What is wrong, line by line. Nothing of the file was taken. */
  #refused(file, problem) {
    const { problems = [] } = problem.facts;
    const line = element("p", "problem");
    if (problems.length) put(line, "notImported", file.name, problems.length);
    else tell(line, problem);
    const rows = problems.map(({ line: n, message }) => [n ?? "–", message]);
    this.#said.replaceChildren(line, ...(rows.length ? [table("problems", ["line", "problem"], rows)] : []));
    announce("notImported", file.name, problems.length);
  }

  #exports() {
    const told = element("p", "problem");
    told.setAttribute("role", "alert");
    const isChinese = this.#page.project.language === "zh";
    const items = EXPORTS.filter((format) => isChinese || format !== "fcgec").map((format) => {
      const way = button(`export-${format}`, () => this.#export(format, told), { className: "small", picture: "download" });
      return element("li", "", way, said("span", "quiet", `export-${format}-text`));
    });
    return box("exportFiles", said("p", "quiet", "exportText"), element("ul", "exports", ...items), told);
  }

  async #export(format, told) {
    hush(told);
    try {
      const { blob, name, notes } = await fetchFile(at("projects", this.#page.project.id, "export") + query({ format }));
      downloadBlob(blob, name);
      if (notes) put(told, "serverSays", notes);
      announce("exported", name);
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      tell(told, problem);
    }
  }
}

/** What comes after the first file, with the ways there. */
function nextSteps() {
  return element("p", "quiet", said("span", "", "thenStart"), " ", link("tab-people", "#people"), " · ", link("tab-settings", "#settings"));
}
