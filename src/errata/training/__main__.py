"""`python -m errata.training RECIPE`: `errata train` without the command line's packages, for bare GPU machines."""

from __future__ import annotations

import argparse
import os
import sys

from errata.errors import ErrataError
from errata.logs import speak_utf8
from errata.training.run import run_recipe


def main() -> int:
    """Parse, run, and turn errors into one line and an exit status."""
    speak_utf8()
    parser = argparse.ArgumentParser(prog="python -m errata.training", description="Train a system from a recipe.")
    parser.add_argument("recipe", metavar="RECIPE", help="a YAML file, or the name of a recipe that comes with errata")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    again.add_argument("--restart", action="store_true", help="throw the run's checkpoints and log away first")
    parser.add_argument("--prepare-only", action="store_true", help="read and pack the data, then stop")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1 …")
    given = parser.parse_args()
    try:
        return run_recipe(
            given.recipe,
            given.set,
            resume=given.resume,
            restart=given.restart,
            prepare_only=given.prepare_only,
            device=given.device,
        )
    except ErrataError as error:
        if os.environ.get("ERRATA_DEBUG"):
            raise
        print(f"errata: {error}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
