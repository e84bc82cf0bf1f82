"""Bakes that are out of date: the inputs of each are kept with it, and compared whenever something has changed."""

from .finding import cached_change, register, unregister
from .inputs import edits_checksum, first_change, shot_checksum, store_inputs

__all__ = ["cached_change", "edits_checksum", "first_change", "register", "shot_checksum", "store_inputs", "unregister"]
