/** Dialogs that ask for something, or show something, and give the focus back. */
import { button, element, field, input, keyNames, said, tool } from "./build.js";
import { browserStorage } from "./storage.js";

let nDialogs = 0;

/** Open a dialog with these children; it goes when it is closed. `{dialog, close(value)}` */
function open(titleKey, className, children, onClose = () => undefined) {
  const title = said("h2", "", titleKey);
  title.id = `dialog-${++nDialogs}`;
  const dialog = element("dialog", `dialog ${className}`);
  const close = (value) => {
    dialog.returned = value;
    dialog.close();
  };
  dialog.append(element("div", "box-top", title, tool("close", "cross", () => close())), ...children(close));
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose(dialog.returned);
  });
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, close };
}

/** Show nodes until the dialog is closed. */
export const show = (titleKey, ...nodes) => open(titleKey, "wide", () => nodes);

/**
 * Ask a question with some answers: `[value, key]`, the first is the usual one. What was chosen, or undefined.
 *
 * @returns {Promise<string | undefined>}
 */
export function ask(titleKey, textKey, answers, ...gaps) {
  return new Promise((resolve) => {
    const made = (close) => answers.map(([value, key], i) => {
      const it = button(key, () => close(value), { className: i ? "" : "primary" });
      it.autofocus = i === 0;
      return it;
    });
    open(titleKey, "", (close) => [said("p", "", textKey, ...gaps), element("div", "dialog-actions", ...made(close))], resolve);
  });
}

/** Ask for a few lines of text, which may not be empty; undefined if there are none. What is typed is kept as `name`. */
export function askForText(titleKey, textKey, actionKey, name, { maxLength = 2000 } = {}) {
  const storage = browserStorage();
  return new Promise((resolve) => {
    const children = (close) => {
      const area = field(textKey, input("textarea", { rows: 3, maxLength }));
      area.input.autofocus = true;
      area.input.value = storage.read(name) ?? "";
      area.input.addEventListener("input", () => storage.write(name, area.input.value));
      const form = element("form", "", area.root, formActions(actionKey, close));
      form.noValidate = true;
      area.input.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) form.requestSubmit();
      });
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const text = area.input.value.trim();
        if (text) close(text);
        else area.tell("sayWhy");
      });
      return [form];
    };
    open(titleKey, "", children, resolve);
  });
}

function formActions(actionKey, close) {
  const go = said("button", "primary", actionKey);
  go.type = "submit";
  return element("div", "dialog-actions", button("cancel", () => close()), go);
}

/** The keys of a page: `[keys, key of what they do]`. */
export function showKeys(shortcuts) {
  const rows = shortcuts.map(([keys, key]) => {
    const caps = element("dt", "", ...keyNames(keys));
    return element("div", "", caps, said("dd", "", key));
  });
  return open("keysTitle", "wide", () => [element("dl", "keys-list", ...rows), said("p", "quiet", "keysHint")]);
}

/** Whether a dialog is open: keys of the page then do nothing. */
export const isAsking = () => document.querySelector("dialog[open]") !== null;
