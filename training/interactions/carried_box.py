"""Boxes carried between two hands: generated to fit, or added to a clip by the user."""

from dataclasses import dataclass, replace

import numpy as np

from ...core.motion.rotations import Array, rotate, rotation_about_up
from ...core.scene.affordances import GRIP_HEIGHT_RATIO
from ...core.scene.collider import Collider
from .captured_clip import CapturedClip, CapturedObject
from .props.tables import Box


@dataclass(frozen=True, eq=False)
class CarriedBox:
    """A box between two hands.

    Attributes:
        name: name of the box for the user.
        collider: collider in object space; the origin is the middle of its lower side.
        width, depth, height: extents of the box across the character, along its facing and upward, m.
        grip_height: height of the hands over the box's lower side, m.
        offset: (2) offset from the midpoint of the hands to the middle of the box, right and ahead, m.
        rotation: (4) rotation of the collider; identity if its front faces the character.
    """

    name: str
    collider: Collider
    width: float
    depth: float
    height: float
    grip_height: float
    offset: Array
    rotation: Array

    @staticmethod
    def of(box: Box, offset: tuple[float, float] = (0.0, 0.0)) -> "CarriedBox":
        """Return a box of given dimensions, held with its middle at an offset (right, ahead), m, from the hands'."""
        collider = Collider.from_mesh(*box.mesh())
        grip_height, straight = GRIP_HEIGHT_RATIO * box.height, np.array([1.0, 0.0, 0.0, 0.0])
        return CarriedBox("box", collider, box.width, box.depth, box.height, grip_height, np.array(offset), straight)

    def scaled(self, horizontal: float, vertical: float) -> "CarriedBox":
        """Return the box with its width and depth multiplied by one scale, and its height by another."""
        scale = np.array([horizontal, horizontal, vertical])
        return replace(
            self,
            collider=Collider(self.collider.lower * scale, self.collider.upper * scale),
            width=horizontal * self.width,
            depth=horizontal * self.depth,
            height=vertical * self.height,
            grip_height=vertical * self.grip_height,
            offset=horizontal * self.offset,
        )


def find_carried_boxes(captured: CapturedClip) -> list[CarriedBox]:
    """Return the boxes that the user has placed between the hands in a clip."""
    return [_between_hands(one) for one in captured.objects_of("carry")]


def _between_hands(one: CapturedObject) -> CarriedBox:
    """Return a box as held between the hands in the middle of its moving frames."""
    moving = np.flatnonzero(one.moving)
    frame = int(moving[len(moving) // 2]) if len(moving) else len(one.moving) // 2
    lower, upper = one.collider.bounds
    middle = np.append((lower + upper)[:2] / 2, lower[2])
    turn, relative = (rotation_about_up(np.array(one.yaws[frame] + back)) for back in (0.0, -np.pi))
    base = one.offsets[frame] + rotate(turn, middle)
    corners = np.array([[x, y, 0.0] for x in (lower[0], upper[0]) for y in (lower[1], upper[1])])
    across, along = np.ptp(rotate(np.tile(relative, (4, 1)), corners), axis=0)[:2]
    return CarriedBox(
        one.name,
        Collider(one.collider.lower - middle, one.collider.upper - middle),
        float(across),
        float(along),
        float(upper[2] - lower[2]),
        float(-base[2]),
        base[:2],
        relative,
    )
