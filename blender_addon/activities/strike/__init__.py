"""Targets of strikes, and weapons in hands."""
