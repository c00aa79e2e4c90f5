/**
 * Edits to a text, and ranges of it that move along. Offsets are UTF-16 code units, ranges half-open, lists in order.
 *
 * @typedef {{start: number, end: number, replacement: string}} Edit  replaces [start, end)
 * @typedef {{start: number, end: number, original: string}} Accepted  [start, end) stands where `original` was
 */

/** The one edit that turns `before` into `after`, as short as their common ends allow; null if they are the same. */
export function editBetween(before, after) {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) tail++;
  return { start, end: before.length - tail, replacement: after.slice(start, after.length - tail) };
}

/** `text` with `edits` made. */
export function applyEdits(text, edits) {
  const pieces = [];
  let position = 0;
  for (const { start, end, replacement } of edits) {
    pieces.push(text.slice(position, start), replacement);
    position = end;
  }
  pieces.push(text.slice(position));
  return pieces.join("");
}

/** The edits that lead back from `applyEdits(text, edits)` to `text`. */
export function inverse(text, edits) {
  let shift = 0;
  return edits.map(({ start, end, replacement }) => {
    const back = { start: start + shift, end: start + shift + replacement.length, replacement: text.slice(start, end) };
    shift += replacement.length - (end - start);
    return back;
  });
}

/** A span of `text` without the white space at its ends, unless there is nothing else. */
export function withoutSpace(text, { start, end }) {
  const inside = text.slice(start, end);
  const word = inside.trim();
  if (word === "") return { start, end };
  const first = start + inside.indexOf(word);
  return { start: first, end: first + word.length };
}

/** One edit of `text` that does what all `edits` do. */
export function covering(text, edits) {
  const start = edits[0].start;
  const end = edits.at(-1).end;
  const inside = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return { start, end, replacement: applyEdits(text.slice(start, end), inside) };
}

/**
 * `spans` where they are after `edits`; spans that an edit reaches into, or replaces exactly, are left out.
 *
 * An edit that only touches a span leaves it out too when it may belong to the same word, unless `keepTouching`.
 */
export function moveSpans(spans, edits, keepTouching = false) {
  const moved = [];
  let next = 0;
  let shift = 0;
  for (const span of spans) {
    while (next < edits.length && edits[next].end <= span.start) {
      shift += edits[next].replacement.length - (edits[next].end - edits[next].start);
      next++;
    }
    const near = edits.slice(Math.max(0, next - 1), next + 1);
    const isHit = near.some((edit) => reachesInto(edit, span));
    const isTouched = !keepTouching && near.some((edit) => joins(edit, span));
    if (!isHit && !isTouched) moved.push({ ...span, start: span.start + shift, end: span.end + shift });
  }
  return moved;
}

function reachesInto(edit, span) {
  const isSamePlace = edit.start === span.start && edit.end === span.end; // also where both only insert
  return isSamePlace || (edit.start < span.end && edit.end > span.start);
}

/** Whether `edit`, which only touches `span`, may change the word at its border. A space or a comma does not. */
function joins(edit, span) {
  const isAfter = edit.start === span.end;
  const isBefore = edit.end === span.start;
  if (!isAfter && !isBefore) return false;
  if (span.start === span.end || edit.start !== edit.end) return true;
  return !(isAfter ? /^[\s\p{P}]/u : /[\s\p{P}]$/u).test(edit.replacement);
}

/**
 * What became of `text`: its accepted spans and new `edits`, those that overlap taken together.
 *
 * Each group replaces [start, end) of `text`; `original` is what was there before anything was accepted, `result` what
 * is there once the edits are made, `edits` the new ones in it.
 */
export function groupChanges(text, accepted, edits) {
  const groups = [];
  for (const item of inOrder(accepted, edits)) {
    const group = groups.at(-1);
    if (group && overlaps(group, item)) {
      group.end = Math.max(group.end, item.end);
      group.items.push(item);
    } else {
      groups.push({ start: item.start, end: item.end, items: [item] });
    }
  }
  return groups.map(({ start, end, items }) => {
    const within = (item, replacement) => ({ start: item.start - start, end: item.end - start, replacement });
    const now = text.slice(start, end);
    const reverted = items.filter((item) => "original" in item);
    const made = items.filter((item) => "replacement" in item);
    return {
      start,
      end,
      edits: made,
      original: applyEdits(now, reverted.map((item) => within(item, item.original))),
      result: applyEdits(now, made.map((item) => within(item, item.replacement))),
    };
  });
}

function inOrder(accepted, edits) {
  return [...accepted, ...edits].sort((a, b) => a.start - b.start || a.end - b.end);
}

function overlaps(group, item) {
  const isSamePoint = item.start === item.end && group.start === group.end && item.start === group.start;
  return isSamePoint || item.start < group.end;
}

/** The accepted spans once `edits` are accepted too, as ranges of the new text. */
export function acceptEdits(text, accepted, edits) {
  let shift = 0;
  const spans = [];
  for (const { start, end, original, result } of groupChanges(text, accepted, edits)) {
    if (original !== result) spans.push({ start: start + shift, end: start + shift + result.length, original });
    shift += result.length - (end - start);
  }
  return spans;
}
