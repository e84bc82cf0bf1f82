"""All that touches Blender."""

from .registration import register, unregister

__all__ = ["register", "unregister"]
