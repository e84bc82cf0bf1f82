"""Feet on the ground: foot locking, footholds, swing clearance and ducking under ceilings."""
