/** Asking the server: JSON both ways, the session's token with everything that writes, and one kind of failure. */

/** Where the server is: pages may lie behind a proxy, under a path of its choice. */
export const SERVER = new URL("../../", import.meta.url);
const TIMEOUT_MS = 30_000;

/** A request that got no good answer. `status` 0: the server was not reached. `line` and `facts`: what it says of it. */
export class Problem extends Error {
  constructor(status, line = "", { facts = {}, wait = null } = {}) {
    super(line || `status ${status}`);
    Object.assign(this, { status, line, facts, wait });
  }

  /** How things are now, where they are not as the request thought. */
  get current() {
    return this.facts.current ?? null;
  }

  get isOffline() {
    return this.status === 0;
  }

  /** Whether the same request may go well later: the network, or the server's own trouble. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

let csrf = "";
let loggedOut = () => undefined;
let renew = async () => false;

export const takeToken = (token) => (csrf = token);
/** Call `action` when the server says that nobody is logged in. */
export const onLoggedOut = (action) => (loggedOut = action);
/** Call `action` when the server takes the token for an old one; it says whether there is a new one. */
export const onOldToken = (action) => (renew = action);

/** Ask; once more with a new token if the session has changed since the page was opened. */
async function ask(method, path, body, options = {}) {
  const token = csrf;
  try {
    return await askOnce(method, path, body, options);
  } catch (problem) {
    const isOld = problem.status === 403 && method !== "GET" && (token !== csrf || (await renew(token)));
    if (!isOld) throw problem;
    return askOnce(method, path, body, options);
  }
}

/**
 * @param {string} path  below the server's address, without a slash in front
 * @param {{signal?: AbortSignal, isLeaving?: boolean, isQuiet?: boolean}} options  `isLeaving`: the page goes away;
 *   `isQuiet`: that nobody is logged in is no news
 */
async function askOnce(method, path, body, { signal, isLeaving = false, isQuiet = false } = {}) {
  const headers = { "Accept-Language": document.documentElement.lang || "en" };
  if (method !== "GET") headers["X-Errata-CSRF"] = csrf;
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = isFile ? "application/octet-stream" : "application/json";
  const limit = AbortSignal.timeout(isFile ? 10 * TIMEOUT_MS : TIMEOUT_MS);
  let response;
  try {
    response = await fetch(new URL(path, SERVER), {
      method,
      headers,
      body: body === undefined || isFile ? body : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      keepalive: isLeaving,
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0);
  }
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  if (response.status === 401 && !isQuiet) loggedOut();
  throw problemOf(response, answer);
}

/** Fetch a file: `{blob, name, notes}`; `notes` say what its format could not hold. */
export async function fetchFile(path) {
  const headers = { "Accept-Language": document.documentElement.lang || "en" };
  const response = await fetch(new URL(path, SERVER), { cache: "no-store", headers }).catch(() => {
    throw new Problem(0);
  });
  if (!response.ok) throw problemOf(response, await response.json().catch(() => null));
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "") ?? [];
  const notes = decodeURIComponent(response.headers.get("X-Errata-Notes") ?? "");
  return { blob: await response.blob(), name: name ?? "export", notes };
}

function problemOf(response, answer) {
  const line = typeof answer?.detail === "string" ? answer.detail : "";
  const wait = Number(response.headers.get("Retry-After")) || null;
  return new Problem(response.status, line, { facts: answer ?? {}, wait });
}

export const get = (path, options) => ask("GET", path, undefined, options);
export const post = (path, body = {}, options = {}) => ask("POST", path, body, options);
export const putTo = (path, body, options = {}) => ask("PUT", path, body, options);
export const patch = (path, body, options = {}) => ask("PATCH", path, body, options);
export const remove = (path, options = {}) => ask("DELETE", path, undefined, options);

/** A path of the workbench, with its parts escaped: `at("projects", id, "members")`. */
export const at = (...parts) => `workbench/api/${parts.map(encodeURIComponent).join("/")}`;
/** `?a=1&b=2` of what is not null. */
export function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? `?${new URLSearchParams(pairs)}` : "";
}
/** A page of the workbench. */
export const page = (name, values = {}) => new URL(`workbench/${name}${query(values)}`, SERVER).href;
