/** The quiet line that says where the draft is. */
import { element } from "./build.js";
import { announceSettled } from "./frame.js";
import { put, say } from "./words.js";

// How the line looks, for each state of a draft.
const LOOKS = {
  saved: "clean", saving: "busy", here: "trouble", nowhere: "trouble", conflict: "trouble", lost: "trouble", waiting: "trouble",
};

export class StateLine {
  root = element("span", "state");
  #state = "saved";

  /** @param {import("./drafts.js").DraftState | "waiting"} state  `waiting`: handed in, and the server is away */
  show(state) {
    const isNews = LOOKS[state] === "trouble" && state !== this.#state;
    this.#state = state;
    this.root.dataset.state = LOOKS[state];
    this.root.dataset.draft = state;
    put(this.root, `draft-${state}`);
    if (isNews) announceSettled(say(`draft-${state}`));
  }

  /** Whether leaving the page would lose something. */
  get isAtRisk() {
    return this.#state === "nowhere";
  }
}
