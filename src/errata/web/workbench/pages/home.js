/** The first page: one's projects, and what waits in each. */
import { get, page } from "./api.js";
import { element, link, said } from "./build.js";
import { showFailure, showPerson, startPage } from "./frame.js";
import { aboutLine, stateTag, todoLinks } from "./projects.js";
import { requirePerson } from "./session.js";

const main = document.querySelector("main");

function card(project) {
  const name = element("a", "", project.name);
  name.href = page("project", { id: project.id });
  const top = element("div", "card-head", element("h2", "", name), stateTag(project.state));
  const about = element("p", "quiet", said("span", "", `role-${project.role}`), " · ", ...aboutLine(project));
  const todo = todoLinks(project);
  const rest = todo.length ? element("div", "todos", ...todo) : said("p", "quiet", project.member_state === "failed" ? "empty-failed" : "nothingToDo");
  const made = element("li", "box project-card", top, about, rest);
  if (project.role === "owner") made.append(element("p", "card-foot", link("toOwner", page("owner", { project: project.id }))));
  return made;
}

/** Projects that nobody works on any more: their owners find them here. */
function putAway(projects) {
  return element("details", "put-away", said("summary", "", "archivedProjects", projects.length), element("ul", "cards", ...projects.map(card)));
}

function blank(person) {
  const text = said("p", "quiet", person.is_owner ? "noProjectsOwner" : "noProjects");
  const actions = person.is_owner ? [link("newProject", page("new"), { className: "button primary" })] : [];
  return element("section", "box blank", said("h2", "", "noProjectsTitle"), text, element("div", "actions", ...actions));
}

async function start() {
  startPage("projects");
  try {
    const person = await requirePerson();
    showPerson(person);
    const projects = await get("workbench/api/projects");
    const head = element("div", "page-head", said("h1", "", "projects"));
    if (person.is_owner && projects.length) head.append(link("newProject", page("new"), { className: "button primary" }));
    const [away, shown] = [true, false].map((isAway) => projects.filter(({ state }) => (state === "archived") === isAway));
    const list = shown.length ? [element("ul", "cards", ...shown.map(card))] : projects.length ? [] : [blank(person)];
    main.replaceChildren(head, ...list, ...(away.length ? [putAway(away)] : []));
    main.removeAttribute("aria-busy");
  } catch (problem) {
    showFailure(problem);
  }
}

start();
