"""Edits of finished motion: poses that an animator keeps, and clips that are inserted."""
