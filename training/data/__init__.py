"""Data sets: clips, their features in shards, normalization and samples."""
