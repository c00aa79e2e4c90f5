/** How long a text is, as its readers count: in words, or in characters where a script has no spaces. */

// Scripts without spaces between words; each of their characters counts.
const CHARACTER = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
// A word goes on over an apostrophe or a hyphen ("don't", "well-known"), a number over points and commas ("1,000.5").
const WORD =
  String.raw`(?:(?![${CHARACTER}])[\p{L}\p{N}])(?:(?![${CHARACTER}])[\p{L}\p{N}\p{M}]` +
  String.raw`|['’‑-](?=\p{L})|(?<=\p{Nd})[.,](?=\p{Nd}))*`;
const COUNTED = new RegExp(`([${CHARACTER}])|${WORD}`, "gu");

/** Words and characters of a text: `{words, characters}`. */
export function countText(text) {
  let words = 0;
  let characters = 0;
  for (const [, character] of text.matchAll(COUNTED)) {
    if (character) characters++;
    else words++;
  }
  return { words, characters };
}

/** Counts paragraphs, each once: a key typed costs no more than the paragraph it is typed in. */
export class Counter {
  #counts = new WeakMap(); // paragraph → its count; a paragraph that changes is another paragraph

  count(paragraphs) {
    const sum = { words: 0, characters: 0 };
    for (const paragraph of paragraphs) {
      if (!this.#counts.has(paragraph)) this.#counts.set(paragraph, countText(paragraph.text));
      const { words, characters } = this.#counts.get(paragraph);
      sum.words += words;
      sum.characters += characters;
    }
    return sum;
  }
}
