/**
 * The list goes along with the text. Scrolling the text scrolls the list to what is now to be seen; moving the caret
 * brings the suggestion at the caret, or the nearest one, into view.
 */
export class Follow {
  #area;
  #list;
  #review;
  #scrolling = 0;
  #moving = 0;
  #located = [];

  constructor(area, list, review, scroller) {
    this.#area = area;
    this.#list = list;
    this.#review = review;
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    document.addEventListener("selectionchange", () => area.hasFocus && this.#caretMoved());
  }

  /** The suggestions to follow, in order. When there are others, the list stays where the caret is. */
  set located(located) {
    if (located === this.#located) return;
    this.#located = located;
    if (this.#area.hasFocus) this.#caretMoved();
  }

  /** The suggestion to highlight: the one that is looked at, or the one at the caret; null if there is neither. */
  get current() {
    return this.#review.active ?? this.#atCaret;
  }

  get #atCaret() {
    const { start, end } = this.#area.selection;
    const located = this.#located[this.#nearest(start)];
    return located && located.start <= start && end <= located.end ? located.suggestion : null;
  }

  /** Both wait for the next frame: by then, what was typed is drawn, and is laid out once. */
  #caretMoved() {
    this.#moving ||= requestAnimationFrame(() => {
      this.#moving = 0;
      this.#list.highlight(this.current);
      this.#list.reveal(this.#nearest(this.#area.selection.start));
    });
  }

  #scrolled() {
    this.#scrolling ||= requestAnimationFrame(() => {
      this.#scrolling = 0;
      this.#align();
      this.#showActive();
    });
  }

  /** The suggestion that a card is about stays in view in the list too. */
  #showActive() {
    const { active } = this.#review;
    const place = active && this.#area.place(active);
    const { top, bottom } = this.#area.frame;
    if (!place || place.bottom < top || place.top > bottom) return;
    this.#list.reveal(this.#located.findIndex(({ suggestion }) => suggestion === active));
  }

  /**
   * Scroll the list as far as the text: a line as far down the visible text as the text is scrolled, and the suggestion
   * at that line as far down the list. So both begin together, end together, and never jump.
   */
  #align() {
    const all = this.#located;
    if (!all.length || !this.#list.canScroll) return;
    const { ratio, line } = this.#area.view;
    const top = (i) => this.#area.place(all[i].suggestion)?.top ?? Infinity;
    const next = firstWhere(all.length, (i) => top(i) > line);
    const before = Math.max(0, next - 1);
    const after = Math.min(next, all.length - 1);
    const between = top(after) - top(before);
    const share = between > 0 && Number.isFinite(between) ? Math.max(0, (line - top(before)) / between) : 0;
    this.#list.align(before, after, share, ratio);
  }

  /** The index of the first suggestion that ends at `position` or later, or of the last one. */
  #nearest(position) {
    const all = this.#located;
    return Math.min(firstWhere(all.length, (i) => all[i].end >= position), all.length - 1);
  }
}

/** The first of the indices 0 … n − 1 for which `isReached`, which holds from some index on; n if for none. */
function firstWhere(n, isReached) {
  let [low, high] = [0, n];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
