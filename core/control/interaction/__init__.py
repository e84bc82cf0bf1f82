"""Interactions with objects: tasks, the sequencer that runs them, attachment of objects to hands, and doors."""
