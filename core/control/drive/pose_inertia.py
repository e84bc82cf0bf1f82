"""Inertialization (Bollo 2018) of live motion: the offset at a change of controllers decays."""

import numpy as np

from ...motion import Clip
from ...motion.inertialization import decayed
from ...motion.rotations import Array, exp, inverse, log, multiply, normalize


class PoseInertia:
    """The offset that joins the displayed motion smoothly to the current controller's motion, and decays.

    Args:
        rate: frames per second.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._shown: list[tuple[Array, Array]] = []
        self._offset: tuple[Array, Array] | None = None
        self._frames = 0
        self._begins = False

    def begin(self) -> None:
        """Declare that the next pose comes from another controller, so that the jump to it is smoothed out."""
        self._begins = bool(self._shown)

    def follow(self, pose: Clip) -> Clip:
        """Return the pose to display (one frame) for a pose of the controller (one frame)."""
        if self._begins:
            self._offset, self._frames, self._begins = self._offset_of(pose), 0, False
        roots, rotations = pose.root_positions, pose.rotations
        if self._offset is not None:
            time = np.array([self._frames / self._rate])
            place, turn = (decayed(part, np.zeros_like(part), time) for part in self._offset)
            roots, rotations = roots + place, normalize(multiply(rotations, exp(turn)))
            self._frames += 1
        self._shown = [*self._shown[-1:], (roots[0], rotations[0])]
        return Clip(pose.skeleton, pose.rate, roots, rotations, pose.name)

    def _offset_of(self, pose: Clip) -> tuple[Array, Array]:
        """Return the offset from a pose to the continued displayed motion: (3) meters, (J, 3) rotation vectors."""
        (root, turns), (root_before, turns_before) = self._shown[-1], self._shown[0]
        on = multiply(turns, multiply(inverse(turns_before), turns))
        return 2 * root - root_before - pose.root_positions[0], log(multiply(inverse(pose.rotations[0]), on))
