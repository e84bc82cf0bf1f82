"""The commands of build.py, in the standard library alone: they run before any environment exists."""
