"""One bake: from an armature's settings to a new action on it, a slice at a time."""

import zlib
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..core.control.path import Path
from ..core.control.walk import PathWalk, Walk
from ..core.errors import FootfallError
from ..core.evaluation import evaluate
from ..core.labelling import Labels, actions
from ..core.labelling.contacts import JOINTS
from ..core.labelling.phase import find_strikes
from ..core.motion import Skeleton
from . import controllers
from .clip_bridge import Rig, keep_and_assign, read_rig, write_action
from .clip_bridge.curves import curves_of
from .clip_bridge.reader import scene_rate
from .clip_bridge.writer import bones_named
from .curve_path import WorldPath, read_path
from .guard import require_editable
from .labels import write_labels

SAME_LENGTH = 1e-3
LEGS = (0.2, 3.0)
DONE_IN = {"stand": "idle", "run": "run", "jog": "run"}
"""The action that a gait is; all others are a walk."""


@dataclass(frozen=True)
class Result:
    """What a bake made and what there is to say about it."""

    action: bpy.types.Action
    message: str


class Bake:
    """A walk along a path for one armature. Nothing in the file changes before :meth:`finish`.

    Raises:
        FootfallError: something is missing or does not fit; one sentence that says what.
    """

    def __init__(self, armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
        settings = armature.footfall
        require_editable(armature, "Armature")
        if settings.path is None:
            raise FootfallError("No path is chosen: draw a curve and choose it as the path.")
        self.armature_name = armature.name
        self.controller, model = controllers.load(settings.controller, settings.controller_file)
        self.path: WorldPath = read_path(settings.path)
        self.path_name = settings.path.name
        self.speed = float(settings.speed)
        self.start = scene.frame_current if settings.start == "CURRENT" else scene.frame_start
        self.warnings = list(self.path.warnings)
        target = target_skeleton(read_rig(armature), model.skeleton)
        if not LEGS[0] < target.leg_length < LEGS[1]:
            self.warnings.append(
                f"the legs of '{armature.name}' are {target.leg_length:.3g} m long: is the armature's scale right?"
            )
        own = target if differs(target, model.skeleton) else None
        self.walk = PathWalk(model, Path(self.path.points), self.speed, self.path.ground, own, settings.seed)
        self.gaits = model.gaits

    @property
    def fraction(self) -> float:
        """The share of the frames that are made, 0 to 1."""
        return self.walk.done / max(self.walk.total, 1)

    def advance(self, frames: int) -> bool:
        """Makes some frames; false when all are made."""
        return self.walk.advance(frames)

    def finish(self, scene: bpy.types.Scene) -> Result:
        """Writes the walk to a new action, assigns it, keeps the old one, and measures the result."""
        armature = scene.objects.get(self.armature_name)
        if armature is None:
            raise FootfallError(f"Armature '{self.armature_name}' is gone: nothing was baked.")
        walk = self.walk.finish()
        labels = labels_of(walk, self.gaits, self.path.ground)
        report = evaluate(walk.clip, self.path.points, labels, speed=self.speed, ground=self.path.ground)
        rate = scene_rate(scene)
        clip = walk.clip.resampled(rate)
        name = f"{armature.name}_{self.controller}_{self.path_name}"
        action = write_action(
            armature, clip, name, self.start
        )  # the last thing that can fail, before it changes anything
        kept = self._assign(armature, action, name)
        write_labels(armature, action, labels.resampled(rate, len(clip)), self.start)
        action.footfall.fingerprint = fingerprint(action)
        armature.footfall.quality = quality_line(report)
        scene.frame_end = max(scene.frame_end, int(action.frame_end))
        said = [f"Baked {len(clip)} frames", armature.footfall.quality, *([kept] if kept else []), *self.warnings]
        return Result(action, "; ".join(said))

    def _assign(self, armature: bpy.types.Object, action: bpy.types.Action, name: str) -> str | None:
        """Assigns the action; an earlier bake that nobody touched gives way to it, everything else is kept."""
        settings, data = armature.footfall, armature.animation_data
        previous = data.action if data else None
        if previous is None or previous != settings.baked or previous.footfall.fingerprint != fingerprint(previous):
            settings.baked = action
            return keep_and_assign(armature, action)
        data.action = None
        settings.baked = action
        keep_and_assign(armature, action)
        if previous.users == 0:
            bpy.data.actions.remove(previous)
            action.name = name
        return None


def target_skeleton(rig: Rig, wanted: Skeleton) -> Skeleton:
    """The armature's own skeleton of the controller's joints; a :class:`FootfallError` names missing bones."""
    skeleton = rig.skeleton(bones_named(rig, wanted.names))
    if skeleton.parents != wanted.parents:
        odd = next(j for j, (a, b) in enumerate(zip(skeleton.parents, wanted.parents, strict=True)) if a != b)
        raise FootfallError(
            f"Bone '{skeleton.names[odd]}' of armature '{rig.owner}' hangs on another bone than the controller's "
            f"('{wanted.names[wanted.parents[odd]]}'): use a character with the controller's skeleton."
        )
    return Skeleton(skeleton.names, skeleton.parents, skeleton.offsets, skeleton.tips, wanted.roles)


def differs(skeleton: Skeleton, other: Skeleton) -> bool:
    """Whether bone lengths or rest directions differ by more than a millimetre."""
    return bool(np.abs(skeleton.offsets[1:] - other.offsets[1:]).max(initial=0.0) > SAME_LENGTH)


def labels_of(walk: Walk, gaits: tuple[str, ...], ground: float) -> Labels:
    """What the controller said of its own walk, as labels."""
    feet = (walk.contacts[:, :2], walk.contacts[:, 2:])
    left, right = (find_strikes(foot.max(axis=1) > 0.5, walk.clip.rate) for foot in feet)
    done = np.zeros((len(walk.gaits), len(actions.NAMES)))
    for gait, share in zip(gaits, walk.gaits.T, strict=True):
        done[:, actions.NAMES.index(DONE_IN.get(gait, "walk"))] += share
    labels = Labels(walk.clip.rate, JOINTS, walk.contacts, walk.phase, gaits, walk.gaits, left, right, ground)
    return replace(labels, actions=done)


def quality_line(report: dict) -> str:
    """The bake's quality in a few words."""
    words = []
    for key, text in (
        ("cross_track_max_cm", "at most {:.1f} cm off the path"),
        ("skate_mean_cm_s", "feet slide {:.1f} cm/s"),
    ):
        if report.get(key) is not None:
            words.append(text.format(report[key]))
    return ", ".join(words)


def fingerprint(action: bpy.types.Action) -> str:
    """A check sum of all keys of an action, by which a later bake sees whether somebody edited them."""
    total = 0
    for slot in action.slots:
        for (path, index), curve in sorted(curves_of(action, slot).items()):
            keys = np.empty(len(curve.keyframe_points) * 2, dtype=np.float32)
            curve.keyframe_points.foreach_get("co", keys)
            total = zlib.crc32(keys.tobytes(), zlib.crc32(f"{path}[{index}]".encode(), total))
    return f"{total:08x}"
