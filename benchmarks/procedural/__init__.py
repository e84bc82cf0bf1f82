"""Procedural motion whose contacts, strikes and phase are known exactly, because its feet are put where they are."""

from .scenes import Scene, dropped, scene, scenes

__all__ = ["Scene", "dropped", "scene", "scenes"]
