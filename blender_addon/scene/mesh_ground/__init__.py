"""A scene's meshes as ground to walk on, whatever they are made of and however they move."""

from .clock import Clock
from .ground import SceneGeometry, SceneGround

__all__ = ["Clock", "SceneGeometry", "SceneGround"]
