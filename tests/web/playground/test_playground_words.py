"""The playground page: what it says in both languages, and whether everybody can read and press it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from importlib.resources import files

import pytest
from playground_page import Playground

OPERATIONS = {"en": "MUR", "zh": "MRSW"}  # the first letter of a type
TEXT = "He go to teh park.\nShe met her freinds there."


def test_confidence_is_told_in_words(page: Playground) -> None:
    page.open_settings()
    page.page.check("[name=preset][value=eager]", force=True)
    page.write("A nice dog. He go to the informations.")
    assert page.page.locator("#list .sure").all_inner_texts() == ["Unsure", "Almost certain", "Likely"]
    assert page.page.locator("#list .sure").nth(2).get_attribute("title") == "The model is 75 % sure"
    assert "%" not in page.page.inner_text("body")
    page.page.click("[data-ui=zh]")
    page.settle()
    assert page.page.locator("#list .sure").all_inner_texts() == ["不太确定", "几乎确定", "很可能"]


def test_a_confidence_that_is_not_given_is_not_guessed(page: Playground) -> None:
    def answer(route) -> None:
        response = route.fetch()
        body = response.json()
        for edit in body["results"][0]["edits"]:
            edit["confidence"] = None
        route.fulfill(response=response, json=body)

    page.page.route("**/v1/correct", answer)
    page.write("teh park")
    assert page.page.inner_text("#list .sure") == "Not rated"
    assert page.page.get_attribute("#list .sure", "title") is None


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("", "0 words", "0 个单词"),
        ("One", "1 word", "1 个单词"),
        ("Don't be so well-known, please: 1,000.5 times!", "7 words", "7 个单词"),
        ("  — … 😀 \n\n ", "0 words", "0 个单词"),
        ("naïve cafe\u0301 Мир\nend.Next", "5 words", "5 个单词"),
        ("我们吃了午饭，很好。", "8 Chinese characters", "8 字"),
        ("我用Python 3写了2个程序。", "7 Chinese characters · 3 words", "7 字 · 3 个单词"),
        ("word " * 1234, "1,234 words", "1,234 个单词"),
    ],
    ids=["empty", "one", "joined", "signs", "letters", "chinese", "mixed", "many"],
)
def test_the_length_is_counted_as_readers_do(page: Playground, text: str, english: str, chinese: str) -> None:
    page.page.fill("#text", text)
    page.drawn()
    assert page.page.inner_text("#length") == english
    page.page.click("[data-ui=zh]")
    page.drawn()
    assert page.page.inner_text("#length") == chinese


def test_the_length_follows_every_change(page: Playground) -> None:
    page.write("He go to teh park.\nI went school.")
    assert page.page.inner_text("#length") == "8 words"
    page.page.click("#accept-all")
    page.drawn()
    assert page.page.inner_text("#length") == "9 words"
    page.press("Control+z")
    assert page.page.inner_text("#length") == "8 words"


def every_type() -> list[str]:
    """Every type of error that the server can send."""
    rules = tomllib.loads(files("errata.edits.explain").joinpath("rules.toml").read_text("utf-8"))["rules"]
    pairs = [
        (operation, category)
        for language in OPERATIONS
        for category in rules[language]
        for operation in OPERATIONS[language]
    ]
    return sorted({f"{operation}:{category}".rstrip(":") for operation, category in pairs})


def test_every_type_has_a_name_in_both_languages(page: Playground) -> None:
    names = page.page.evaluate(
        """async (types) => {
          const { kindOf, KINDS, nameOfType } = await import('/lib/kinds.js');
          return types.map((it) => [it, nameOfType(it, 'en'), nameOfType(it, 'zh'), KINDS.includes(kindOf(it))]);
        }""",
        every_type(),
    )
    assert len(names) > 80
    assert [it for it, english, _, _ in names if not re.match("[A-Z的]", english) or english == it] == []
    assert [it for it, _, chinese, _ in names if not re.search("[\u4e00-\u9fff]", chinese)] == []
    assert all(has_kind for *_, has_kind in names)


def test_spelling_is_not_called_a_wrong_character(open_page: Callable[..., Playground]) -> None:
    """English has spelling (拼写); wrong characters (错别字) are Chinese."""
    page = open_page(locale="zh-CN")
    page.write("My freinds.\n我门走。")
    assert page.page.locator("#list .about").all_inner_texts() == ["拼写\n几乎确定", "错别字\n几乎确定"]
    page.page.click("[data-ui=en]")
    page.settle()
    assert page.page.locator("#list .about").all_inner_texts() == [
        "Spelling\nAlmost certain",
        "Wrong character\nAlmost certain",
    ]


def test_both_languages_say_everything(page: Playground) -> None:
    missing = page.page.evaluate(
        """async () => {
          const { say } = await import('/static/messages.js');
          const source = await (await fetch('/static/messages.js')).text();
          const keys = [...source.matchAll(/^  "?([\\w-]+)"?: /gm)].map(it => it[1]);
          return [...new Set(keys)].filter(key => ['en', 'zh'].some(ui => !say(ui, key, 1, 2)));
        }"""
    )
    assert missing == []


# The texts on the page whose contrast with what is behind them is less than WCAG's AA asks for.
TOO_FAINT = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const behind = (it) => {
    const below = it.parentElement ? behind(it.parentElement) : [255, 255, 255, 1];
    return over(rgba(getComputedStyle(it).backgroundColor), below);
  };
  const light = ([r, g, b]) => [r, g, b]
    .map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const faint = [];
  for (const it of document.querySelectorAll('body *:not(option)')) {
    const isText = [...it.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!isText || !it.checkVisibility() || it.closest('#mirror, [aria-disabled=true], :disabled')) continue;
    const ground = behind(it);
    const [a, b] = [light(over(rgba(getComputedStyle(it).color), ground)), light(ground)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faint.push(`${it.tagName}.${it.className} “${it.textContent.trim()}” ${contrast.toFixed(2)}`);
  }
  return faint;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_is_easy_to_read(open_page: Callable[..., Playground], scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    page.open_settings()
    page.page.check("[name=preset][value=eager]", force=True)
    page.write("A nice dog. It is very good, he had informations.\n" + TEXT + " Teh" * 3)
    page.page.click("#list .go >> nth=0")
    assert page.page.evaluate(TOO_FAINT) == []
    page.page.click("#filter button >> nth=0")
    page.page.click("#tab-compare")
    page.drawn()
    assert page.page.evaluate(TOO_FAINT) == []


def test_nothing_moves_for_those_who_want_no_motion(open_page: Callable[..., Playground]) -> None:
    page = open_page(reduced_motion="reduce")
    moving = """() => [...document.querySelectorAll('body *')].filter((it) => {
      const { transitionDuration, animationName } = getComputedStyle(it);
      return parseFloat(transitionDuration) > 0 || animationName !== 'none';
    }).length"""
    assert page.page.evaluate(moving) == 0


def test_everything_to_press_has_a_name(page: Playground) -> None:
    page.open_settings()
    page.write(TEXT)
    page.press("Alt+ArrowDown")
    nameless = page.page.locator(":is(button, select, input, textarea):visible").evaluate_all(
        "them => them.filter(it => !(it.getAttribute('aria-label') || it.textContent.trim() || it.labels?.length))"
        ".map(it => it.outerHTML)"
    )
    assert nameless == []
