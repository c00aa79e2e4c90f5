"""What `GET /metrics` shows, in Prometheus's text format."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """The instruments of one app; each app has its own registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"errata_{name}", text, labels, registry=self.registry)

        def histogram(name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
            return Histogram(f"errata_{name}", text, labels, buckets=buckets, registry=self.registry)

        self.requests = counter("requests", "Requests answered.", "method", "path", "status")
        self.request_seconds = histogram("request_seconds", "Seconds from request to answer.", SECONDS, "path")
        self.wait_seconds = histogram("wait_seconds", "Seconds a request waited for its model.", SECONDS, "language")
        self.batch_seconds = histogram("batch_seconds", "Seconds a batch took in the model.", SECONDS, "language")
        self.batch_sentences = histogram(
            "batch_sentences", "Sentences, or segments of long ones, corrected at once.", SIZES, "language"
        )
        self.sentences = counter("sentences", "Sentences asked for, by where the answer came from.", "language", "from")
        self.edits = counter("edits", "Edits proposed to clients.", "language")
        self.dropped = counter("dropped", "Requests dropped because the client went away or time ran out.", "language")
        self._queued = Gauge("errata_queued_requests", "Requests waiting.", ["language"], registry=self.registry)
        self._begun = Gauge(
            "errata_begun_requests", "Requests for corrections that are begun and not done.", registry=self.registry
        )

    def watch_queue(self, language: str, size: Callable[[], int]) -> None:
        """Read the length of a queue whenever somebody asks."""
        self._queued.labels(language).set_function(size)

    def watch_begun(self, count: Callable[[], int]) -> None:
        """Read how many requests for corrections are begun and not done whenever somebody asks."""
        self._begun.set_function(count)

    def render(self) -> bytes:
        return generate_latest(self.registry)
