"""Frames of a bake, and of the baked motion."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BakeClock:
    """The start of a bake, and its rates.

    Attributes:
        start_frame: scene frame of the motion's first frame.
        scene_rate: frames per second of the scene.
        rate: frames per second of the baked motion.
    """

    start_frame: int
    scene_rate: float
    rate: float

    def frame_of(self, scene_frame: float) -> int:
        """Return the frame of the motion that corresponds to a scene frame."""
        return round((scene_frame - self.start_frame) * self.rate / self.scene_rate)

    def scene_frame(self, frame: int) -> int:
        """Return the scene frame that corresponds to a frame of the motion."""
        return self.start_frame + round(frame * self.scene_rate / self.rate)
