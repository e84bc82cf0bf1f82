"""Feet on the ground: foot locks, footholds and swing clearance."""
