"""Interactions with objects: tasks, their sequencer, attachment and doors."""
