/** One project for those who work in it: what to do now, how far one is, the guidelines. */
import { at, get, page } from "./api.js";
import { box, element, link, said } from "./build.js";
import { retitle, showFailure, showPath, showPerson, startPage } from "./frame.js";
import { drawGuidelines } from "./guidelines.js";
import { answersBox } from "./own_answers.js";
import { aboutLine, KINDS, stateTag, todoLinks } from "./projects.js";
import { requirePerson } from "./session.js";

const main = document.querySelector("main");

/** What to do now, in one box: the first kind of task is the one to begin with. */
function nowBox(project) {
  const links = todoLinks(project);
  links[0]?.classList.add("is-first");
  const children = links.length ? [element("div", "todos is-large", ...links)] : [said("p", "quiet", restKey(project))];
  if (project.member_state === "failed") children.unshift(said("p", "", "empty-failed"));
  if (project.member_state === "qualifying") children.unshift(said("p", "", "qualifyFirst", project.qualified?.n_of, percent(project)));
  return box("toDoNow", ...children);
}

const percent = ({ settings }) => Math.round((settings?.qualification?.share ?? 0) * 100);

function restKey({ state, member_state: member }) {
  if (member === "failed") return "empty-failed-text";
  return state === "running" ? "empty-nothing-text" : `empty-${state}-text`;
}

/** How much one did oneself, and how the qualification goes. */
function ownBox({ done = {}, qualified }) {
  const rows = KINDS.map(([kind]) => kind).filter((kind) => done[kind] > 0);
  if (!rows.length) return null;
  const list = rows.map((kind) => element("div", "", said("dt", "", `done-${kind}`), element("dd", "", String(done[kind]))));
  const made = box("ownProgress", element("dl", "numbers", ...list));
  if (qualified?.state === "qualified") made.append(said("p", "quiet", "qualifiedNow", qualified.n_right, qualified.n_of));
  return made;
}

async function start() {
  startPage("project");
  try {
    const id = new URLSearchParams(location.search).get("id") ?? "-";
    showPerson(await requirePerson());
    const project = await get(at("projects", id));
    showPath([{ key: "projects" }, page("")], [project.name]);
    retitle("pageOf", project.name, "errata");
    const head = element("div", "page-head", element("div", "", element("h1", "", project.name), element("p", "quiet", said("span", "", `role-${project.role}`), " · ", ...aboutLine(project))), stateTag(project.state));
    if (project.role === "owner") head.append(link("toOwner", page("owner", { project: id }), { className: "button" }));
    const own = ownBox(project);
    const answers = project.done?.annotate ? [answersBox(project)] : [];
    main.replaceChildren(head, nowBox(project), ...(own ? [own] : []), ...answers, box("guidelines", drawGuidelines(project)));
    main.removeAttribute("aria-busy");
  } catch (problem) {
    showFailure(problem);
  }
}

start();
