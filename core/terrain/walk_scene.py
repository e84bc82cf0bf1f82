"""The scene as a walk knows it: ground, obstacles, and what is jumped over."""

from dataclasses import dataclass, field

from .ground import Plane, ScaledScene, Scene


@dataclass(frozen=True, slots=True)
class WalkScene:
    """The scene as a walk knows it.

    Attributes:
        ground: the ground with its ceilings; objects that are jumped over are part of it.
        obstacles: objects that block the path at the height of the body and are avoided.
        jump_over: objects that are jumped over.
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
