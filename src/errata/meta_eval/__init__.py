"""Metrics judged against people: what a metric says of corrections, beside what people say of them."""
