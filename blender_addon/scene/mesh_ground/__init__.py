"""A scene's meshes of any type as ground to walk on, including moving ones."""

from .clock import Clock
from .ground import SceneGeometry, SceneGround

__all__ = ["Clock", "SceneGeometry", "SceneGround"]
