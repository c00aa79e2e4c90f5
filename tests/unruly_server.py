"""A server that misbehaves as it is told, and where the tests' sentences are."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from errata.training.shipped import FOLDER

PAIRS = FOLDER / "data" / "tagger-pairs.en.tsv"


@dataclass
class Unruly:
    """A server that answers as it is told: a list of (status, headers, body), the last for ever after."""

    script: list[tuple[int, dict[str, str], str]]
    address: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    most_at_once: int = 0


def said(text: str, finish: str = "stop") -> str:
    """The body of a chat completion."""
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": finish}], "usage": usage})


@contextmanager
def unruly(
    *script: tuple[int, dict[str, str], str], delay: float = 0.0, reply: Callable[[dict[str, Any]], str] | None = None
) -> Iterator[Unruly]:
    """The server; when the script is at its last line, `reply` makes the answer from a request's body, if given."""
    told = Unruly(list(script))
    lock = threading.Lock()
    busy = 0

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            nonlocal busy
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                busy += 1
                told.most_at_once = max(told.most_at_once, busy)
                told.requests.append({"path": self.path, "body": body, "key": self.headers.get("Authorization")})
                is_last = len(told.script) == 1
                status, headers, text = told.script[0] if is_last else told.script.pop(0)
                if is_last and reply is not None:
                    text = said(reply(body))
            time.sleep(delay)
            with lock:
                busy -= 1
            try:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())
            except OSError:
                pass  # the client has given up waiting, as it should

        def log_message(self, format: str, *args: Any) -> None:
            pass

    web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.address = f"http://127.0.0.1:{web.server_port}/v1"
    thread = threading.Thread(target=web.serve_forever, args=(0.01,), daemon=True)  # seconds until it ends
    thread.start()
    try:
        yield told
    finally:
        web.shutdown()
        web.server_close()
        thread.join()
