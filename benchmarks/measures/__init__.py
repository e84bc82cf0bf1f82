"""Measures of motion used only by the benchmarks."""
