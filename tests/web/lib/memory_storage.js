/** A browser's storage that forgets: with room for so many characters, or forbidden altogether. */
export class MemoryStorage {
  #items = new Map();

  constructor(room = Infinity) {
    this.room = room;
    this.isForbidden = false;
  }

  get length() {
    return this.#all.size;
  }

  key(index) {
    return [...this.#all.keys()][index] ?? null;
  }

  getItem(key) {
    return this.#all.get(key) ?? null;
  }

  setItem(key, value) {
    if (value.length > this.room) throw new Error("full");
    this.#all.set(key, String(value));
  }

  removeItem(key) {
    this.#all.delete(key);
  }

  get #all() {
    if (this.isForbidden) throw new Error("forbidden");
    return this.#items;
  }
}
