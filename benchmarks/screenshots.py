"""The pictures of the playground in the docs: `python -m benchmarks.screenshots [--model DIR …] [--out docs/images]`.

Starts `errata serve` with the bundled models (or those named), opens the page in Chromium as readers do, and takes what
they would see. The texts are the page's own examples, so the pictures show what the models say and nothing else.
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 720}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
MAX_BYTES = 200_000


@contextmanager
def server(models: list[str]) -> Iterator[str]:
    """The address of `errata serve`."""
    options = [part for model in models for part in ("--model", model)]
    command = [sys.executable, "-m", "errata", "serve", "--port", "0", "--no-access-log", "--db", "sqlite://", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if not address:
            raise SystemExit("errata serve did not start: see what it says above")
        yield address
        process.terminate()


def show_card(page: Any) -> None:
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")


def tap_mark(page: Any) -> None:
    box = page.locator("#mirror .mark").nth(1).bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def compare(page: Any) -> None:
    """Accept two suggestions, leave the others, and look at both texts."""
    for key in ("Alt+ArrowDown", "Enter", "Enter", "Escape"):
        page.keyboard.press(key)
    page.click("#tab-compare")


# file name → browser options, example, what to do with it
SHOTS: dict[str, tuple[dict[str, Any], str, Callable[[Any], None]]] = {
    "playground": (DESKTOP, "en", show_card),
    "playground-dark": ({**DESKTOP, "color_scheme": "dark"}, "en", show_card),
    "playground-chinese": ({**DESKTOP, "locale": "zh-CN"}, "zh", show_card),
    "playground-compare": (DESKTOP, "en", compare),
    "playground-phone": (PHONE, "en", tap_mark),
}


def take(browser: Any, address: str, options: dict[str, Any], example: str, act: Callable[[Any], None]) -> bytes:
    """A PNG of the page after `act` on an example."""
    context = browser.new_context(**{"locale": "en-US", **options})
    page = context.new_page()
    page.goto(address)
    page.click(f"#example-{example}")
    page.wait_for_selector("#mirror .mark")
    page.wait_for_selector("#state:not([data-state=busy])")
    act(page)
    page.wait_for_selector("#state:not([data-state=busy])")
    page.wait_for_timeout(400)
    data: bytes = page.screenshot()
    context.close()
    return data


def shrink(png: bytes) -> bytes:
    """The same picture, pixel by pixel, as WebP: half the size."""
    from PIL import Image

    out = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").save(out, "WEBP", lossless=True, quality=100, method=6)
    return out.getvalue()


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--model", action="append", default=[], help="folder or bundled name; the bundled models if none"
    )
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    parser.add_argument("--only", action="append", choices=SHOTS, help="take these only")
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is not here: apt-get install chromium fonts-noto-cjk")
    asked.out.mkdir(parents=True, exist_ok=True)
    with server(asked.model) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in asked.only or SHOTS:
            data = shrink(take(browser, address, *SHOTS[name]))
            assert len(data) <= MAX_BYTES, f"{name}.webp has {len(data)} bytes"
            (asked.out / f"{name}.webp").write_bytes(data)
            print(f"{asked.out / name}.webp\t{len(data)} bytes")
        browser.close()


if __name__ == "__main__":
    main()
