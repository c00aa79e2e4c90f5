"""What neural systems share: encoders, subwords, weights on disk, and runtimes without torch."""
