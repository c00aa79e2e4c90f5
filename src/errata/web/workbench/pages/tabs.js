/** The tabs of one person tell each other what they did with a task. Where browsers cannot, the server says it later. */
export class Tabs {
  #channel;

  /** @param {string} name  who listens: one channel for one person  @param {(news: object) => void} hear */
  constructor(name, hear) {
    this.#channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`errata.workbench.${name}`);
    this.#channel?.addEventListener("message", ({ data }) => hear(data));
  }

  /** @param {{task: string, what: "saved" | "submitted", version?: number}} news */
  tell(news) {
    this.#channel?.postMessage(news);
  }
}
