"""The page's model of a text (manuscript.js) under whatever people do to it, in the browser that will run it."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playground_page import Playground

PIECES = [
    "teh",
    " very",
    "went school",
    "aa",
    "\n",
    " ",
    ".",
    "😀",
    "𝒳",
    "e\u0301",
    "我门",
    "x",
    "\ud83d",
    "<b>",
    "\n\n",
]
texts = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
share = st.floats(0, 1)
actions = st.one_of(
    st.tuples(st.just("type"), share, st.integers(0, 4), texts),
    st.tuples(st.sampled_from(["accept", "dismiss"]), share),
    st.tuples(st.sampled_from(["check", "acceptAll", "acceptSome", "dismissAll", "undo", "redo"])),
)

# Does what it is told, and after every step looks for what must never be. Answers with what it found.
DRIVE = r"""
async ({ start, steps }) => {
  const { Manuscript } = await import('/lib/manuscript.js');
  const { applyEdits } = await import('/lib/spans.js');
  const RULES = [
    [/teh/g, 'the'], [/ very/g, ''], [/(?<=went)(?= school)/g, ' to'], [/a/g, 'bb'], [/门/g, '们'], [/𝒳/g, 'x'],
  ];
  const suggest = (text) => RULES.flatMap(([pattern, replacement]) => [...text.matchAll(pattern)].map((it) => ({
    start: it.index, end: it.index + it[0].length, original: it[0], replacement, confidence: 1,
  }))).sort((a, b) => a.start - b.start);
  const manuscript = new Manuscript(start, () => true);
  const faults = [];
  const expect = (is, what) => is || faults.push(what);
  let area = start; // what the text area holds: typed by hand, else changed as the events say
  manuscript.addEventListener('text', ({ detail }) => {
    if (!detail.isTyping) area = applyEdits(area, [detail.edit]);
    const { start, end } = detail.selection;
    expect(0 <= start && start <= end && end <= manuscript.text.length, 'selection outside the text');
  });
  const apart = (spans, length) => spans.every((it, i) =>
    it.start <= it.end && it.end <= length && (i === 0 || spans[i - 1].end <= it.start));
  const look = (step) => {
    const { text, paragraphs, suggestions, changes, accepted } = manuscript;
    expect(area === text, `${step}: text area and manuscript differ`);
    expect(paragraphs.map((it) => it.text).join('\n') === text, `${step}: paragraphs are not the text`);
    expect(paragraphs.every((p) => p.suggestions.every((it) => p.text.slice(it.start, it.end) === it.original)),
      `${step}: a suggestion is not where its words are`);
    expect(suggestions.every((it) => text.slice(it.start, it.end) === it.suggestion.original), `${step}: misplaced`);
    expect(apart(suggestions, text.length) && apart(accepted, text.length), `${step}: spans overlap`);
    const results = changes.map((it) => ({ start: it.start, end: it.end, replacement: it.result }));
    expect(applyEdits(text, results) === manuscript.corrected, `${step}: the comparison shows another result`);
  };
  const originalText = () =>
    applyEdits(manuscript.text, manuscript.changes.map((it) => ({ ...it, replacement: it.original })));
  const caret = { start: 0, end: 0 };
  const pick = (share) => manuscript.suggestions.slice(Math.floor(share * manuscript.suggestions.length)).slice(0, 1);
  const DO = {
    type(share, nDeleted, inserted) {
      const at = Math.floor(share * area.length);
      const edit = { start: at, end: Math.min(area.length, at + nDeleted), replacement: inserted };
      area = applyEdits(area, [edit]);
      manuscript.write(area, { start: at, end: at }, { start: at + inserted.length, end: at + inserted.length });
    },
    accept(share) {
      const [it] = pick(share);
      const expected = it && applyEdits(area, [{ ...it, replacement: it.suggestion.replacement }]);
      const original = originalText();
      manuscript.accept(it ? [it] : [], caret);
      expect(!it || area === expected, 'accepting changed something else');
      expect(originalText() === original, 'accepting changed the original');
    },
    dismiss(share) {
      const [it] = pick(share);
      const n = manuscript.suggestions.length;
      manuscript.dismiss(it ? [it] : [], caret);
      expect(manuscript.suggestions.length === n - (it ? 1 : 0), 'dismissing did not take away one');
    },
    acceptAll() {
      const { corrected } = manuscript;
      const original = originalText();
      manuscript.accept(manuscript.suggestions, caret);
      expect(area === corrected, 'accepting all did not give the corrected text');
      expect(originalText() === original, 'accepting all changed the original');
    },
    acceptSome() {
      const some = manuscript.suggestions.filter((_, i) => i % 2 === 0).map((it) => ({ ...it, replacement: 'zzz' }));
      const expected = applyEdits(area, some);
      const left = manuscript.suggestions.length - some.length;
      manuscript.accept(some, caret);
      expect(area === expected, 'accepting some changed something else');
      expect(manuscript.suggestions.length === left, 'accepting some took others away, or left what was accepted');
    },
    dismissAll: () => manuscript.dismiss(manuscript.suggestions, caret),
    check: () => manuscript.answer(manuscript.paragraphs.map((paragraph) =>
      ({ paragraph, suggestions: suggest(paragraph.text), checkedAs: paragraph.text }))),
    undo: () => manuscript.undo(),
    redo: () => manuscript.redo(),
  };
  for (const [name, ...args] of [['check'], ...steps]) {
    DO[name](...args);
    look(name);
  }
  const states = [];
  const state = () => JSON.stringify([area, manuscript.accepted, manuscript.dismissed]);
  while (manuscript.canUndo) { states.push(state()); manuscript.undo(); look('undo'); }
  expect(state() === JSON.stringify([start, [], []]), 'undoing everything does not lead to the start');
  while (manuscript.canRedo && states.length) {
    manuscript.redo();
    look('redo');
    expect(state() === states.pop(), 'redo is not the way undo came');
  }
  while (manuscript.canRedo) manuscript.redo();
  return faults;
}
"""


def test_nothing_people_do_breaks_the_text(page: Playground) -> None:
    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(texts, st.lists(actions, max_size=14))
    def check(start: str, steps: list[tuple[Any, ...]]) -> None:
        assert page.page.evaluate(DRIVE, {"start": start, "steps": steps}) == []

    check()


def test_the_shortest_edit_leads_from_one_text_to_another(page: Playground) -> None:
    compare = """async ([before, after]) => {
      const { applyEdits, editBetween, inverse } = await import('/lib/spans.js');
      const edit = editBetween(before, after);
      if (edit === null) return before === after;
      const isBack = applyEdits(after, inverse(before, [edit])) === before;
      return isBack && applyEdits(before, [edit]) === after && (edit.end > edit.start || edit.replacement !== '');
    }"""

    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(texts, texts)
    def check(before: str, after: str) -> None:
        assert page.page.evaluate(compare, [before, after])

    check()
