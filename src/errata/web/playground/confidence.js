/** How sure the model is, in three steps that people can act on. A number such as 59 % says more than it knows. */
import { element } from "../lib/elements.js";
import { say } from "./messages.js";

/** Each step and the least confidence it takes. Of edits with a confidence of 0.9, nine of ten are right. */
export const STEPS = { certain: 0.9, likely: 0.6, unsure: 0 };

const DOTS = { certain: 3, likely: 2, unsure: 1, unknown: 0 };

/** The step of a confidence; `unknown` where a model does not say. */
export function stepOf(confidence) {
  if (confidence === null || confidence === undefined) return "unknown";
  return Object.keys(STEPS).find((step) => confidence >= STEPS[step]) ?? "unsure";
}

/** Show in `place` how sure the model is: dots and words, the number as a tooltip. */
export function showConfidence(place, confidence, ui) {
  const step = stepOf(confidence);
  const dots = element("span", "dots", ...[1, 2, 3].map((n) => element("i", n <= DOTS[step] ? "is-on" : "")));
  dots.setAttribute("aria-hidden", "true");
  place.replaceChildren(dots, say(ui, step));
  place.dataset.step = step;
  if (step === "unknown") place.removeAttribute("title");
  else place.title = say(ui, "percent", Math.round(confidence * 100));
}
