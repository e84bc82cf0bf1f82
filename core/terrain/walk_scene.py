"""All that a walk has to do with: what is walked on, what is kept away from, what is jumped over."""

from dataclasses import dataclass, field

from .ground import Plane, Scaled, Scene


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The scene as a walk knows it.

    Attributes:
        ground: what is walked on, ceilings included; what is jumped over is part of it.
        avoid: what is gone round: it blocks the way wherever it has a surface at the height of a body.
        jump_over: what is jumped over.
    """

    ground: Scene = field(default_factory=Plane)
    avoid: Scene | None = None
    jump_over: Scene | None = None

    def scaled(self, factor: float) -> "Surroundings":
        """The same, every length multiplied by ``factor``: for a body of another size."""
        if factor == 1.0:
            return self
        others = (None if one is None else Scaled(one, factor) for one in (self.avoid, self.jump_over))
        return Surroundings(Scaled(self.ground, factor), *others)
