/**
 * What a page says, in the languages it speaks. Each page has its own table of sentences:
 * `export const { say, translate } = speaker({ en: { undo: "Undo" }, zh: { undo: "撤销" } })`.
 */

/** `one` for 1, else `many` with the number in place of its `#`; for English. */
export function count(n, one, many) {
  return n === 1 ? one : many.replace("#", n.toLocaleString("en"));
}

/** @param {Record<string, Record<string, string | ((...gaps: unknown[]) => string)>>} tables  by language */
export function speaker(tables) {
  /** The message `key` in language `ui`; messages with gaps take what fills them. */
  function say(ui, key, ...args) {
    const message = tables[ui][key];
    return typeof message === "function" ? message(...args) : message;
  }

  /** Put the page's fixed words in place: `data-say` is text, `data-say-label` a name, `data-say-placeholder` a hint. */
  function translate(root, ui) {
    root.querySelectorAll("[data-say]").forEach((it) => (it.textContent = say(ui, it.dataset.say)));
    root.querySelectorAll("[data-say-label]").forEach((it) => {
      it.setAttribute("aria-label", say(ui, it.dataset.sayLabel));
      if (it.tagName === "BUTTON") it.title = say(ui, it.dataset.sayLabel);
    });
    root.querySelectorAll("[data-say-placeholder]").forEach((it) => {
      it.placeholder = say(ui, it.dataset.sayPlaceholder);
    });
  }

  return { say, translate };
}
