"""Edits of finished motion: key poses, edited steps, changed timing, and inserted clips."""
