"""Shards on two Ray nodes, one of which is killed, beside one process."""
