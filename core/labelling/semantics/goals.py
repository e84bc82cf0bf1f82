"""Goals: the action to come, and where (the goal input of NSM, sections 3.1 and 4.1).

Ahead of an interaction the goal is that interaction: what it is, where the body part that does it will be, and which
way the character will face. Otherwise it is the root a second ahead on its own way, with what is done there.
Climbing is no goal, as in NSM, because nobody can say when it should begin; it goes on as a way that is walked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.root_frame import facing_direction, root_track
from ...motion.rotations import Array
from ...motion.signals import velocities

GOAL_ACTIONS: Final = ("sit", "open", "carry", "strike")
LOCOMOTION_ACTIONS: Final = ("idle", "walk", "run")
MAX_GOAL_LEAD_S: Final = 5.0
"""Seconds before it begins from which an interaction is the goal, at most."""
LOCOMOTION_LEAD_S: Final = 1.0
"""Seconds by which the goal of locomotion is ahead."""
MAX_GRASP_S: Final = 1.5
"""Seconds in which somebody takes hold of what they carry."""
MIN_INTERACTION_S: Final = 0.3
"""Seconds; what is done for less is no interaction that anybody sets out for."""


@dataclass(frozen=True, eq=False)
class GoalLabels:
    """At each frame the actions (F, A) to come, where, positions (F, 3), and facing which way, directions (F, 2)."""

    actions: Array
    positions: Array
    directions: Array


def find_goals(clip: Clip, actions: Array, action_names: Sequence[str]) -> GoalLabels:
    """Return the goal of every frame, in world coordinates, metres.

    An interaction is the goal from the end of the one before it, at most five seconds before it begins, until it ends:
    all that time its name (as one-hot), place and direction stay the same. The place is that of the hips when seated,
    of the hands' middle where something is picked up or held, of the hand that reaches out farthest at a door or in a
    blow, each at its apex. A locomotion goal lies on the ground and moves on with the character; it ends with the clip.
    Goals step where an interaction becomes the goal and where it ends, and are continuous elsewhere.

    Args:
        clip: the motion.
        actions: (F, A) soft actions.
        action_names: (A) their names.

    Raises:
        FootfallError: the skeleton has no hips or thighs.
    """
    track = root_track(clip)
    directions = facing_direction(track.yaws)
    ahead = np.minimum(np.arange(len(clip)) + round(LOCOMOTION_LEAD_S * clip.rate), len(clip) - 1)
    places = np.column_stack([track.positions, _ground_height(clip)])
    goals = GoalLabels(_locomotion_shares(actions, action_names)[ahead], places[ahead], directions[ahead])
    ended = 0
    for action, start, stop in _find_interactions(actions, action_names, clip.rate):
        first = max(ended, start - round(MAX_GOAL_LEAD_S * clip.rate))
        apex, place = _find_apex(clip, action_names[action], start, stop)
        goals.actions[first:stop] = np.eye(len(action_names))[action]
        goals.positions[first:stop] = place
        goals.directions[first:stop] = directions[apex]
        ended = stop
    return goals


def _locomotion_shares(actions: Array, names: Sequence[str]) -> Array:
    """Return the shares of idle, walk and run alone (F, A); a walk where there are none of them, on a ladder."""
    own = np.array([name in LOCOMOTION_ACTIONS for name in names])
    shares = np.where(own, actions, 0.0)
    total = shares.sum(axis=1, keepdims=True)
    fallback = np.array([name == "walk" for name in names], dtype=float)
    return np.where(total > 1e-6, shares / np.maximum(total, 1e-6), fallback)


def _find_interactions(actions: Array, names: Sequence[str], rate: float) -> list[tuple[int, int, int]]:
    """Action, first frame and frame after the last of every interaction that lasts, in time."""
    dominant = actions.argmax(axis=1)
    edges = [0, *(np.flatnonzero(np.diff(dominant)) + 1), len(dominant)]
    spans = ((int(dominant[start]), int(start), int(stop)) for start, stop in pairwise(edges) if stop > start)
    lasting = (span for span in spans if span[2] - span[1] >= MIN_INTERACTION_S * rate)
    return [span for span in lasting if names[span[0]] in GOAL_ACTIONS]


def _ground_height(clip: Clip) -> Array:
    """Height (F) of the lowest foot of the last and the next half second; of the lowest joint, where there is none."""
    roles = clip.skeleton.roles
    feet = [roles[role] for role in ("toe.L", "toe.R", "foot.L", "foot.R") if role in roles]
    heights = clip.positions[:, feet or slice(None), 2].min(axis=1)
    return scipy.ndimage.minimum_filter1d(heights, 2 * round(0.5 * clip.rate) + 1, mode="nearest")


def _find_apex(clip: Clip, name: str, start: int, stop: int) -> tuple[int, Array]:
    """Return the frame of an interaction's apex, and where (3) the body part that does it is then."""
    hips = clip.positions[start:stop, clip.skeleton.joint("hips")]
    hands = _hand_positions(clip, start, stop)
    if name == "sit" or hands is None:
        still = _stillest_frame(hips, clip.rate)
        return start + still, hips[still]
    if name == "carry":
        middle = hands.mean(axis=1)[: max(round(MAX_GRASP_S * clip.rate), 1)]
        # A hand goes farthest from where carried things are held, before the chest, when it takes or leaves them.
        apex = int(np.abs(hands[: len(middle), :, 2] - hips[: len(middle), None, 2]).max(axis=1).argmax())
        return start + apex, middle[apex]
    reach = np.linalg.norm((hands - hips[:, None])[..., :2], axis=-1)
    apex, hand = np.unravel_index(int(reach.argmax()), reach.shape)
    return start + int(apex), hands[apex, hand]


def _hand_positions(clip: Clip, start: int, stop: int) -> Array | None:
    roles = clip.skeleton.roles
    hands: NDArray[np.intp] = np.array([roles[role] for role in ("hand.L", "hand.R") if role in roles], dtype=np.intp)
    return clip.positions[start:stop, hands] if len(hands) else None


def _stillest_frame(positions: Array, rate: float) -> int:
    """Return the middle of the frames of positions (F, 3) that are nearly as slow as the slowest."""
    speed = np.linalg.norm(velocities(positions, rate), axis=-1)
    slow = np.flatnonzero(speed <= max(float(np.percentile(speed, 30)), 0.05))
    return int(slow[len(slow) // 2])
