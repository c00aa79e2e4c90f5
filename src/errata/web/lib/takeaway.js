/** Taking the text along: to the clipboard, or as a file. */

/** Copy `text`; whether it worked. Pages that are not served over TLS may only use the old way. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  focused?.focus({ preventScroll: true });
  return isCopied;
}

/** Save `text` as a file in UTF-8. */
export function downloadText(text, name) {
  downloadBlob(new Blob([text], { type: "text/plain;charset=utf-8" }), name);
}

/** Save bytes as a file. */
export function downloadBlob(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
