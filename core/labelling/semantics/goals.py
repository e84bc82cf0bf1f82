"""Goals: the next action and its position (the goal input of NSM, sections 3.1 and 4.1).

Before an interaction the goal is that interaction: its action, the position of the acting body part, and the facing
direction. Otherwise it is the root's position a second ahead, with the action at that time. Climbing is never a goal,
as in NSM, because its start cannot be commanded; while climbing, the goals are those of locomotion.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...actions import ACTION_TABLE, LABEL_ACTIONS, LOCOMOTION_ACTIONS
from ...motion import Clip
from ...motion.root_frame import facing_direction, root_track
from ...motion.rotations import Array
from ...motion.signals import velocities

GOAL_ACTIONS: Final = tuple(
    name for name in LABEL_ACTIONS if ACTION_TABLE[name].is_goal and name not in LOCOMOTION_ACTIONS
)
"""Interactions that are goals."""
MAX_GOAL_LEAD_S: Final = 5.0
"""Longest time before an interaction begins in which it is the goal."""
LOCOMOTION_LEAD_S: Final = 1.0
"""Time by which the goal of locomotion is ahead."""
MAX_GRASP_S: Final = 1.5
"""Longest duration of the grasp of a carried object."""
MIN_INTERACTION_S: Final = 0.3
"""Shortest interaction that is a goal."""


@dataclass(frozen=True, eq=False)
class GoalLabels:
    """The goal at each frame.

    Attributes:
        actions: (F, A) weights of the next actions.
        positions: (F, 3) positions of the goals, world, meters.
        directions: (F, 2) directions to face at the goals, unit vectors on the ground.
    """

    actions: Array
    positions: Array
    directions: Array


def find_goals(clip: Clip, actions: Array, action_names: Sequence[str]) -> GoalLabels:
    """Return the goal at every frame: the next action, its position and its direction.

    An interaction is the goal from the end of the previous one, at most five seconds before it begins, to its own end;
    its action (one-hot), position and direction are constant in that time. The position is that of the hips when seated
    or lying, of the middle of the hands when an object is picked up, held or pushed, of the hand that reaches out
    farthest at a door or in a blow, each at its apex. A goal of locomotion lies on the ground, moves with the character
    and ends with the clip. Goals jump where an interaction becomes the goal and where it ends, and are continuous
    elsewhere.

    Args:
        clip: the motion.
        actions: (F, A) weights.
        action_names: (A) names of the actions.

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
    """Keep only the weights of idle, walk and run in actions (F, A); where all are zero, as on a ladder, use *walk*."""
    own = np.array([name in LOCOMOTION_ACTIONS for name in names])
    shares = np.where(own, actions, 0.0)
    total = shares.sum(axis=1, keepdims=True)
    fallback = np.array([name == "walk" for name in names], dtype=float)
    return np.where(total > 1e-6, shares / np.maximum(total, 1e-6), fallback)


def _find_interactions(actions: Array, names: Sequence[str], rate: float) -> list[tuple[int, int, int]]:
    """Return the action, the first frame and the frame after the last of every interaction that is long enough."""
    dominant = actions.argmax(axis=1)
    edges = [0, *(np.flatnonzero(np.diff(dominant)) + 1), len(dominant)]
    spans = ((int(dominant[start]), int(start), int(stop)) for start, stop in pairwise(edges) if stop > start)
    lasting = (span for span in spans if span[2] - span[1] >= MIN_INTERACTION_S * rate)
    return [span for span in lasting if names[span[0]] in GOAL_ACTIONS]


def _ground_height(clip: Clip) -> Array:
    """Return the height (F) of the lowest foot, or else the lowest joint, within half a second of each frame."""
    roles = clip.skeleton.roles
    feet = [roles[role] for role in ("toe.L", "toe.R", "foot.L", "foot.R") if role in roles]
    heights = clip.positions[:, feet or slice(None), 2].min(axis=1)
    return scipy.ndimage.minimum_filter1d(heights, 2 * round(0.5 * clip.rate) + 1, mode="nearest")


def _find_apex(clip: Clip, name: str, start: int, stop: int) -> tuple[int, Array]:
    """Return the frame of an interaction's apex, and the position (3) of the body part that acts."""
    hips = clip.positions[start:stop, clip.skeleton.joint("hips")]
    hands = _hand_positions(clip, start, stop)
    if ACTION_TABLE[name].rests or hands is None:
        still = _stillest_frame(hips, clip.rate)
        return start + still, hips[still]
    if ACTION_TABLE[name].grips:
        middle = hands.mean(axis=1)[: max(round(MAX_GRASP_S * clip.rate), 1)]
        # At grasp and release a hand is farthest from the height of carrying.
        apex = int(np.abs(hands[: len(middle), :, 2] - hips[: len(middle), None, 2]).max(axis=1).argmax())
        return start + apex, middle[apex]
    reach = np.linalg.norm((hands - hips[:, None])[..., :2], axis=-1)
    apex, hand = np.unravel_index(int(reach.argmax()), reach.shape)
    return start + int(apex), hands[apex, hand]


def _hand_positions(clip: Clip, start: int, stop: int) -> Array | None:
    """Return the positions (F, H, 3) of the hands in a frame range, or ``None`` if there are no hands."""
    roles = clip.skeleton.roles
    hands: NDArray[np.intp] = np.array([roles[role] for role in ("hand.L", "hand.R") if role in roles], dtype=np.intp)
    return clip.positions[start:stop, hands] if len(hands) else None


def _stillest_frame(positions: Array, rate: float) -> int:
    """Return the middle one of the frames in which positions (F, 3) move slowest."""
    speed = np.linalg.norm(velocities(positions, rate), axis=-1)
    slow = np.flatnonzero(speed <= max(float(np.percentile(speed, 30)), 0.05))
    return int(slow[len(slow) // 2])
