"""What neural systems share: encoders, subwords, weights on disk, and ways to run them without torch."""
