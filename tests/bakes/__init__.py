"""Bakes of random scenes: `python build.py bakes` draws paths, grounds, crowds, tasks and strikes."""
