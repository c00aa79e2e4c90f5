/**
 * Guidelines as people write them: a small part of Markdown, read into a tree of plain objects.
 *
 * The tree has only the tags in `TAGS`, and links only to where `isSafe` lets them lead. Everything else is text, so
 * HTML in a guideline is shown as it was written. Every character of a line is looked at a fixed number of times, and
 * nesting is limited: no text makes reading slow or deep.
 *
 * @typedef {{tag: string, children: Tree[], href?: string} | string} Tree
 */
export const TAGS = new Set([
  "h3", "h4", "h5", "p", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "blockquote", "pre", "code",
  "strong", "em", "del", "a", "hr", "br",
]);
const MAX_DEPTH = 6; // lists in lists, quotations in quotations, emphasis in emphasis
const MAX_CHARS = 200_000;

const node = (tag, children = []) => ({ tag, children });

/** The blocks of a text. @returns {Tree[]} */
export function readMarkdown(text) {
  return readBlocks(text.slice(0, MAX_CHARS).replace(/\r\n?/g, "\n").split("\n"), 0);
}

function readBlocks(lines, depth) {
  const blocks = [];
  let i = 0;
  while (i < lines.length) {
    if (lines[i].trim() === "") i++;
    else {
      const read = BLOCKS.find(([begins]) => begins(lines, i, depth))?.[1] ?? readParagraph;
      const [block, next] = read(lines, i, depth);
      blocks.push(block);
      i = next;
    }
  }
  return blocks;
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*)$/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const QUOTATION = /^\s{0,3}>/;
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})[.)])(?:\s+|$)(.*)$/;

// Whether a block begins at a line, and how it is read: the block, and the line after it.
const BLOCKS = [
  [(lines, i) => FENCE.test(lines[i]), readFence],
  [(lines, i) => HEADING.test(lines[i]), readHeading],
  [(lines, i) => RULE.test(lines[i]), (_, i) => [node("hr"), i + 1]],
  [(lines, i, depth) => depth < MAX_DEPTH && QUOTATION.test(lines[i]), readQuotation],
  [(lines, i) => lines[i].includes("|") && isDivider(lines[i + 1] ?? ""), readTable],
  [(lines, i, depth) => depth < MAX_DEPTH && ITEM.test(lines[i]), readList],
];

function readFence(lines, i) {
  const [, fence] = FENCE.exec(lines[i]);
  let end = i + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) end++;
  return [node("pre", [node("code", [lines.slice(i + 1, end).join("\n")])]), end + 1];
}

