/** One's own account: the password. */
import { page, post } from "./api.js";
import { element, field, input, said } from "./build.js";
import { form, isMissing, showable } from "./forms.js";
import { announce, showFailure, showNotice, showPath, showPerson, startPage } from "./frame.js";
import { arrive, findPerson, requirePerson } from "./session.js";

const MIN_PASSWORD = 10;
const main = document.querySelector("main");

function show(person) {
  const old = field("oldPassword", input("password", { autocomplete: "current-password", maxLength: 200 }));
  const password = showable(field("newPassword", input("password", { autocomplete: "new-password", maxLength: 200 }), { hintKey: "newPasswordHint" }));
  const { root } = form({
    fields: [old.root, password.root],
    actionKey: "changePassword",
    send: async () => {
      if (isMissing(old, "passwordMissing")) return;
      if (password.input.value.length < MIN_PASSWORD) return password.tell("passwordShort", MIN_PASSWORD);
      const answer = await post("accounts/password", { old: old.input.value, new: password.input.value }, { isQuiet: true });
      if (answer?.csrf && answer.user) arrive(answer);
      else await findPerson();
      root.reset();
      showNotice({ key: "passwordChanged", kind: "news" });
      announce("passwordChanged");
    },
    explain: ({ status, line }) => {
      if (status === 401 || status === 403) old.tell("wrongPassword");
      else if (status === 422) password.tell({ line });
      else return false;
      return true;
    },
  });
  const head = element("div", "", said("h1", "", "account"), element("p", "quiet", person.name));
  main.replaceChildren(element("section", "box entry", head, said("p", "quiet", "passwordText"), root));
  main.removeAttribute("aria-busy");
}

async function start() {
  startPage("account");
  try {
    const person = await requirePerson();
    showPerson(person);
    showPath([{ key: "projects" }, page("")], [{ key: "account" }]);
    show(person);
  } catch (problem) {
    showFailure(problem);
  }
}

start();
