"""Data sets: clips analyzed and converted to samples in shards, with their normalization."""
