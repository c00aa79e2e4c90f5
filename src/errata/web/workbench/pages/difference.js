/**
 * What changed between two sentences, as pieces in reading order.
 *
 * @typedef {{kind: "same" | "gone" | "come", text: string, edit?: object}} Piece
 */

/** The pieces of a source and its edits as the server gives them. Edits that do not fit are left out. @returns {Piece[]} */
export function piecesOf(source, edits) {
  const pieces = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.utf16_start - b.utf16_start || a.utf16_end - b.utf16_end)) {
    const { utf16_start: start, utf16_end: end, replacement } = edit;
    if (!(start >= at && end >= start && end <= source.length)) continue;
    add(pieces, "same", source.slice(at, start));
    add(pieces, "gone", source.slice(start, end), edit);
    add(pieces, "come", replacement, edit);
    at = end;
  }
  add(pieces, "same", source.slice(at));
  return pieces;
}

/** The pieces of `before` and `after`, word by word; Chinese characters are words of their own. @returns {Piece[]} */
export function compare(before, after) {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const common = commonLengths(a, b);
  const pieces = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add(pieces, "same", a[i++]);
      j++;
    } else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) add(pieces, "gone", a[i++]);
    else add(pieces, "come", b[j++]);
  }
  return inOrder(bridge(pieces));
}

/** A space alone between two changes is part of them: "been living" came, not "been" and "living". */
function bridge(pieces) {
  const isBridge = ({ kind, text }, i) => kind === "same" && text.trim() === "" && i > 0 && i < pieces.length - 1;
  return pieces.flatMap((piece, i) => {
    if (!isBridge(piece, i)) return [piece];
    return [{ kind: "gone", text: piece.text }, { kind: "come", text: piece.text }];
  });
}

/** Words with the space before them apart, so that a changed space is a change. */
export function wordsOf(text) {
  return text.match(/\p{Script=Han}|[\p{L}\p{M}\p{N}](?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}'’-])*|\s+|[^]/gu) ?? [];
}

const MAX_CELLS = 4_000_000; // of the table below; longer texts are compared as wholes

/** `common[i][j]`: the length of the longest common part of a[i…] and b[j…]. */
function commonLengths(a, b) {
  if (a.length * b.length > MAX_CELLS) return Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}

/** What goes before what comes, and pieces of one kind as one; a space that both begin or end with stays. */
function inOrder(pieces) {
  const ordered = [];
  let [gone, come] = ["", ""];
  const flush = () => {
    const { before, after } = sharedSpace(gone, come);
    add(ordered, "same", before);
    add(ordered, "gone", gone.slice(before.length, gone.length - after.length));
    add(ordered, "come", come.slice(before.length, come.length - after.length));
    add(ordered, "same", after);
    [gone, come] = ["", ""];
  };
  for (const { kind, text } of pieces) {
    if (kind === "gone") gone += text;
    else if (kind === "come") come += text;
    else {
      flush();
      add(ordered, "same", text);
    }
  }
  flush();
  return ordered;
}

function sharedSpace(gone, come) {
  const [before] = /^\s*/.exec(gone);
  const begins = before === /^\s*/.exec(come)[0] ? before : "";
  const [after] = /\s*$/.exec(gone.slice(begins.length));
  return { before: begins, after: after === /\s*$/.exec(come.slice(begins.length))[0] ? after : "" };
}

function add(pieces, kind, text, edit) {
  if (text === "" || text === undefined) return;
  const last = pieces.at(-1);
  if (last?.kind === kind && last.edit === edit) last.text += text;
  else pieces.push(edit ? { kind, text, edit } : { kind, text });
}

/** The text on one side of some pieces. @param {"gone" | "come"} side */
export const sideOf = (pieces, side) => pieces.filter(({ kind }) => kind === "same" || kind === side).map(({ text }) => text).join("");

/** A sentence as it counts: one line, single spaces, none at the ends. */
export const normalised = (text) => text.replace(/\s+/gu, " ").trim();
