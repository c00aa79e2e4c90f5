/** Times as people read them, in the page's language. */
import { currentLanguage, say, tagOf } from "./words.js";

/** Seconds since 1970 as a date and a time. */
export function sayTime(seconds) {
  if (typeof seconds !== "number") return "";
  const format = new Intl.DateTimeFormat(tagOf(currentLanguage()), { dateStyle: "medium", timeStyle: "short" });
  return format.format(new Date(seconds * 1000));
}

/** A length of time: "45 s", "3 min 20 s", "1 h 5 min". */
export function sayDuration(seconds) {
  if (typeof seconds !== "number") return "–";
  const whole = Math.round(seconds);
  const [h, min, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (h) return say("hours", h, min);
  return min ? say("minutes", min, s) : say("seconds", s);
}

/** A part of one as a percentage. */
export const sayShare = (share) => (typeof share === "number" ? `${(100 * share).toFixed(1)} %` : "–");
