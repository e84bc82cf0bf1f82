"""Performers: width of steps, roll of soles and pitch of the head of each, compared with the captured person."""

from typing import Final

import numpy as np

from ..cli.clips import find_tags
from ..core.control.path.path import Path as WalkPath
from ..core.control.runtime.pose_decoder import standing_rotations
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.gait_analysis import analyze_gait
from ..core.labelling import label_clip
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.heel import flat_foot_frames
from ..core.motion.root_frame import into_frame, root_track
from ..core.motion.rotations import UP, Array, inverse, rotate
from ..core.retarget.calibration import calibrate
from ..core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ..core.retarget.retarget import retarget
from ..core.rig.clip_file import read_clip
from .baking import straight
from .setup import ROOT, Setup
from .tables import Part, table

TITLE = "Performers"
CLIPS: Final = ROOT / "presets" / "training" / "standard_clips.txt"
SPEED_M_S: Final = 1.2
SECONDS: Final = 14.0
MAX_CLIPS: Final = 4
LONGEST_S: Final = 12.0
WALKS_M_S: Final = (0.9, 1.8)
"""Speeds of the compared captured strides."""

NOTES = f"""\
Straight on at {SPEED_M_S} m/s for {SECONDS:.0f} s, baked; *captured* is the same person's walks, without foot lock.
*Roll* is of soles while they lie flat, *head* the pitch ahead of where the first performer stands."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    next(setup.clips("walk"))  # raises an error without data
    model = setup.model()
    up = _upward(model)
    rows: list[list[object]] = []
    for performer in model.performers or ("",):
        walk = make_walk(
            model, WalkRequest(WalkPath(straight(SPEED_M_S * SECONDS)), SPEED_M_S, performer=performer)
        ).clip
        made, captured = _row(walk, up), captured_row(model, performer, up)
        pairs = [cell for pair in zip(made, captured or [None] * 3, strict=True) for cell in pair]
        rows.append([performer or "the only one", *pairs])
    head = ["performer", "width cm", "captured", "roll deg", "captured", "head deg", "captured"]
    return [table(head, rows), NOTES]


def captured_row(model: ControllerModel, performer: str, up: Array) -> list[float] | None:
    """Return the captured person's measures on the controller's skeleton; ``None`` without captured walks."""
    rows = []
    own = [path for path, tags in find_tags([CLIPS]).items() if tags.performer == performer and not tags.style]
    for path in [path for path in own if path.parent.name == "walk"][:MAX_CLIPS]:
        clip = read_clip(path).resampled(model.rate).cut(0, round(LONGEST_S * model.rate))
        stance = standing_pose([standing_scatter(clip)])
        calibration = calibrate(
            clip.skeleton,
            model.skeleton,
            source_stance=stance,
            target_stance=standing_rotations(model),
            controller="TARGET",
        )
        labels = label_clip(clip)
        contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
        rows.append(_row(retarget(clip, calibration, contacts), up))
    rows = [row for row in rows if np.isfinite(row).all()]
    return [float(np.mean(column)) for column in zip(*rows, strict=True)] if rows else None


def _row(clip: Clip, up: Array) -> list[float]:
    """Return width of steps (cm), roll of flat soles and pitch of the head (degrees); NaN if unknown."""
    gait = analyze_gait(clip)
    speed = gait["speed_m_s"]
    if speed is None or not WALKS_M_S[0] <= speed <= WALKS_M_S[1]:
        return [np.nan] * 3
    roles = clip.skeleton.roles
    soles = []
    for side, sign in (("L", 1.0), ("R", -1.0)):
        flat = flat_foot_frames(clip, roles[f"foot.{side}"], roles[f"toe.{side}"])
        if len(flat):
            soles.append(sign * float(np.degrees(_tilts(clip, up, f"foot.{side}")[flat, 0]).mean()))
    width = gait["step_width_cm"]
    head = float(np.degrees(_tilts(clip, up, "head")[:, 1]).mean())
    return [np.nan if width is None else width, float(np.mean(soles)) if soles else np.nan, head]


def _tilts(clip: Clip, up: Array, role: str) -> Array:
    """Return the angles (F, 2), radians, of a joint's up direction to the left and ahead in the root's frame."""
    joint = clip.skeleton.roles[role]
    lean = into_frame(
        rotate(clip.world[1][:, joint], np.broadcast_to(up[joint], (len(clip), 3))), root_track(clip).yaws
    )
    return np.stack([-np.arctan2(lean[:, 0], lean[:, 2]), np.arctan2(lean[:, 1], lean[:, 2])], axis=-1)


def _upward(model: ControllerModel) -> Array:
    """Return the up direction (J, 3) in the frames of the controller's joints in standing."""
    stance = standing_rotations(model)
    if stance is None:
        return np.tile(UP, (len(model.skeleton), 1))
    return rotate(inverse(stance), np.broadcast_to(UP, (len(stance), 3)))
