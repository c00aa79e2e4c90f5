"""zh-impara, a model of errata for Chinese: `--model zh-impara`."""
