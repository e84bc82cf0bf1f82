"""Frame emphasis: windows are drawn more often at frames that are rare but decide a character's behavior."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...core.actions import LOCOMOTION_ACTIONS
from ...core.features.interaction import ACTIONS, GOAL_ACTIONS, SAMPLE_OFFSETS_FRAMES, Float32, has_goals
from ...core.features.layout import Layout
from ...core.tuning import Tuning, tuned
from ..data.dataset import Dataset


@dataclass(frozen=True, slots=True)
class FrameEmphasisTuning(Tuning):
    onset_emphasis: int = tuned(8, "1", 1, 100)
    """Draws of a window that starts as a standing character sets off, per draw of a window of plain walking."""
    action_emphasis: int = tuned(6, "1", 1, 100)
    """Draws of a window that starts within a second of the start or end of an action with an object, per draw of a
    window of plain walking."""
    rest_emphasis: int = tuned(2, "1", 1, 100)
    """Draws of a window that starts within such an action, farther from its ends, per draw of a window of plain
    walking."""
    detour_emphasis: int = tuned(3, "1", 1, 100)
    """Draws of a window that starts on a detour to a goal, per draw of a window of plain walking."""
    detour: float = tuned(0.15, "m", 0.01, 2.0)
    """Least distance from the straight line to the goal, within the next second, that counts as a detour."""
    active: float = tuned(0.05, "1", 0.0, 1.0)
    """Least weight of an action that counts as active."""
    change: float = tuned(0.5, "1", 0.0, 1.0)
    """Least change of an action's weight within the two seconds around its beginning or end."""
    commanded: float = tuned(0.5, "1", 0.0, 1.0)
    """Least weight of a goal action that counts as commanded."""
    standing: float = tuned(0.01, "m", 0.001, 0.2)
    """Largest travel in a sixth of a second of a root that counts as standing."""
    setting_off: float = tuned(0.1, "m", 0.01, 1.0)
    """Least travel of the root in the next half second that counts as setting off."""
    setting_off_turn: float = tuned(0.5, "rad", 0.05, 3.0)
    """Least turn on the spot in the next half second that counts as setting off."""


TUNING: Final = FrameEmphasisTuning()

CARRYING: Final = "carry"
OBJECT_ACTIONS: Final = tuple(name for name in GOAL_ACTIONS if name not in LOCOMOTION_ACTIONS and name != CARRYING)
"""Actions with objects, except carrying, of which only start and end are rare."""
BEFORE, NOW, AFTER = (SAMPLE_OFFSETS_FRAMES.index(frames) for frames in (-10, 0, 30))


def frame_emphasis(dataset: Dataset, split: str) -> Tensor | None:
    """Return the relative frequency (N) with which to draw each frame of a split; 1 for plain walking.

    ``None`` for a data set without goals.

    Networks that see their own past first learn just to continue it, and stand forever: the *copycat problem* of
    imitation learning (Wen et al. 2020). Therefore frames with changes are drawn more often, and so are frames of
    actions with objects, which make up a tenth of the frames of takes (a third in NSM, table 1).
    """
    layout = dataset.input_layout
    if not has_goals(layout):
        return None
    found = [np.zeros(0, dtype=np.int64)]
    for clip in dataset.clips_in_split(split):
        x, _, _ = dataset.samples(clip)
        counts = np.where(_detours(layout, x), TUNING.detour_emphasis, 1)
        rests, changes = _object_actions(layout, x)
        counts = np.where(rests, TUNING.rest_emphasis, counts)
        counts = np.where(changes, TUNING.action_emphasis, counts)
        found.append(np.where(_onsets(layout, x), TUNING.onset_emphasis, counts))
    return torch.from_numpy(np.concatenate(found))


def _onsets(layout: Layout, x: Float32) -> NDArray[np.bool_]:
    """Return a mask (N) of the frames of inputs x (N, n) at which a standing character sets off or turns."""
    positions, directions = (layout.view(x, f"trajectory.{name}") for name in ("position", "direction"))
    stands = np.linalg.norm(positions[:, BEFORE], axis=1) < TUNING.standing
    leaves = np.linalg.norm(positions[:, AFTER], axis=1) > TUNING.setting_off
    turns = directions[:, AFTER, 1] < np.cos(TUNING.setting_off_turn)
    return stands & (leaves | turns)


def _detours(layout: Layout, x: Float32) -> NDArray[np.bool_]:
    """Return a mask (N) of the frames of inputs x (N, n) in which a walk to a place leaves the straight line to it."""
    ahead = layout.view(x, "trajectory.position")[:, NOW + 1 :]
    place = layout.view(x, "goal.position")[:, NOW, :2]
    goes = layout.view(x, "goal.action")[:, NOW, GOAL_ACTIONS.index("walk")] > TUNING.commanded
    far = np.linalg.norm(place, axis=1)
    right = np.column_stack([place[:, 1], -place[:, 0]]) / np.maximum(far, 1e-6)[:, None]
    aside = np.abs(np.einsum("nsi,ni->ns", ahead, right)).max(axis=1)
    return goes & (aside > TUNING.detour) & (far > np.linalg.norm(ahead[:, -1], axis=1))


def _object_actions(layout: Layout, x: Float32) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return masks (N) of the frames of x (N, n) in actions with objects, and within a second of their changes."""
    actions = np.asarray(layout.view(x, "trajectory.action"))
    known = ACTIONS[: actions.shape[-1]]
    columns = [known.index(name) for name in OBJECT_ACTIONS if name in known]
    within = actions[..., columns].max(axis=(1, 2)) > TUNING.active
    changes = np.ptp(actions[..., [*columns, known.index(CARRYING)]], axis=1).max(axis=1) > TUNING.change
    return within, changes
