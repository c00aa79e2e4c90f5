/** Other replacements than the first, each a button. */
import { visible } from "../lib/change.js";
import { element } from "../lib/elements.js";
import { describe, say } from "./messages.js";

/** A button for each other replacement of a suggestion, with the key that chooses it. */
export function choiceButtons(suggestion, ui) {
  return suggestion.alternatives.map((replacement, i) => {
    const shown = replacement.trim() || visible(replacement) || say(ui, "nothing");
    const button = element("button", "choice", element("span", "", shown), element("kbd", "", String(i + 2)));
    const label = say(ui, "acceptOne", describe(ui, { ...suggestion, replacement }));
    button.type = "button";
    button.dataset.action = "choose";
    button.dataset.choice = String(i + 1);
    button.title = label;
    button.setAttribute("aria-label", label);
    return button;
  });
}