/** The page's own headings are above: `#` is the third level. */
function readHeading(lines, i, depth) {
  const [, signs, words] = HEADING.exec(lines[i]);
  return [node(`h${Math.min(signs.length + 2, 5)}`, readInline(words.replace(/(^|\s)#+\s*$/, ""), depth)), i + 1];
}

function readQuotation(lines, i, depth) {
  let end = i;
  while (end < lines.length && QUOTATION.test(lines[end])) end++;
  const inside = lines.slice(i, end).map((line) => line.replace(/^\s{0,3}>\s?/, ""));
  return [node("blockquote", readBlocks(inside, depth + 1)), end];
}

function readTable(lines, i, depth) {
  const heads = cellsOf(lines[i]);
  let end = i + 2;
  while (end < lines.length && lines[end].includes("|")) end++;
  const rows = lines.slice(i + 2, end).map(cellsOf).map((cells) => heads.map((_, n) => cells[n] ?? ""));
  const row = (tag, cells) => node("tr", cells.map((cell) => node(tag, readInline(cell, depth))));
  return [node("table", [node("thead", [row("th", heads)]), node("tbody", rows.map((cells) => row("td", cells)))]), end];
}

const isDivider = (line) => line.includes("|") && cellsOf(line).every((cell) => /^:?-+:?$/.test(cell));

/** The cells of a line; `\|` is a character. */
function cellsOf(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

function readList(lines, i, depth) {
  const [, indent, bullet] = ITEM.exec(lines[i]);
  const isSame = (found) => found && found[1].length <= indent.length && Boolean(found[2]) === Boolean(bullet);
  const items = [];
  let at = i;
  while (at < lines.length) {
    const found = ITEM.exec(lines[at]);
    if (!isSame(found)) break;
    const [inside, next] = itemLines(lines, at, found);
    items.push(readItem(inside, depth + 1));
    at = next;
  }
  return [node(bullet ? "ul" : "ol", items), at];
}

const indentOf = (line = "") => /^\s*/.exec(line)[0].length;

/** The lines of one item: those set in deeper than its sign, also after a blank line. */
function itemLines(lines, at, [, indent, , , words]) {
  const inside = [words];
  const isInside = (line) => line !== undefined && line.trim() !== "" && indentOf(line) > indent.length;
  let next = at + 1;
  while (next < lines.length && (isInside(lines[next]) || (lines[next].trim() === "" && isInside(lines[next + 1])))) {
    inside.push(lines[next].slice(Math.min(indentOf(lines[next]), indent.length + 2)));
    next++;
  }
  return [inside, next];
}

/** The words that an item begins with are the item's own. */
function readItem(lines, depth) {
  const [first, ...others] = readBlocks(lines, depth);
  if (!first) return node("li");
  return node("li", first.tag === "p" ? [...first.children, ...others] : [first, ...others]);
}

function readParagraph(lines, i, depth) {
  let end = i + 1;
  const isNext = () => lines[end].trim() === "" || BLOCKS.some(([begins]) => begins(lines, end, depth));
  while (end < lines.length && !isNext()) end++;
  const parts = [];
  for (let at = i; at < end; at++) {
    parts.push(...readInline(lines[at].trim().replace(/\\$/, ""), depth));
    if (at < end - 1) parts.push(...between(lines[at], lines[at + 1]));
  }
  return [node("p", parts), end];
}

const CHINESE = "[\\p{Script=Han}\\u3000-\\u303f\\uff00-\\uffef]";
const ENDS_CHINESE = new RegExp(`${CHINESE}\\s*$`, "u");
const BEGINS_CHINESE = new RegExp(`^\\s*${CHINESE}`, "u");

/** What stands between two lines of a paragraph: a break, a space, or nothing between Chinese characters. */
function between(line, next) {
  if (/ {2,}$|\\$/.test(line)) return [node("br")];
  return ENDS_CHINESE.test(line) && BEGINS_CHINESE.test(next) ? [] : ["\n"];
}

/* ---- inside a line ---- */

const INLINE = [
  [/^(`+)([^`]|[^`].*?[^`])\1(?!`)/, ([, , code]) => node("code", [code.trim() || code])],
  [/^\*\*(?=\S)(.+?)\*\*(?!\*)/, ([, words], depth) => node("strong", readInline(words, depth + 1))],
  [/^__(?=\S)(.+?)__(?!\w)/, ([, words], depth) => node("strong", readInline(words, depth + 1))],
  [/^\*(?=[^\s*])((?:\*\*[^*]+\*\*|[^*])+)\*(?!\*(?!\*))/, ([, words], depth) => node("em", readInline(words, depth + 1))],
  [/^_(?=\S)([^_]+)_(?!\w)/, ([, words], depth) => node("em", readInline(words, depth + 1))],
  [/^~~(?=\S)(.+?)~~/, ([, words], depth) => node("del", readInline(words, depth + 1))],
  [/^\[([^\[\]]+)\]\(([^()\s]+)\)/, readLink],
  [/^<(https?:\/\/[^<>\s]+)>/, ([, href]) => ({ ...node("a", [href]), href })],
];
const MAX_INLINE = 5000; // characters of a line that are looked at for signs; the rest is text

function readLink([whole, words, href], depth) {
  return isSafe(href) ? { ...node("a", readInline(words, depth + 1)), href } : whole;
}

/** Links lead to the web, to a mailbox, or to a place on the same page. */
export const isSafe = (href) => /^(https?:\/\/|mailto:|#)/i.test(href);

/** @returns {Tree[]} */
export function readInline(line, depth = 0) {
  if (depth >= MAX_DEPTH) return line ? [line] : [];
  const looked = line.slice(0, MAX_INLINE);
  const parts = [];
  let plain = "";
  let i = 0;
  const flush = () => {
    if (plain) parts.push(plain);
    plain = "";
  };
  while (i < looked.length) {
    const found = readSign(looked, i, depth);
    if (found) {
      flush();
      parts.push(found.part);
      i += found.length;
    } else {
      const isEscape = looked[i] === "\\" && /[\\`*_{}[\]()#+\-.!|~<>]/.test(looked[i + 1] ?? "");
      plain += isEscape ? looked[i + 1] : looked[i];
      i += isEscape ? 2 : 1;
    }
  }
  plain += line.slice(MAX_INLINE);
  flush();
  return parts;
}

/** What a sign at `i` begins: `{part, length}`, or null. An underscore within a word is a letter of it. */
function readSign(line, i, depth) {
  if (!"`*_~[<".includes(line[i])) return null;
  if (line[i] === "_" && /\w/.test(line[i - 1] ?? "")) return null;
  const rest = line.slice(i, i + MAX_SIGN);
  for (const [pattern, make] of INLINE) {
    const match = pattern.exec(rest);
    if (match) return { part: make(match, depth), length: match[0].length };
  }
  return null;
}
const MAX_SIGN = 600; // characters between two signs that belong together

/* ---- on the page ---- */

/** The elements of a tree; made one by one, so text stays text. */
export function drawMarkdown(text, place) {
  place.replaceChildren(...readMarkdown(text).map(draw));
}

function draw(tree) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const made = document.createElement(TAGS.has(tree.tag) ? tree.tag : "span");
  if (tree.tag === "a" && isSafe(tree.href)) {
    made.href = tree.href;
    made.target = "_blank";
    made.rel = "noopener noreferrer";
  }
  made.append(...tree.children.map(draw));
  return made;
}
