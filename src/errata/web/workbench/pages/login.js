/** The page where people log in. */
import { showIfThere } from "../../lib/elsewhere.js";
import { page, post } from "./api.js";
import { element, field, input, said } from "./build.js";
import { form, isMissing } from "./forms.js";
import { startPage, toPlayground } from "./frame.js";
import { arrive, wayOn } from "./session.js";

startPage("logIn");
const next = wayOn(new URLSearchParams(location.search).get("next"));
const name = field("name", input("text", { autocomplete: "username", maxLength: 100, autocapitalize: "none", spellcheck: false }));
const password = field("password", input("password", { autocomplete: "current-password", maxLength: 200 }));

const { root } = form({
  fields: [name.root, password.root],
  actionKey: "logIn",
  send: async () => {
    if (isMissing(name, "nameMissing") || isMissing(password, "passwordMissing")) return;
    arrive(await post("accounts/login", { name: name.input.value.trim(), password: password.input.value }, { isQuiet: true }));
    location.assign(page("") + next);
  },
  explain: ({ status }) => {
    if (status !== 401) return false;
    password.tell("wrongPassword");
    password.input.select();
    return true;
  },
});

const toText = toPlayground();
showIfThere(toText);
const main = document.querySelector("main");
main.replaceChildren(element("section", "box entry", said("h1", "", "welcome"), said("p", "quiet", "welcomeText"), root, element("p", "quiet small-print", said("span", "", "noAccount"), " ", toText)));
main.removeAttribute("aria-busy");
name.input.focus();
