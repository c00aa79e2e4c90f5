/**
 * Marks over a whole text, and the paragraphs they lie in.
 *
 * @typedef {{start: number, end: number, replacement?: string, type?: string}} Mark  [start, end) of the text, in UTF-16
 *   units; start === end is a place where something is missing. Other fields stay with the mark.
 */

/**
 * The suggestions of each paragraph that has or had some, as `Manuscript.answer` takes them.
 *
 * A mark that does not fit the text, or that reaches into one before it, is left out. A mark over a line break becomes a
 * part on each line; parts are shown, and cannot be accepted.
 *
 * @param {import("./paragraphs.js").Paragraph[]} paragraphs  @param {Mark[]} marks
 */
export function dealMarks(paragraphs, marks) {
  const length = paragraphs.reduce((sum, { text }) => sum + text.length + 1, -1);
  const apart = keepApart(marks.filter((mark) => fits(mark, length)));
  let offset = 0;
  let first = 0;
  return paragraphs.map((paragraph) => {
    const line = { start: offset, end: offset + paragraph.text.length };
    offset = line.end + 1;
    const suggestions = [];
    for (let i = first; i < apart.length && apart[i].start <= line.end; i++) {
      const suggestion = within(paragraph.text, line, apart[i]);
      if (suggestion) suggestions.push(suggestion);
    }
    while (first < apart.length && apart[first].end <= line.end) first++;
    return { paragraph, suggestions, checkedAs: null };
  }).filter(({ paragraph, suggestions }) => suggestions.length || paragraph.suggestions.length);
}

function fits({ start, end }, length) {
  return Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= length;
}

/** Marks in order; of two that overlap, the first. */
function keepApart(marks) {
  let last = 0;
  return [...marks]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .filter(({ start, end }) => {
      const isFree = start >= last;
      if (isFree) last = end;
      return isFree;
    });
}

/** What a mark is on one line, or null if it is nothing there. */
function within(text, line, mark) {
  const start = Math.max(mark.start, line.start) - line.start;
  const end = Math.min(mark.end, line.end) - line.start;
  const isPart = mark.start < line.start || mark.end > line.end;
  if (isPart && start >= end && mark.start < line.start) return null; // it ends with the line break before
  const original = text.slice(start, end);
  const about = { replacement: original, type: "", message: "", confidence: null, alternatives: [], ...mark };
  return { ...about, start, end, original, isPart };
}
