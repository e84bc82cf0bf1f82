"""Hands of the other character in a pass: where and when they give or receive the ball."""

from typing import Literal

import numpy as np

from ..motion import Clip
from ..motion.rotations import Array
from ..motion.signals import Mask, runs_of
from .palms import palm_centers

Exchange = Literal["pass", "catch"]


def ball_places(clip: Clip, contacts: Mask, ball: Array | None = None) -> Array:
    """Return the places (F, 3), meters, world, at which another character gives or receives a ball: between its palms.

    Args:
        clip: the motion of the other character.
        contacts: (F, 2) whether that character's left and right hand touch its ball.
        ball: (F, 3) centers of that character's ball, meters, world; used instead of the palms during its contacts and
            one frame before and after.

    Raises:
        FootfallError: the body has no hands.
    """
    places = palm_centers(clip).mean(axis=1)
    if ball is None:
        return places
    touched = np.pad(contacts.any(axis=1), 1)
    return np.where((touched[:-2] | touched[1:-1] | touched[2:])[:, None], ball, places)


def exchange_frames(contacts: Mask, exchange: Exchange) -> list[int]:
    """Return the frames in which the other character catches a pass, or releases a ball for this character to catch.

    Args:
        contacts: (F, 2) whether the other character's left and right hand touch its ball.
        exchange: what this character does, pass or catch.
    """
    starts, stops = zip(*(runs_of(hand).T for hand in contacts.T), strict=True)
    if exchange == "pass":
        return np.intersect1d(*starts).tolist()
    return (np.intersect1d(*stops) - 1).tolist()
