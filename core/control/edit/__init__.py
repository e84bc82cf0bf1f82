"""Edits of finished motion: poses that an animator keeps."""
