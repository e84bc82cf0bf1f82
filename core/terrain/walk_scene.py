"""All that a walk has to do with: what is walked on, what is kept away from, what is jumped over."""

from dataclasses import dataclass, field

from .ground import Plane, ScaledScene, Scene


@dataclass(frozen=True, slots=True)
class WalkScene:
    """The scene as a walk knows it.

    Attributes:
        ground: what is walked on, ceilings included; what is jumped over is part of it.
        obstacles: what is gone round: it blocks the way wherever it has a surface at the height of a body.
        jump_over: what is jumped over.
    """

    ground: Scene = field(default_factory=Plane)
    obstacles: Scene | None = None
    jump_over: Scene | None = None

    def scaled(self, factor: float) -> "WalkScene":
        """Return the same, every length multiplied by ``factor``: for a body of another size."""
        if factor == 1.0:
            return self
        others = (None if one is None else ScaledScene(one, factor) for one in (self.obstacles, self.jump_over))
        return WalkScene(ScaledScene(self.ground, factor), *others)
