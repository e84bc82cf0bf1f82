"""Inserted clips: actions within a walk, with transitions into and out of them."""
