"""Mutants: `python build.py mutants ROOM` makes faults in the code of a room, and runs its tests on each."""
