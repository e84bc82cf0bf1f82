"""The named layout of every network's input and output."""
