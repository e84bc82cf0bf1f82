"""A blade with its own bone: distance of its tip from the captured one by a network, against a stiff wrist."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from ..core.errors import FootfallError
from ..core.features.locomotion import POSE_FEEDBACK_GROUPS, pose_rotations
from ..core.features.strikes import strike_features
from ..core.labelling import label_clip
from ..core.labelling.semantics.blows import Blow, LimbMotion
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.bvh import write_bvh
from ..core.motion.rotations import Array, from_axis_angle, inverse, normalize, rotate
from ..core.motion.weapons import with_weapon
from ..core.retarget.fit import fit_clip
from ..core.rig.clip_file import read_clip
from .setup import ROOT, Setup
from .tables import Part, table

TITLE: Final = "Weapons with a bone: the tip of a blade, by a network alone"
FOLDER: Final = ROOT / ".cache" / "weapon_bone"
CLIP: Final = Path("cmu_asfamc", "sword", "02_07.bvh")
HAND, OTHER, BONE = "hand.L", "hand.R", "weapon.L"
BLADE_M: Final = 0.9
SNAP_RAD: Final = np.radians(50.0)
"""Largest angle of the wrist's snap: back before an attack's apex, forward after it."""
SNAP_S: Final = 0.12
"""Time from the largest angle to the apex."""
TRAINED_SHARE: Final = 0.7
"""Share of the clip from its start for training."""
LEAD_FRAMES: Final = 12
"""Frames before an attack at which the network continues on its own output."""
FIRST_FRAME: Final = 2
"""Frame of the first sample of a clip."""
POSE_GROUPS: Final = (*POSE_FEEDBACK_GROUPS, "pose.rotation")
"""Groups of an output that become the next input."""
EPOCHS: Final = (300, 150)
"""Epochs of single frames and of windows."""
NOTES: Final = """\
The captured sword of the CMU database, in whose hilt a blade of 0.9 m has a bone of its own. The first 70 % was
learned; *unseen* attacks are those after it."""


def measure(setup: Setup) -> list[Part]:
    """Return the table."""
    clip = snapping(read_clip(setup.data / CLIP))
    model = load_model(_trained(clip))
    fitted = fit_clip(clip.resampled(model.rate), model.skeleton)
    blows = LimbMotion.of(fitted, 0.0).blows
    last = round(TRAINED_SHARE * len(fitted))
    rows = []
    for title, some in {
        "learned": [blow for blow in blows if blow.stop <= last],
        "unseen": [blow for blow in blows if blow.start >= last],
    }.items():
        found = _errors(model, fitted, blows, some)
        rows += [_row(f"{title}, {when}", len(some), one) for when, one in zip(("mean", "apex"), found, strict=True)]
    head = ["attacks", "number", "tip, cm", "hand, cm", "blade, deg", "stiff: tip, cm", "stiff: blade, deg"]
    return [table(head, rows), NOTES]


def snapping(clip: Clip) -> Clip:
    """Return a clip of a sword in both hands with a blade's bone in one, which snaps at each attack."""
    hand, other = (clip.positions[:, clip.skeleton.joint(role)] for role in (HAND, OTHER))
    joint = clip.skeleton.joint(HAND)
    along = normalize(rotate(inverse(clip.world[1][:, joint]), normalize(hand - other)).mean(axis=0))
    skeleton = with_weapon(clip.skeleton, HAND, clip.skeleton.bone_vectors[joint], BLADE_M * along)
    across = normalize(np.cross(along, clip.skeleton.bone_vectors[joint]))
    apexes = [blow.apex for blow in LimbMotion.of(clip, 0.0).blows]
    turns = from_axis_angle(across, snap_angles(np.arange(len(clip)) / clip.rate, np.array(apexes) / clip.rate))
    return replace(clip, skeleton=skeleton, rotations=np.concatenate([clip.rotations, turns[:, None]], axis=1))


def snap_angles(seconds: Array, apexes: Array) -> Array:
    """Return the angles (F), radians, of a blade against its hand at times (F) around apexes (B), all in seconds."""
    away = (seconds[:, None] - apexes) / SNAP_S
    return SNAP_RAD * (away * np.exp(0.5 - 0.5 * away**2)).sum(axis=1)


