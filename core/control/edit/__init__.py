"""Edits of finished motion: key poses, edited steps, other timing, and inserted clips."""
