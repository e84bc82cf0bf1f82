"""Retargeting to bodies of other proportions: sliding and sinking of feet, compared with the source clips."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.evaluation.feet import horizontal_speeds
from ..core.labelling import Labels, label_clip
from ..core.motion import Clip, Skeleton
from ..core.motion.bvh import read_bvh
from ..core.motion.limb_ik import Leg
from ..core.motion.proportions import scale_between
from ..core.motion.rotations import Array
from ..core.retarget.calibration import calibrate
from ..core.retarget.contacts import SolePoints, contact_frames
from ..core.retarget.retarget import retarget
from .setup import Setup
from .tables import Part, table

TITLE = "Retargeting onto other proportions"
RATE: Final = 60.0
CATEGORIES: Final = ("walk", "run", "turn", "jump", "stairs", "crouch", "carry")
LOW: Final = 5.0
"""Percentile of a point's heights in contact that defines its floor."""

LEG: Final = ("shin", "foot")
ARM: Final = ("upper_arm", "forearm", "hand")
FOOT: Final = ("toe",)
Body = Mapping[tuple[str, ...], float]
"""Growth of the joint offsets of some roles; ``spine`` is everything from above the hips to the neck."""

BODIES: Final[Mapping[str, Body]] = {
    "its own": {},
    "legs half as long": {LEG: 0.5},
    "legs three quarters as long": {LEG: 0.75},
    "legs one and a half times as long": {LEG: 1.5},
    "legs twice as long": {LEG: 2.0},
    "arms 1.6 times as long": {ARM: 1.6},
    "spine 0.6 times as long": {("spine",): 0.6},
    "feet 1.5 times as long": {FOOT: 1.5},
    "a child: legs 0.6, arms 0.6, spine 0.7, feet 0.6": {LEG: 0.6, ARM: 0.6, ("spine",): 0.7, FOOT: 0.6},
    "a troll: legs 0.5, arms 1.6, spine 1.2, feet 1.5": {LEG: 0.5, ARM: 1.6, ("spine",): 1.2, FOOT: 1.5},
    "a giant: everything twice": {("all",): 2.0},
}

NOTES = """\
{count} clips of the test split ({categories}), at 60 Hz, their labels found; each on bodies made from the actor's
own. *Skate* is the horizontal speed of heels and balls of the feet while they touch, mean over all frames in contact;
the worst clip is the one whose skate grows most."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    clips: list[tuple[Clip, Labels]] = []
    for file in setup.clips(*CATEGORIES, split="test"):
        clip = read_bvh(file).resampled(RATE)
        clips.append((clip, label_clip(clip)))
    rows = [_row(name, body, clips) for name, body in BODIES.items()]
    head = ["body", "skate cm/s", "of the source", "worst clip: skate cm/s more", "sinks mm", "residual deg"]
    return [table(head, rows), NOTES.format(count=len(clips), categories=", ".join(CATEGORIES))]


def _row(name: str, body: Body, clips: list[tuple[Clip, Labels]]) -> list[object]:
    theirs, mine, more, sinks, residual = [], [], [], [], 0.0
    for clip, labels in clips:
        target = grown(clip.skeleton, body)
        calibration = calibrate(clip.skeleton, target)
        contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
        made = retarget(clip, calibration, contacts)
        source, result = slides(clip, contacts), slides(made, contacts)
        if len(source):
            theirs.append(source)
            mine.append(result)
            more.append(float(result.mean() - source.mean()))
        sinks.append(sinking(clip, made, contacts))
        residual = max(residual, calibration.max_residual)
    return [
        name,
        100 * float(np.concatenate(mine).mean()),
        100 * float(np.concatenate(theirs).mean()),
        100 * max(more),
        1000 * max(sinks),
        residual,
    ]


def grown(skeleton: Skeleton, body: Body) -> Skeleton:
    """Return the skeleton with some bones longer or shorter."""
    offsets, tips = skeleton.offsets.copy(), skeleton.tips.copy()
    for roles, factor in body.items():
        if roles == ("all",):
            offsets, tips = offsets * factor, tips * factor
        elif roles == ("spine",):
            joint = skeleton.roles["neck"]
            while joint > 0:
                offsets[joint] *= factor
                joint = skeleton.parents[joint]
        else:
            for side in "LR":
                offsets[[skeleton.roles[f"{role}.{side}"] for role in roles]] *= factor
    return Skeleton(skeleton.names, skeleton.parents, offsets, tips, skeleton.roles)


def slides(clip: Clip, contacts: Mapping[str, Array]) -> Array:
    """Return the horizontal speeds (N), m/s, of heels and balls in contact."""
    return np.concatenate(
        [horizontal_speeds(points[:, None], clip.rate)[held, 0] for points, held in _points(clip, contacts)]
    )


def sinking(source: Clip, made: Clip, contacts: Mapping[str, Array]) -> float:
    """Return the largest depth, meters, of sole points below their limit; see the notes."""
    scale = scale_between(source.skeleton, made.skeleton)
    deepest = 0.0
    for (theirs, held), (mine, _) in zip(_points(source, contacts), _points(made, contacts), strict=True):
        if held.any():
            floor = np.minimum(theirs[:, 2], np.percentile(theirs[held, 2], LOW))
            deepest = max(deepest, float((scale * floor - mine[:, 2]).max()))
    return deepest


def _points(clip: Clip, contacts: Mapping[str, Array]) -> list[tuple[Array, NDArray[np.bool_]]]:
    result: list[tuple[Array, NDArray[np.bool_]]] = []
    for side in "LR":
        soles = SolePoints.from_clip(clip, Leg.of(clip.skeleton, side))
        for points, name in ((soles.heel, f"foot.{side}"), (soles.ball, f"toe.{side}")):
            result.append((points, contact_frames(contacts, name, len(clip))))
    return result
