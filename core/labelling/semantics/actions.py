"""Actions: the semantic labels of NSM (section 5.1), and blows, found from the motion.

Some actions are clear from motion alone: a seated body has its center of mass behind its feet, a climbing one gains
height from step to step, a blow stretches or swings a limb fast. Others are ambiguous: hands held still in front of the
body may be empty, a hand that reaches to the floor or over the head may take an object or stretch, and a hand held out
may be at a door or in the air. Without a sensor that touches an object, *carry*, *push* and *open* are guesses that
users should correct. A body lies if its hips and head are near the ground, and sits on the ground if its hips rest
there below an upright trunk. Running with an object is detected as running. Throws count as blows, and so does mopping
a floor, which moves like a sword in both hands; slow blows, such as a slow kata, do not.

Thresholds were set on 563 clips and tested on 85 others, where an action counts as found if it covers over a twentieth
of the frames. Found were: sitting in 1 of 2 clips (a keyframed rise of 1.2 s is missed), climbing stairs or a ladder in
2 of 2, carrying, taking and putting down in 6 of 9, blows in 6 of 7, doors in 1 of 2. Of 35 walks, runs and turns, one
walk with raised hands is briefly labeled *carry*, and a keyframed run with a hand held out *open*.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import scipy

from ...actions import LABEL_ACTIONS, LOCOMOTION_ACTIONS
from ...motion import Clip
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.rotations import Array
from ...motion.signals import runs_of
from .action_detectors import DETECTORS
from .body_measures import BodyMeasures
from .gaits import GAIT_NAMES, GRAVITY_M_S2

ACTION_NAMES: Final = LABEL_ACTIONS
INTERACTION_NAMES: Final = ACTION_NAMES[len(LOCOMOTION_ACTIONS) :]
"""Actions that use an object or an opponent, not only the ground."""

ACTION_BLEND_S: Final = 0.1
"""Standard deviation of the smoothing between actions, for an adult."""
MIN_ACTION_SHARE: Final = 0.6
"""Smallest weight of an active interaction."""


def find_actions(
    clip: Clip,
    gaits: Array,
    contacts: Array,
    contact_names: Sequence[str],
    ground_heights: Array,
    searched_actions: Sequence[str] = ACTION_NAMES,
) -> Array:
    """Return the weights (F, A) of the actions in the order of :data:`ACTION_NAMES`, rows summing to 1.

    Weights change within about 0.25 s. There is one action at a time: walking with an object is carrying, and the gaits
    describe the walk. An interaction lasts from its wind-up or approach to its recovery: sitting begins with sitting
    down and ends upright. Its weight grows with the evidence at its clearest moments, and is at least
    :data:`MIN_ACTION_SHARE`, so that it does not flicker in time or at a threshold.

    Args:
        clip: the motion.
        gaits: (F, 6) gait weights from :func:`.gaits.find_gaits`.
        contacts: (F, C) contact probabilities; those of hands and hips are used if present.
        contact_names: (C) names of the sensors, such as ``hand.R``.
        ground_heights: (F, 2) heights of the ground under the left and the right foot, meters.
        searched_actions: the interactions to find; idle, walk and run always are.

    Raises:
        FootfallError: the skeleton has no hips, thighs, shins or feet.
    """
    body = BodyMeasures(
        clip, gaits, ground_heights, {name: contacts[:, c] > CONTACT_THRESHOLD for c, name in enumerate(contact_names)}
    )
    found = {name: detect(body) for name, detect in DETECTORS.items() if name in searched_actions}
    shares = np.zeros((len(clip), len(ACTION_NAMES)))
    taken = np.zeros(len(clip), dtype=bool)
    for name, one in found.items():
        for start, stop in runs_of(one.state & ~taken):
            clarity = float(np.percentile(one.evidence[start:stop], 90))
            shares[start:stop, ACTION_NAMES.index(name)] = np.clip(clarity, MIN_ACTION_SHARE, 1.0)
        taken |= one.state
    shares = body.smooth(shares, ACTION_BLEND_S)
    shares[:, :3] = _locomotion_shares(body) * (1 - shares.sum(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def _locomotion_shares(body: BodyMeasures) -> Array:
    """Return the weights of idle, walk and run (F, 3), from the gaits.

    Crouches and jumps are assigned by their speed.
    """
    share = dict(zip(GAIT_NAMES, body.gaits.T, strict=True))
    froude = body.speed / np.sqrt(GRAVITY_M_S2 * body.leg_length)
    going = scipy.special.expit((froude - 0.12) / 0.03)
    running = scipy.special.expit((froude - 0.75) / 0.05)
    other = share["crouch"] + share["jump"]
    walk = share["walk"] + other * going * (1 - running)
    return np.stack([share["stand"] + other * (1 - going), walk, share["jog"] + share["run"] + other * running], axis=1)
