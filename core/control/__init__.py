"""Paths, speed plans, the network's runtime, foot locks, and the walk that puts them together."""
