/** Forms: one request at a time, and what is wrong stands beside the field it is about. */
import { element, said } from "./build.js";
import { hush, put } from "./words.js";

/**
 * A form of fields: `{root, tell(line)}`.
 *
 * @param {{fields: HTMLElement[], actionKey: string, send: () => Promise<void>, others?: HTMLElement[]}} options  `send`
 *   may throw a `Problem`: it is told below the fields unless `explain` says it beside one
 */
export function form({ fields, actionKey, send, explain = () => false, others = [] }) {
  const submit = said("button", "primary", actionKey);
  submit.type = "submit";
  const problem = element("p", "problem form-problem");
  problem.setAttribute("role", "alert");
  const root = element("form", "form", ...fields, problem, element("div", "actions", submit, ...others));
  root.noValidate = true;
  root.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.getAttribute("aria-disabled") === "true") return;
    submit.setAttribute("aria-disabled", "true");
    hush(problem);
    try {
      await send();
    } catch (error) {
      if (error.status === undefined) throw error;
      if (!explain(error)) tell(problem, error);
    } finally {
      submit.setAttribute("aria-disabled", "false");
    }
  });
  return { root, tell: (error) => tell(problem, error) };
}

/** Say what a problem is: in our words where we have some, else in the server's. */
export function tell(place, { status, line, wait }) {
  if (status === 0) put(place, "offline");
  else if (status === 429) put(place, "tooMany", wait ?? 60);
  else if (line) put(place, "serverSays", line);
  else put(place, "failed");
}

/** The field of a password with a button that shows it: a slip in what nobody sees keeps people out. */
export function showable(made) {
  const { input } = made;
  const toggle = said("button", "small", "showPassword");
  toggle.type = "button";
  toggle.setAttribute("aria-controls", input.id);
  const show = (isShown) => {
    input.type = isShown ? "text" : "password";
    put(toggle, isShown ? "hidePassword" : "showPassword");
  };
  toggle.addEventListener("click", () => show(input.type === "password"));
  const row = element("div", "copy-row password-row");
  input.replaceWith(row);
  row.append(input, toggle);
  Object.assign(input, { autocapitalize: "none", spellcheck: false });
  return made;
}

/** Whether a field is empty; if so, it is told there. */
export function isMissing(field, key) {
  if (field.input.value.trim() !== "") return false;
  field.tell(key);
  return true;
}
