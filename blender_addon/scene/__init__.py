"""Surroundings of a character in a scene: paths, ground, obstacles and objects."""
