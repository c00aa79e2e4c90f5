"""en-some, a model of errata for English: `--model en-some`."""
