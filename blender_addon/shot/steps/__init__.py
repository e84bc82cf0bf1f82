"""Edited steps of a bake: moved footprints, prolonged contacts, retimed stretches."""
