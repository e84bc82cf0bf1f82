"""Crowd planning: trajectories of several agents that do not collide."""
