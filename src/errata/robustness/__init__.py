"""Whether a corrector makes the same corrections when words that have nothing to do with the errors change.

The package is not called `robust`, because `errata.robust` is the verb.
"""
