"""Sparse keys: number of keys at 2 mm for real clips and the controller's walks."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path as File
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.control.path.path import Path
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.keyframes import hermite
from ..core.keyframes.sparse_keys import CONTACT_BOUND_RATIO, ChannelKeys, reduce_keys
from ..core.labelling import label_clip
from ..core.motion import Clip
from ..core.motion import rotations as rot
from ..core.motion.bvh import read_bvh
from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.kinematics import forward_kinematics
from ..core.motion.rotations import Array
from .setup import Setup
from .tables import Part, table
from .walk_rate import winding

TITLE = "Sparse keys"
BOUND: Final = 0.002
RATES: Final = (60.0, 30.0)
REACH: Final = 15.0
# Files below the folder of mocap: walks and runs of several actors, and of another laboratory.
CLIPS: Final = (
    "cmu_asfamc/walk/08_01.bvh",
    "cmu_asfamc/walk/16_32.bvh",
    "cmu_asfamc/walk/35_01.bvh",
    "cmu_asfamc/run/16_56.bvh",
    "cmu_asfamc/run/35_26.bvh",
    "accad_male1/walk/Male1_B3_Walk.bvh",
    "accad_male1/run/Male1_C03_Run.bvh",
)
# (speed, meters of the path)
WALKS: Final = ((1.2, 8.0), (3.0, 15.0))
# A point beside the end of each last bone, at this share of its length, shows its twist.
BESIDE: Final = 0.5
SHORTEST: Final = 0.05

NOTES = """\
Location of the hips and rotation quaternions of every joint. Keys are counted on F-curves, against one on each frame
of each; unchanging channels have two."""


class Case:
    """A clip as tracks, the points to be preserved and the points with contacts.

    Attributes:
        tracks: location of the root (F, 3), then the rotation of each joint (F, 4).
        groups: the joint of each track.
        contacts: (F, P) contacts of points.
    """

    def __init__(self, clip: Clip, contacts: Array, roles: Sequence[str]) -> None:
        self.skeleton = clip.skeleton
        self.tracks = [clip.root_positions, *np.moveaxis(rot.unroll(clip.rotations), 1, 0)]
        self.groups = [0, *range(len(clip.skeleton))]
        self._ends, self._arms = self._markers()
        self.contacts = np.zeros((len(clip), len(clip.skeleton) + len(self._ends)), dtype=bool)
        for role, column in zip(roles, contacts.T, strict=True):
            self.contacts[:, clip.skeleton.joint(role)] |= column > CONTACT_THRESHOLD

    def positions(self, tracks: Sequence[Array]) -> Array:
        """Return the points (F, P, 3), meters: joints, ends of the last bones, and points beside the ends."""
        rotations = rot.normalize(np.stack(tracks[1:], axis=1))
        joints, turned = forward_kinematics(self.skeleton, tracks[0], rotations)
        ends = joints[:, self._ends] + rot.rotate(turned[:, self._ends], self._arms[None])
        return np.concatenate([joints, ends], axis=1)

    def _markers(self) -> tuple[NDArray[np.intp], Array]:
        last = np.array([joint for joint, below in enumerate(self.skeleton.children) if not below])
        tips = self.skeleton.tips[last]
        lengths = np.linalg.norm(tips, axis=-1, keepdims=True)
        along = np.where(lengths > 1e-6, rot.normalize(tips), [0.0, 0.0, 1.0])
        across = rot.normalize(np.cross(along, np.eye(3)[np.argmin(np.abs(along), axis=-1)]))
        beside = tips + across * np.maximum(lengths * BESIDE, SHORTEST)
        return np.concatenate([last, last]), np.concatenate([tips, beside])


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows = [_row(name, case) for name, case in _cases(setup)]
    rows.append(["reach", None, REACH, None, BOUND * 1e3, BOUND * 1e3 * CONTACT_BOUND_RATIO, None])
    head = ["clip", "frames", "keys, % of dense", "a bone's frames with keys, %", "worst error, mm"]
    head += ["worst error in contact, mm", "seconds"]
    return [table(head, rows), NOTES]


def _cases(setup: Setup) -> Iterator[tuple[str, Case]]:
    """Yield the walks of the controller, then the available clips, at each rate."""
    model = setup.model()
    for speed, length in WALKS:
        walk = make_walk(model, WalkRequest(Path(winding(length)), speed))
        for rate in RATES:
            contacts = walk.contacts.probabilities[:: round(model.rate / rate)]
            clip = walk.clip.resampled(rate)
            roles = ("foot.L", "toe.L", "foot.R", "toe.R")
            yield f"controller, {speed:g} m/s, {rate:g} fps", Case(clip, contacts[: len(clip)], roles)
    for name in CLIPS:
        file = setup.data / name
        if not file.is_file():
            print(f"skipped: there is no {file}", file=sys.stderr)
            continue
        clip = read_bvh(file)
        for rate in RATES:
            yield _named(file, rate), _labelled(clip.resampled(rate))


def _named(file: File, rate: float) -> str:
    return f"{file.parts[-3].split('_')[0].upper()} {file.stem}, {rate:g} fps"


def _labelled(clip: Clip) -> Case:
    labels = label_clip(clip)
    return Case(clip, labels.contacts, labels.contact_joints)


def _row(name: str, case: Case) -> list[object]:
    start = perf_counter()
    keys = reduce_keys(case.tracks, case.groups, case.positions, BOUND, case.contacts)
    seconds = perf_counter() - start
    count = len(case.tracks[0])
    curves = [np.stack([_curve(channel, count) for channel in track], axis=1) for track in keys]
    error = np.linalg.norm(case.positions(curves) - case.positions(case.tracks), axis=-1) * 1e3
    touching = float(error[case.contacts].max(initial=0.0))
    shares = [100 * share_of_dense(keys, count), 100 * share_of_frames(keys, case.groups, count)]
    return [name, count, *shares, float(error.max()), touching, seconds]


def _curve(keys: ChannelKeys, count: int) -> Array:
    return hermite.evaluate_curve(keys.frames, keys.values, keys.slopes, count)


def share_of_dense(keys: Sequence[Sequence[ChannelKeys]], count: int) -> float:
    """Return the number of keys of all F-curves, relative to one key on each of ``count`` frames."""
    channels = [channel for track in keys for channel in track]
    return sum(len(channel.frames) for channel in channels) / (count * len(channels))


def share_of_frames(keys: Sequence[Sequence[ChannelKeys]], groups: Sequence[int], count: int) -> float:
    """Return the mean share of frames with a key on any channel of a bone: the columns in a Dope Sheet."""
    frames: dict[int, set[int]] = {}
    for group, track in zip(groups, keys, strict=True):
        frames.setdefault(group, set()).update(*(channel.frames.tolist() for channel in track))
    return float(np.mean([len(own) for own in frames.values()])) / count
