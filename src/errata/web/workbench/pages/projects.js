/** A project as pages show it: what there is to do, and how it stands. */
import { page } from "./api.js";
import { element, link, said } from "./build.js";

// Kinds of tasks in the order in which they are offered, and the page that does them.
export const KINDS = [
  ["qualify", "work"], ["study", "work"], ["judge", "review"], ["review", "review"], ["annotate", "work"],
];

/** What there is to do, as links; most important first. */
export function todoLinks({ id, todo = {}, state }) {
  if (state !== "running" && state !== "paused") return [];
  return KINDS.filter(([kind]) => todo[kind] > 0).map(([kind, name]) => {
    const made = link(`do-${kind}`, page(name, { project: id, kind }), { className: "todo" });
    made.append(element("b", "count", String(todo[kind])));
    return made;
  });
}

export function stateTag(state) {
  const made = said("span", "tag", `state-${state}`);
  made.dataset.state = state;
  return made;
}

/** Kind and language in a few words. */
export const aboutLine = ({ kind, language }) => [said("span", "", `kind-${kind}`), " · ", said("span", "", `language-${language}`)];
