"""en-open, a model of errata for English: `--model en-open`."""
