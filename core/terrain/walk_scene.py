"""The scene of a walk: the ground, obstacles to avoid, and objects to jump over."""

from dataclasses import dataclass, field

from .ground import Plane, ScaledScene, Scene


@dataclass(frozen=True, slots=True)
class WalkScene:
    """Ground, obstacles and jump-over objects of a walk.

    Attributes:
        ground: the ground with its ceilings, including objects to jump over.
        obstacles: objects that block the path at the height of the body, to be avoided; ``None`` without any.
        jump_over: objects to jump over; ``None`` without any.
    """

    ground: Scene = field(default_factory=Plane)
    obstacles: Scene | None = None
    jump_over: Scene | None = None

    def scaled(self, factor: float) -> "WalkScene":
        """Return the scene with every length multiplied by ``factor``, for a body of another size."""
        if factor == 1.0:
            return self
        others = (None if scene is None else ScaledScene(scene, factor) for scene in (self.obstacles, self.jump_over))
        return WalkScene(ScaledScene(self.ground, factor), *others)
