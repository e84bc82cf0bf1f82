"""The final part of every bake, its edits, and its quality."""
