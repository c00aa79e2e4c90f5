"""Statistics over scores: intervals and tests of differences (`resampling`)."""
