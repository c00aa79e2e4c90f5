"""What people see in place of a page: what happened and what to do, in English or Chinese.

The page is whole in itself: it must be readable when the server has trouble to serve anything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from http import HTTPStatus

# Languages of the page by the prefix of what browsers ask for, and how the page names them; the first is the default.
LANGUAGES = {"en": "en", "zh": "zh-Hans"}
# Languages that are read of a browser's list: nobody speaks more, and somebody may send thousands.
MAX_LANGUAGES = 20

HOME = {"en": "Go to the first page", "zh": "回到首页"}

# The header of the page allows exactly this style (`headers`): a change of it is a change of its digest there.
STYLE = """
:root { color-scheme: light dark; --ground: #f5f4f0; --paper: #fff; --ink: #1d2126; --quiet: #5b626c; --line: #e0ded7;
  --accent: #0f6e66; --accent-ink: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171a; --paper: #1b1f23; --ink: #e7e6e1; --quiet: #a3aab2; --line: #30363c; --accent: #5ccabb;
    --accent-ink: #0b2521; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--ground);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC",
  "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
main { width: 100%; max-width: 34rem; padding: 28px; background: var(--paper); border: 1px solid var(--line);
  border-radius: 14px; overflow-wrap: anywhere; }
h1 { margin: 4px 0 12px; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 12px; }
.status, .detail { color: var(--quiet); }
.status { margin: 0; font-weight: 600; }
.detail { font-size: 0.9rem; }
a { display: inline-block; margin-top: 8px; padding: 9px 16px; border-radius: 9px; background: var(--accent);
  color: var(--accent-ink); text-decoration: none; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
"""


@dataclass(frozen=True, slots=True)
class Words:
    """What happened and what to do about it, in one language."""

    title: str
    advice: str


WORDS: dict[int, dict[str, Words]] = {
    400: {
        "en": Words("This request cannot be understood", "Check the address, or begin again at the first page."),
        "zh": Words("无法理解这个请求", "请检查网址，或从首页重新开始。"),
    },
    401: {
        "en": Words("You are not logged in", "Log in, and then open this page again."),
        "zh": Words("您尚未登录", "请先登录，再打开此页面。"),
    },
    403: {
        "en": Words("This is not allowed", "If you think it should be, ask whoever runs this server."),
        "zh": Words("不允许这样做", "如果您认为应当允许，请联系此服务器的管理者。"),
    },
    404: {
        "en": Words("There is no such page", "Check the address for typing mistakes, or begin at the first page."),
        "zh": Words("没有这个页面", "请检查网址是否有误，或从首页开始。"),
    },
    405: {
        "en": Words("This address is not a page", "It is for programs. Begin at the first page."),
        "zh": Words("这个网址不是页面", "它是供程序使用的。请从首页开始。"),
    },
    408: {
        "en": Words("The request did not arrive in time", "Check your connection, and load the page again."),
        "zh": Words("请求没有及时到达", "请检查网络连接，然后重新加载页面。"),
    },
    413: {
        "en": Words("This is too long", "Send less at a time."),
        "zh": Words("内容过长", "请减少一次发送的内容。"),
    },
    429: {
        "en": Words("Too many attempts", "Wait a few minutes, and then try again."),
        "zh": Words("尝试次数过多", "请等待几分钟后再试。"),
    },
    500: {
        "en": Words(
            "Something went wrong on the server",
            "It is not your fault. Try again; if it happens again, tell whoever runs this server.",
        ),
        "zh": Words("服务器出错了", "这不是您的问题。请再试一次；如果再次出现，请告知此服务器的管理者。"),
    },
    503: {
        "en": Words("The server is busy", "Wait a few seconds, and then load the page again."),
        "zh": Words("服务器繁忙", "请稍等几秒，然后重新加载页面。"),
    },
    504: {
        "en": Words("This took too long", "The server has much to do. Wait a little, and then load the page again."),
        "zh": Words("处理时间过长", "服务器正忙。请稍等片刻，然后重新加载页面。"),
    },
}

_PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{status} · {title} · errata</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main>
<p class="status">errata · {status}</p>
<h1>{title}</h1>
<p>{advice}</p>
<p class="detail" lang="en">{detail}</p>
<a href="{home}">{home_words}</a>
</main>
</body>
</html>
"""


def error_page(status: int, detail: str, *, language: str, home: str = "/") -> str:
    """The HTML of a page that says what happened; `detail` is one line about this request, in English."""
    words = find_words(status)[language]
    return _PAGE.format(
        lang=LANGUAGES[language],
        status=status,
        title=escape(words.title),
        style=STYLE,
        advice=escape(words.advice),
        detail=escape(detail),
        home=escape(home),
        home_words=escape(HOME[language]),
    )


def find_words(status: int) -> dict[str, Words]:
    """What is said of a status, by language; those we have no words for are like the first of their kind."""
    if status in WORDS:
        return WORDS[status]
    return WORDS[HTTPStatus.INTERNAL_SERVER_ERROR if status >= 500 else HTTPStatus.BAD_REQUEST]


def choose_language(accepted: str) -> str:
    """The language of the page for an `Accept-Language` header: the one of ours that it likes best.

    >>> choose_language("zh-CN,zh;q=0.9,en;q=0.8"), choose_language("fr, en;q=0.5, zh;q=0.3"), choose_language("")
    ('zh', 'en', 'en')
    """
    best, best_weight = next(iter(LANGUAGES)), 0.0
    for wish in accepted.split(",", MAX_LANGUAGES)[:MAX_LANGUAGES]:
        name, _, weight = wish.partition(";")
        language = name.strip().lower().partition("-")[0]
        if language in LANGUAGES and _weight(weight) > best_weight:
            best, best_weight = language, _weight(weight)
    return best


def _weight(parameter: str) -> float:
    """The number in `q=0.8`: 1 where there is none, 0 where it makes no sense."""
    name, _, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    digits = value.strip().replace(".", "", 1)
    if name.strip().lower() != "q" or not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        return 0.0
    return min(1.0, float(value))