def _trained(clip: Clip) -> Path:
    """Train the network on the first part of a clip, if necessary; return its file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path, made = FOLDER / "sword.bvh", FOLDER / "run" / "model.safetensors"
    if not made.exists():
        write_bvh(path, clip.cut(0, round(TRAINED_SHARE * len(clip))))
        changes = [f"epochs={EPOCHS[0]}", f"unroll_epochs={EPOCHS[1]}", "validation_share=0"]
        arguments = ["train", "--clips", str(path), "--run", str(FOLDER / "run"), "--preset", "strikes_pfnn"]
        arguments += [word for change in changes for word in ("--set", change)]
        package = str(__package__).rpartition(".")[0]
        child = subprocess.run([sys.executable, "-m", package, *arguments], stdout=subprocess.DEVNULL, cwd=ROOT)
        if child.returncode:
            raise FootfallError("`train` of the blade failed: its own message is above.")
    return made


def _errors(model: ControllerModel, clip: Clip, blows: list[Blow], some: list[Blow]) -> tuple[Array, Array]:
    """Return the mean errors (5), see :func:`_compare`, of some of a clip's attacks: over frames, and at apexes."""
    reference = model.reference_rotations.astype(float)
    x, y, phase = strike_features(clip, label_clip(clip), blows, model.joints, reference, np.zeros(len(blows)))
    found, apexes = [], []
    for blow in some:
        first, stop = max(blow.start - FIRST_FRAME - LEAD_FRAMES, 0), min(blow.stop - FIRST_FRAME, len(x))
        made = _went_on(model, x[first:stop], phase[first:stop])
        errors = _compare(model, made, y[first:stop])[LEAD_FRAMES:]
        found.append(errors)
        apexes.append(errors[blow.apex - FIRST_FRAME - first - LEAD_FRAMES])
    return np.concatenate(found).mean(axis=0), np.array(apexes).mean(axis=0)


def _went_on(model: ControllerModel, x: Array, phase: Array) -> Array:
    """Return the outputs (N, m) for inputs (N, n) and phases (N), with pose feedback after the first frame."""
    network, inputs, outputs = model.network(), model.input_layout, model.output_layout
    memory, made = network.begin(1), []
    for row, at in zip(x[:, None].copy(), phase, strict=True):
        for group in POSE_GROUPS if made else ():
            inputs.view(row, group)[:] = outputs.view(made[-1], group)
        answer, memory = network.step((row - model.x_mean) / model.x_std, np.array([at]), memory)
        made.append(answer * model.y_std + model.y_mean)
    return np.concatenate(made)


def _compare(model: ControllerModel, made: Array, captured: Array) -> Array:
    """Return errors (N, 5) of outputs: of tip, hand, m, blade, rad, and of tip, m, and blade, rad, by a stiff wrist."""
    skeleton, joints = model.skeleton, model.joints
    hand, weapon = (joints.index(skeleton.names[skeleton.joint(role)]) for role in (HAND, BONE))
    blade = skeleton.bone_vectors[skeleton.joint(BONE)]
    (own, own_turns), (other, other_turns) = (_poses(model, one) for one in (made, captured))
    turned = own_turns[:, weapon], other_turns[:, weapon], own_turns[:, hand]
    ways = [rotate(turns, np.broadcast_to(blade, (len(made), 3))) for turns in turned]
    return np.stack(
        [
            np.linalg.norm(own[:, weapon] + ways[0] - other[:, weapon] - ways[1], axis=-1),
            np.linalg.norm(own[:, hand] - other[:, hand], axis=-1),
            _angles(ways[0], ways[1]),
            np.linalg.norm(own[:, weapon] + ways[2] - other[:, weapon] - ways[1], axis=-1),
            _angles(ways[2], ways[1]),
        ],
        axis=1,
    )


def _poses(model: ControllerModel, y: Array) -> tuple[Array, Array]:
    """Return the positions (N, P, 3), meters, and rotations (N, P, 4) of outputs in their roots' frames."""
    rotations = pose_rotations(y, model.output_layout, model.reference_rotations.astype(float))
    return model.output_layout.view(y, "pose.position").astype(float), rotations


def _angles(first: Array, second: Array) -> Array:
    """Return the angles (N) between vectors (N, 3), radians."""
    return np.arccos(np.clip(np.sum(normalize(first) * normalize(second), axis=-1), -1.0, 1.0))


def _row(title: str, count: int, errors: Array) -> list[object]:
    tip, hand, blade, stiff_tip, stiff_blade = errors
    return [title, count, 100 * tip, 100 * hand, np.degrees(blade), 100 * stiff_tip, np.degrees(stiff_blade)]
