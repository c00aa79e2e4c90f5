"""en-impara, a model of errata for English: `--model en-impara`."""
