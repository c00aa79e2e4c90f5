/** A way to another part of the server: shown only where the server has that part. */
export async function showIfThere(link) {
  const answer = await fetch(link.href, { method: "HEAD" }).catch(() => null);
  link.hidden = !answer?.ok;
  return link;
}
