"""Paths by arc length, and what lies along them: terrain, velocity, events and waypoints."""
