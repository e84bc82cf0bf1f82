"""All that a walk has to do with: what is walked on, what is kept away from, what is jumped over."""

from dataclasses import dataclass, field

from .ground import Ground, Plane


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The scene as a walk knows it.

    Attributes:
        ground: what is walked on, ceilings included; what is jumped over is part of it.
        avoid: what is gone round: it blocks the way wherever it has a surface at the height of a body.
        jump_over: what is jumped over.
    """

    ground: Ground = field(default_factory=Plane)
    avoid: Ground | None = None
    jump_over: Ground | None = None
