"""Paths by arc length, with their terrain, velocity, events and waypoints."""
