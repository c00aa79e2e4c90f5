"""Every speed benchmark that needs no model, one after the other: `python -m benchmarks.speed`."""

import subprocess
import sys

for name in ("english", "maxmatch", "chinese", "robust", "synth", "training"):
    print(f"== {name}", flush=True)
    subprocess.run([sys.executable, "-m", f"benchmarks.speed.{name}"], check=True)
