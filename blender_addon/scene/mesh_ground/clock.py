"""Clock that maps frames of a walk to scene frames."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clock:
    """The scene's time, counted in a walk's frames.

    Attributes:
        start: scene frame of the walk's first frame.
        step: the scene's frames per frame of the walk.
    """

    start: float = 1.0
    step: float = 1.0

    def at(self, frame: float) -> float:
        """Return the scene frame, possibly fractional, that corresponds to a frame of the walk."""
        return self.start + frame * self.step
