"""The tables of ``docs/benchmarks.md``: ``python -m footfall.benchmarks [--only NAME ...]``, one module a table."""
