"""Families with controllers that are fitted to samples instead of trained step by step."""
