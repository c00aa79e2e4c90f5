"""en-base, a model of errata for English: `--model en-base`."""
