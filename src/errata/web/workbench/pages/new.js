/** The page that makes a project. */
import { get, page, post, query } from "./api.js";
import { button, element, field, input, said, segments } from "./build.js";
import { ask } from "./dialogs.js";
import { form, isMissing } from "./forms.js";
import { showFailure, showPath, showPerson, startPage } from "./frame.js";
import { currentLanguage } from "./words.js";
import { requirePerson } from "./session.js";

const main = document.querySelector("main");

/** Two kinds of project, each with a sentence on what it is. */
function kindChoice() {
  const radios = ["rewrite", "minimal"].map((kind, i) => {
    const radio = input("radio", { name: "kind", value: kind, checked: i === 0 });
    const text = element("span", "", said("b", "", `kind-${kind}`), said("span", "quiet", `kind-${kind}-text`));
    return [radio, element("label", "big-choice", radio, text)];
  });
  const root = element("fieldset", "field", said("legend", "", "kind"), element("div", "big-choices", ...radios.map(([, it]) => it)));
  return { root, get value() { return radios.find(([radio]) => radio.checked)[0].value; } };
}

function show() {
  const name = field("projectName", input("text", { maxLength: 200, autocomplete: "off" }), { hintKey: "projectNameHint" });
  const kind = kindChoice();
  const language = segments("textLanguage", [["en", "language-en"], ["zh", "language-zh"]], currentLanguage());
  const guidelines = segments("guidelines", [["template", "withTemplate"], ["none", "withoutTemplate"]], "template");
  const labelled = (key, it) => element("div", "field", said("p", "field-name", key), it.root);
  const { root } = form({
    fields: [name.root, kind.root, labelled("textLanguage", language), labelled("guidelines", guidelines)],
    actionKey: "makeProject",
    others: [button("cancel", () => location.assign(page("")))],
    send: async () => {
      if (isMissing(name, "projectNameMissing")) return;
      const [kindNow, languageNow] = [kind.value, language.value];
      const text = guidelines.value === "template" ? await template(kindNow, languageNow) : "";
      const body = { name: name.input.value.trim(), kind: kindNow, language: languageNow, guidelines: text };
      const made = await make(body);
      if (made) location.assign(`${page("owner", { project: made.id })}#files`);
      else name.input.select();
    },
    explain: ({ status, line }) => status === 422 && (name.tell({ line }), true),
  });
  main.replaceChildren(element("section", "box entry is-wide", said("h1", "", "newProject"), said("p", "quiet", "newProjectText"), root));
  main.removeAttribute("aria-busy");
  name.input.focus();
}

/** Make a project; if there is one of its name, ask first. Null: no project was made. */
async function make(body) {
  try {
    return await post("workbench/api/projects", body);
  } catch (problem) {
    if (!problem.facts?.same_name) throw problem;
    const isSure = (await ask("sameNameTitle", "sameNameText", [["no", "otherName"], ["yes", "makeAnyway"]], body.name)) === "yes";
    return isSure ? post("workbench/api/projects", { ...body, again: true }) : null;
  }
}

/** The guidelines to begin with; people change them as they like. */
async function template(kind, language) {
  const { text } = await get(`workbench/api/guidelines${query({ kind, language })}`);
  return text;
}

async function start() {
  startPage("newProject");
  try {
    const person = await requirePerson();
    showPerson(person);
    showPath([{ key: "projects" }, page("")], [{ key: "newProject" }]);
    show();
  } catch (problem) {
    showFailure(problem);
  }
}

start();
