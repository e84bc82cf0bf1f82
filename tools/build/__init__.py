"""The commands of build.py, with only the standard library: they run before any environment exists."""
