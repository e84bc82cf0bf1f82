"""Directing a character along a path: baking, waypoints, path events, crowds and the live preview."""
