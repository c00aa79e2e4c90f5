/** Sentences of a paragraph. */
const segmenter = globalThis.Intl?.Segmenter ? new Intl.Segmenter(undefined, { granularity: "sentence" }) : null;

/** The sentences that [start, end) of `text` reaches into, as one range; for a browser that knows none, the whole text. */
export function sentenceAround(text, { start, end }) {
  if (!segmenter) return { start: 0, end: text.length };
  const sentences = segmenter.segment(text);
  const first = sentences.containing(Math.min(start, text.length - 1));
  const last = sentences.containing(Math.min(Math.max(start, end - 1), text.length - 1));
  if (!first || !last) return { start, end };
  return { start: first.index, end: last.index + last.segment.trimEnd().length };
}
