"""Bodies moved out of what they are in: the whole body a little aside, smoothly, wherever a part of it would be deep in
a thing. Feet that stand are held afterwards as always.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import Moving
from .depenetration import SIDEWAYS, Part, ways_round

ROUNDS: Final = 3
FARTHEST: Final = 0.3
"""Metres by which somebody is moved, at most."""


def kept_clear(clip: Clip, things: Sequence[Moving], spared: Sequence[NDArray[np.bool_]]) -> Clip:
    """The clip moved over the ground so that no part of the body is deep in a thing.

    Args:
        clip: F frames.
        things: as they are at each frame.
        spared: for each thing (F, S) the spheres of :class:`BodyCapsules` that may be in it, or about it.
    """
    body = BodyCapsules.of(clip.skeleton)
    count = len(body.radii)
    whole = Part(np.arange(count), np.ones((len(clip), count)), SIDEWAYS, FARTHEST)
    for _ in range(ROUNDS):
        way = ways_round(body, clip, things, spared, whole)
        if way is None:
            break
        clip = replace(clip, root_positions=clip.root_positions + way)
    return clip
