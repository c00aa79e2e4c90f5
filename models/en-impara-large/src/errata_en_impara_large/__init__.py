"""en-impara-large, a model of errata for English: `--model en-impara-large`."""
