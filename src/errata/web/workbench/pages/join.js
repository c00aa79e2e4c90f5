/** The page an invitation link leads to. The token is in the fragment, so that no log ever has it. */
import { page, post } from "./api.js";
import { button, element, field, input, link, said } from "./build.js";
import { form, isMissing, showable, tell } from "./forms.js";
import { showFailure, showPerson, startPage } from "./frame.js";
import { arrive, findPerson, leave } from "./session.js";

const MIN_PASSWORD = 10;
const token = location.hash.slice(1);
const main = document.querySelector("main");

function show(...nodes) {
  main.replaceChildren(element("section", "box entry", ...nodes));
  main.removeAttribute("aria-busy");
  (main.querySelector("input") ?? main.querySelector("h1")).focus();
}

function heading(key, ...gaps) {
  const made = said("h1", "", key, ...gaps);
  made.tabIndex = -1;
  return made;
}

const goOn = ({ project_id: id }) => location.assign(id ? page("project", { id }) : page(""));

/** Somebody new: a name and a password. */
function showNewAccount(invitation) {
  const name = field("newName", input("text", { autocomplete: "username", maxLength: 100, autocapitalize: "none", spellcheck: false }), { hintKey: "newNameHint" });
  const password = showable(field("newPassword", input("password", { autocomplete: "new-password", maxLength: 200 }), { hintKey: "newPasswordHint" }));
  const { root } = form({
    fields: [name.root, password.root],
    actionKey: "join",
    send: async () => {
      if (isMissing(name, "nameMissing")) return;
      if (password.input.value.length < MIN_PASSWORD) return password.tell("passwordShort", MIN_PASSWORD);
      const answer = await post("accounts/join", { token, name: name.input.value.trim(), password: password.input.value }, { isQuiet: true });
      arrive(answer);
      goOn(answer);
    },
    explain: (problem) => explain(problem, name, password),
  });
  const known = link("haveAccount", page("login", { next: "" }), { className: "quiet-link" });
  known.addEventListener("click", (event) => {
    event.preventDefault();
    showLogin(invitation);
  });
  show(heading(...invitedTo(invitation)), said("p", "quiet", roleKey(invitation)), root, element("p", "small-print", known));
}

/** The server's line, beside the field it is about. */
function explain({ status, line }, name, password) {
  if (status !== 422 && status !== 409) return false;
  const isPassword = /password|密码/i.test(line);
  (isPassword ? password : name).tell({ line });
  return true;
}

/** Somebody with an account, who is not logged in: the log-in, and then the invitation. */
function showLogin(invitation) {
  const name = field("name", input("text", { autocomplete: "username", maxLength: 100, autocapitalize: "none", spellcheck: false }));
  const password = field("password", input("password", { autocomplete: "current-password", maxLength: 200 }));
  const { root } = form({
    fields: [name.root, password.root],
    actionKey: "logInAndJoin",
    send: async () => {
      if (isMissing(name, "nameMissing") || isMissing(password, "passwordMissing")) return;
      arrive(await post("accounts/login", { name: name.input.value.trim(), password: password.input.value }, { isQuiet: true }));
      goOn(await post("accounts/join", { token }));
    },
    explain: ({ status }) => status === 401 && (password.tell("wrongPassword"), true),
  });
  show(heading(...invitedTo(invitation)), said("p", "quiet", roleKey(invitation)), root);
}

/** Somebody who is logged in. */
function showKnown(invitation, person) {
  const problem = element("p", "problem");
  problem.setAttribute("role", "alert");
  const join = button("joinAs", async () => {
    try {
      goOn(await post("accounts/join", { token }));
    } catch (error) {
      tell(problem, error);
    }
  }, { className: "primary", args: [person.name] });
  const other = button("notMe", () => leave());
  show(heading(...invitedTo(invitation)), said("p", "quiet", roleKey(invitation)), problem, element("div", "actions", join, other));
}

const invitedTo = ({ project }) => (project ? ["invitedTo", project.name] : ["invited"]);
const roleKey = ({ role }) => `invitedAs-${["owner", "reviewer", "annotator"].includes(role) ? role : "annotator"}`;

function showBad(key) {
  show(heading("cannotJoin"), said("p", "", key), said("p", "quiet", "askForLink"), element("div", "actions", link("toHome", page(""), { className: "button" })));
}

async function start() {
  startPage("join");
  try {
    const person = await findPerson();
    if (person) showPerson(person);
    if (!token) return showBad("badInvitation");
    const invitation = await post("accounts/invitation", { token }, { isQuiet: true });
    if (person) showKnown(invitation, person);
    else showNewAccount(invitation);
  } catch (problem) {
    if (problem.status === 410) showBad("invitationOver");
    else if (problem.status === 404 || problem.status === 422) showBad("badInvitation");
    else showFailure(problem);
  }
}

start();
