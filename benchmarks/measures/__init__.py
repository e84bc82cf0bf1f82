"""Measures of motion that only the benchmarks take."""
