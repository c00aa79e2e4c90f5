/** Random texts and edits that are the same in every run: a seed names them. */
const PIECES = ["a", "teh", " ", "\n", "\n\n", ".", "😀", "𝒳", "e\u0301", "我门", "\ud83d", "<b>", "very ", "\t"];

/** A generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const below = (random, n) => Math.floor(random() * n);

export const pick = (random, items) => items[below(random, items.length)];

export function randomText(random, nPieces = 6) {
  return Array.from({ length: below(random, nPieces + 1) }, () => pick(random, PIECES)).join("");
}

/** Up to `n` edits of a text, in order and apart from one another. */
export function randomEdits(random, text, n = 4) {
  const places = Array.from({ length: 2 * below(random, n + 1) }, () => below(random, text.length + 1));
  places.sort((a, b) => a - b);
  const edits = [];
  for (let i = 0; i < places.length; i += 2) {
    edits.push({ start: places[i], end: places[i + 1], replacement: randomText(random, 3) });
  }
  return edits;
}

/** Call `check` with a generator for each of `n` seeds; a failure names its seed. */
export function forSeeds(n, check) {
  for (let seed = 1; seed <= n; seed++) {
    try {
      check(randomFrom(seed));
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
}
