/** Who works in a project, and links that invite more people. */
import { copyText } from "../../lib/takeaway.js";
import { at, get, patch, post, remove } from "./api.js";
import { box, button, choices, element, field, input, said, table } from "./build.js";
import { ask } from "./dialogs.js";
import { form, tell } from "./forms.js";
import { announce } from "./frame.js";
import { sayTime } from "./times.js";
import { hush, label } from "./words.js";

// Names of a computer that mean another one to everybody else.
const LOCAL = /^(localhost|127\.[\d.]+|\[::1\])$/;
const ROLES = ["annotator", "reviewer", "owner"].map((role) => [role, `role-${role}`]);

export class People {
  #page;
  #members = element("div");
  #invitations = element("div");
  #made = element("div", "made-link");
  #problem = element("p", "problem");

  constructor(page) {
    this.#page = page;
    this.#problem.setAttribute("role", "alert");
    this.root = element("div", "stack", box("members", this.#problem, this.#members), box("invite", said("p", "quiet", "inviteText"), this.#inviteForm(), this.#made, this.#invitations));
  }

  async open() {
    await Promise.all([this.#loadMembers(), this.#loadInvitations()]);
  }

  get #id() {
    return this.#page.project.id;
  }

  async #loadMembers() {
    await this.#try(async () => {
      const members = await get(at("projects", this.#id, "members"));
      const rows = members.map((it) => [element("span", "", it.name), this.#roleChoice(it), said("span", "tag", `member-${it.state}`), it.n_done, this.#acts(it)]);
      this.#members.replaceChildren(table("members", ["name", "role", "memberState", "nDone", "acts"], rows));
    });
  }

  #roleChoice(member) {
    const made = choices(ROLES, member.role);
    label(made, "roleOf", member.name);
    made.addEventListener("change", () => this.#change(member, { role: made.value }));
    return made;
  }

  #acts(member) {
    const act = (key, state) => button(key, () => this.#setState(member, state), { className: "small" });
    const acts = { failed: [act("newRound", "active"), act("passAnyway", "qualified")], removed: [act("bringBack", "active")] }[member.state] ?? [];
    if (member.state !== "removed") acts.push(act("removeMember", "removed"));
    return element("div", "row-acts", ...acts);
  }

  async #setState(member, state) {
    const isSure = state !== "removed" || (await ask("removeTitle", "removeText", [["yes", "removeMember"], ["no", "cancel"]], member.name)) === "yes";
    if (isSure) await this.#change(member, { state });
  }

  async #change(member, changes) {
    await this.#try(() => patch(at("projects", this.#id, "members", member.user_id), changes));
    await this.#loadMembers();
  }

  /* ---- invitations ---- */

  #inviteForm() {
    const role = field("role", choices(ROLES, "annotator"));
    const uses = field("nUses", input("number", { min: 1, max: 1000, value: 1, inputMode: "numeric" }));
    const days = field("days", input("number", { min: 1, max: 365, value: 14, inputMode: "numeric" }));
    const { root } = form({
      fields: [element("div", "field-row", role.root, uses.root, days.root)],
      actionKey: "makeLink",
      send: async () => {
        for (const it of [uses, days]) {
          if (!it.input.value || !it.input.checkValidity()) return it.tell("numberBetween", Number(it.input.min), Number(it.input.max));
        }
        const body = { role: role.input.value, n_uses: Number(uses.input.value), days: Number(days.input.value) };
        const { link } = await post(at("projects", this.#id, "invitations"), body);
        this.#showLink(new URL(link, location.href).href);
        await this.#loadInvitations();
      },
    });
    return root;
  }

  /** The link is shown once: the server keeps only its digest. */
  #showLink(address) {
    const shown = label(input("text", { value: address, readOnly: true }), "inviteLink");
    shown.addEventListener("focus", () => shown.select());
    const copy = button("copyLink", async () => announce((await copyText(address)) ? "copied" : "notCopied"), { className: "primary", picture: "copy" });
    copy.addEventListener("click", () => copy.classList.add("is-done"));
    const isLocal = LOCAL.test(new URL(address).hostname) ? [said("p", "quiet", "linkLocal")] : [];
    this.#made.replaceChildren(said("p", "", "linkOnce"), element("div", "copy-row", shown, copy), ...isLocal);
    copy.focus();
  }

  async #loadInvitations() {
    await this.#try(async () => {
      const invitations = await get(at("projects", this.#id, "invitations"));
      const rows = invitations.map((it) => [
        said("span", "", `role-${it.role}`), said("span", "tag", `invitation-${it.state}`), said("span", "", "usesLeft", it.n_left, it.n_uses),
        said("span", "", "plain", () => sayTime(it.expires_at)), it.state === "open" ? this.#revoke(it) : "",
      ]);
      this.#invitations.replaceChildren(...(rows.length ? [table("invitations", ["role", "memberState", "uses", "until", "acts"], rows)] : []));
    });
  }

  #revoke({ id }) {
    return button("revoke", async () => {
      await this.#try(() => remove(at("projects", this.#id, "invitations", id)));
      await this.#loadInvitations();
    }, { className: "small" });
  }

  async #try(action) {
    hush(this.#problem);
    try {
      await action();
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      tell(this.#problem, problem);
    }
  }
}
