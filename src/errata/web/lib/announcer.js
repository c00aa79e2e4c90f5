/** News for screen readers, in an element with the role `status`. In a dialog, the element must lie in the dialog. */
import { Later } from "./later.js";

const SETTLED_MS = 800; // how long something that changes often must stay the same to be read out

export class Announcer {
  #place;
  #settling = new Later(() => this.announce(this.#settled));
  #settled = "";

  constructor(place) {
    this.#place = place;
    place.setAttribute("role", "status");
  }

  /** Have a screen reader say something. */
  announce(text) {
    this.#settling.cancel();
    this.#place.textContent = text;
  }

  /** Have it said unless something else is to be said soon. */
  announceSettled(text) {
    this.#settled = text;
    this.#settling.schedule(SETTLED_MS);
  }
}
