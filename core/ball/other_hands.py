"""The hands of another character, to whom a ball is passed or from whom it comes: where they have it, and when."""

from typing import Literal

import numpy as np

from ..motion import Clip
from ..motion.rotations import Array
from ..motion.signals import Mask, runs_of
from .palms import palm_centers

Exchange = Literal["pass", "catch"]


def ball_places(clip: Clip, contacts: Mask, ball: Array | None = None) -> Array:
    """Return where a ball is to meet another character, at each frame (F, 3): between its palms, meters, world.

    Args:
        clip: the motion of the other character.
        contacts: (F, 2) whether its left and right hand touch its ball.
        ball: (F, 3) its ball, meters, world, which is the place while a hand touches it and a frame before and after.

    Raises:
        FootfallError: its body has no hands.
    """
    places = palm_centers(clip).mean(axis=1)
    if ball is None:
        return places
    touched = np.pad(contacts.any(axis=1), 1)
    return np.where((touched[:-2] | touched[1:-1] | touched[2:])[:, None], ball, places)


def exchange_frames(contacts: Mask, exchange: Exchange) -> list[int]:
    """Return the frames at which both hands of the other character catch what is passed, or let go what is caught.

    Args:
        contacts: (F, 2) whether its left and right hand touch its ball.
        exchange: what is done with the ball here.
    """
    starts, stops = zip(*(runs_of(hand).T for hand in contacts.T), strict=True)
    if exchange == "pass":
        return np.intersect1d(*starts).tolist()
    return (np.intersect1d(*stops) - 1).tolist()
