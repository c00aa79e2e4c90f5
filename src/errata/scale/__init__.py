"""Long inputs cut into shards, run one by one or on a Ray cluster, kept when done, and joined in order."""
