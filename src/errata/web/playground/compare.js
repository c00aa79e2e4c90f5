/** Original and corrected text side by side, a row for each paragraph. */
import { element } from "../lib/elements.js";
import { withoutSpace } from "../lib/spans.js";

/** Rows for `paragraphs` and the `changes` among them (in order, as `Manuscript.changes` gives them). */
export function compareRows(paragraphs, changes) {
  let offset = 0;
  let next = 0;
  return paragraphs.map(({ text }) => {
    const end = offset + text.length;
    const mine = [];
    for (; next < changes.length && changes[next].start <= end; next++) mine.push(changes[next]);
    const made = row(text, offset, mine);
    offset = end + 1;
    return made;
  });
}

/** What goes or comes; the spaces around it are not part of the show. */
function changed(tag, state, text) {
  const { start, end } = withoutSpace(text, { start: 0, end: text.length });
  return text === "" ? [] : [text.slice(0, start), element(tag, state, text.slice(start, end)), text.slice(end)];
}

function row(text, offset, changes) {
  const left = element("td", "");
  const right = element("td", "");
  let position = 0;
  for (const { start, end, original, result, edits } of changes) {
    const between = text.slice(position, start - offset);
    const state = edits.length ? "is-suggested" : "is-accepted";
    left.append(between, ...changed("del", state, original));
    right.append(between, ...changed("ins", state, result));
    position = end - offset;
  }
  left.append(text.slice(position));
  right.append(text.slice(position));
  return element("tr", changes.length ? "has-changes" : "", left, right);
}
