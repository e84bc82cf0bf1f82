"""All code that depends on Blender."""

from .registration import register, unregister

__all__ = ["register", "unregister"]
