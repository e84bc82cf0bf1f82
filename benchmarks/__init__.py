"""The tables of the benchmarks: ``python -m footfall.benchmarks [--only NAME ...]``, one module for each table."""
