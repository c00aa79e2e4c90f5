"""The curve of a run, drawn from its log: loss, learning rate and dev scores over the steps."""

from __future__ import annotations

import logging
from pathlib import Path

from errata.files import replacing
from errata.training.log import read_log

logger = logging.getLogger(__name__)


def plot_log(log: Path, image: Path) -> bool:
    """Draw `log` into `image` (PNG); False, with a line in the log, where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        logger.info("no loss plot: matplotlib is not installed")
        return False
    records = read_log(log)
    steps = [r for r in records if r["event"] == "step"]
    evaluations = [r for r in records if r["event"] == "evaluation"]
    figure = Figure(figsize=(8, 7), layout="constrained")
    loss, scores = figure.subplots(2, 1, sharex=True)
    loss.plot([r["step"] for r in steps], [r["loss"] for r in steps], label="loss")
    loss.set_ylabel("loss")
    rate = loss.twinx()
    rate.plot([r["step"] for r in steps], [r["lr"] for r in steps], color="tab:gray", linestyle=":")
    rate.set_ylabel("learning rate (dotted)")
    for name in sorted({name for r in evaluations for name in r["scores"]}):
        points = [(r["step"], r["scores"][name]) for r in evaluations if name in r["scores"]]
        scores.plot(*zip(*points, strict=True), marker="o", label=name)
    if evaluations:
        scores.legend()
    scores.set_ylabel("dev scores")
    scores.set_xlabel("step")
    with replacing(image) as beside:
        figure.savefig(beside, format="png", dpi=120)
    return True
