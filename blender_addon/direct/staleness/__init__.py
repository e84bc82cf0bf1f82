"""Bakes that are out of date: the inputs of each are kept with it, and compared whenever something has changed."""

from .finding import cached_change, register, unregister
from .inputs import first_change, forget_inputs, store_inputs

__all__ = ["cached_change", "first_change", "forget_inputs", "register", "store_inputs", "unregister"]
