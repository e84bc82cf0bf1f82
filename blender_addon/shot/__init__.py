"""The tail of every bake, its edits, and its quality."""
