/** The edits between a sentence and its correction, from the scorer's own extractor on the server; and how they look. */
import { kindOf, nameOfType } from "../../lib/kinds.js";
import { changeNodes, describe } from "../../lib/change.js";
import { post } from "./api.js";
import { element, said } from "./build.js";
import { piecesOf } from "./difference.js";
import { currentLanguage, put, say } from "./words.js";

const MAX_KNOWN = 200; // answers kept, so that going back and forth asks nothing
const known = new Map();

/** The edits from the source of a task's item to `target`. */
export async function askForEdits({ project, item }, target, options) {
  if (item.source === target) return [];
  const key = JSON.stringify([item.id, target, currentLanguage()]); // descriptions have a language
  if (!known.has(key)) {
    const question = { project_id: project.id, item_id: item.id, source: item.source, target };
    const { edits } = await post("workbench/api/edits", question, options);
    known.set(key, edits);
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value);
  }
  return known.get(key);
}

/** Marks over the corrected text, which begins at `offset`, as the editor takes them. */
export function marksOf(edits, offset = 0) {
  return edits.map((edit) => ({
    start: edit.utf16_target_start + offset,
    end: edit.utf16_target_end + offset,
    type: edit.type,
    replacement: edit.replacement,
  }));
}

/** The name of an edit's type, in the page's language: the server's if it is in that language, else our own. */
function typeName({ type, description = "" }) {
  const isChinese = /\p{Script=Han}/u.test(description);
  return () => (description && isChinese === (currentLanguage() === "zh") ? description : nameOfType(type, currentLanguage()));
}

/** One edit as people read it: what goes, what comes, and its type. */
export function editItem(edit) {
  const change = element("span", "change");
  const nodes = changeNodes(edit);
  change.append(...nodes.flatMap((node, i) => (i ? [" ", node] : [node])));
  const type = put(element("span", "edit-type"), "plain", typeName(edit));
  const item = element("li", "edit", change, type);
  item.dataset.kind = kindOf(edit.type);
  return item;
}

/** The list of edits; one line where there are none. */
export function editList(edits, lang) {
  if (!edits.length) return said("p", "quiet", "noEdits");
  const list = element("ul", "edits", ...edits.map(editItem));
  list.lang = lang;
  return list;
}

/** The edits in words, for screen readers. */
export function sayEdits(edits) {
  if (!edits.length) return say("noEdits");
  const each = edits.map((edit) => `${describe(say, edit)} (${typeName(edit)()})`);
  return [say("nEdits", edits.length), ...each.slice(0, 8)].join(". ");
}

/** A sentence with its changes in it: what goes is struck out, what comes stands beside it. */
export const changedSentence = (source, edits) => piecesOf(source, edits).map(drawPiece);

/** Pieces as nodes. */
export function drawPiece({ kind, text, edit }) {
  if (kind === "same") return document.createTextNode(text);
  const made = element(kind === "gone" ? "del" : "ins", "", text);
  if (edit) made.title = typeName(edit)();
  return made;
}

/** The source with the words marked that a correction changes. */
export function markedSource(source, edits) {
  return piecesOf(source, edits).filter(({ kind }) => kind !== "come").map(({ kind, text, edit }) => {
    if (kind === "same") return document.createTextNode(text);
    const made = element("span", "changed", text);
    made.dataset.kind = kindOf(edit.type);
    return made;
  });
}
