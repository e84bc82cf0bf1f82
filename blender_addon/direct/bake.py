"""One bake: from an armature's settings to keys on its rig, a slice at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.control.path.path import Path
from ...core.control.path.terrain_profile import TerrainProfile
from ...core.control.walk.path_walk import PathWalk, Walk, model_styles
from ...core.errors import FootfallError
from ...core.evaluation.quality import traces
from ...core.labelling import Labels
from ...core.labelling.phase.phase import find_strikes
from ...core.labelling.semantics import actions
from ...core.models.model_file import ControllerModel
from ...core.motion.proportions import leg_length
from ...core.motion.roles import JOINTS
from ..animation.bake_report import remember
from ..animation.fcurve_io.reader import scene_rate
from ..animation.output import first_frame, write_output
from ..controllers import library
from ..label.labels import write_labels
from ..rig.sole_height import on_its_soles
from ..rig.store import calibration_of, rig_map_of
from ..scene.mesh_ground import Clock
from ..scene.path_reader import WorldPath, read_path
from ..scene.walk_scene import SceneSurroundings, surroundings_of
from ..ui.operator_base import require_editable
from . import walk_cache
from .path_events import cues_of
from .waypoints import marks_of, path_through, remember_met

SAID = {
    "cross_track_max_cm": ("path", "worst"),
    "skate_mean_cm_s": ("slide", "mean"),
    "penetration_max_mm": ("depth", "worst"),
}
"""What of the report is said in the bake's one line."""
UNEVEN = 0.1
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

    Args:
        armature: who walks.
        context: where.
        controller: the name of a controller and the controller, in place of the one that the settings name.
        together: which of those it is that are baked together, so that they do not march in step.

    Raises:
        FootfallError: something is missing or does not fit; one sentence that says what.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        context: bpy.types.Context,
        controller: tuple[str, ControllerModel] | None = None,
        together: int | None = None,
    ) -> None:
        settings, scene = armature.footfall, context.scene
        require_editable(armature, "Armature")
        self.armature_name = armature.name_full
        self.controller, model = controller or library.load(settings.controller, settings.controller_file)
        self.start, self.rate = first_frame(armature, scene), scene_rate(scene)
        self.marks = marks_of(armature, scene, self.start)
        self.path: WorldPath = read_path(settings.path) if settings.path else path_through(armature, self.marks)
        self.path_name = settings.path.name if settings.path else "marks"
        self.speed = float(settings.speed)
        self.warnings = list(self.path.warnings)
        self.rig_map = rig_map_of(armature)
        calibration = calibration_of(armature, model.skeleton)
        legs = leg_length(calibration.target)
        if not LEGS[0] < legs < LEGS[1]:
            self.warnings.append(f"the legs of '{armature.name}' are {legs:.3g} m long: is the armature's scale right?")
        if calibration.bad():
            self.warnings.append(f"bones that point elsewhere than the controller's: {', '.join(calibration.bad())}")
        clock = Clock(self.start, scene_rate(scene) / model.rate)
        around = surroundings_of(armature, context, self.path.ground, clock)
        level = self.path.ground if around.level else float(self.path.heights[0])
        # A preview shows networks that may not know the style yet.
        style = settings.style if controller is None or settings.style in model_styles(model) else ""
        self.walk = PathWalk(
            model,
            Path(self.path.points),
            self.speed,
            around.surroundings,
            level,
            calibration,
            settings.seed + (together or 0),
            style,
            cues_of(armature, scene, self.path, clock),
            self.marks,
        )
        self.around = around.key
        self.alone = together is None
        self.kept = walk_cache.go_on(armature, self.walk, self.around) if self.alone else 0
        self.ground = self.walk.scale * float(self.walk.profile.height_at(0.0))
        self.warnings += [*_ground_warnings(around, self.path, self.path_name), *_gaps(self.path, self.walk, level)]
        self.warnings += self.walk.notes
        self.made: Walk | None = None
        self.level = around.level
        self.gaits = model.gaits

    @property
    def fraction(self) -> float:
        """The share of the frames that are made, 0 to 1."""
        return self.walk.frames_done / max(self.walk.total_frames, 1)

    def advance(self, frames: int) -> bool:
        """Makes some frames; false when all are made."""
        return self.walk.advance(frames)

    def prepare(self) -> None:
        """Does all of :meth:`finish` that changes nothing in the file."""
        self.made = self.walk.finish()

    def finish(self, scene: bpy.types.Scene) -> Result:
        """Writes the walk where the settings say, keeps what was there, and measures the result."""
        armature = next((one for one in scene.objects if one.name_full == self.armature_name), None)
        if armature is None:
            raise FootfallError(f"Armature '{self.armature_name}' is gone: nothing was baked.")
        walk = self.made or self.walk.finish()
        # Where marks or others lead somebody beside the path that is no error.
        points = self.walk.drawn_path.points if self.marks else self.path.points
        points = points if self.alone else self.walk.scale * self.walk.path.points
        labels = labels_of(walk, self.gaits, self.ground)
        found = traces(walk.clip, walk.contacts, self.walk.surroundings.ground, points, walk.standing_clip)
        rate = self.rate
        clip = on_its_soles(walk.clip.resampled(rate), armature)
        name = f"{armature.name}_{self.controller}_{self.path_name}"
        marks = labels.resampled(rate, len(clip))
        contacts = dict(zip(marks.contact_joints, marks.contacts.T, strict=True))
        made = write_output(armature, self.rig_map, clip, self.start, name, contacts, self.ground)
        record = made.record
        if record.kind != "RANGE":
            write_labels(armature, record.action, marks, self.start)
        rows = {row.measure: row for row in remember(armature, found, walk.clip.rate, self.start, len(clip), rate)}
        report = {key: getattr(rows[one], what) for key, (one, what) in SAID.items() if one in rows}
        armature.footfall.baked, armature.footfall.quality = record.action, quality_line(report, not self.level)
        scene.frame_end = max(scene.frame_end, self.start + len(clip) - 1 if record.kind != "RANGE" else 0)
        if self.alone:
            walk_cache.keep(armature, self.walk, self.around)
        missed = remember_met(armature, walk.waypoint_results)
        said = [
            f"Baked {len(clip)} frames",
            *missed,
            armature.footfall.quality,
            record.message,
            *made.warnings,
            *self.warnings,
        ]
        return Result(record.action, "; ".join(part for part in said if part))


def _ground_warnings(around: SceneSurroundings, path: WorldPath, name: str) -> Iterator[str]:
    """What the user should know of the ground, before the walk."""
    yield from around.troubles
    if around.level and path.rise > UNEVEN:
        yield (
            f"path '{name}' rises and falls by {path.rise:.2f} m, but there is nothing to walk on: it is walked at its "
            f"mean height, {path.ground:.2f} m, unless you tag what to walk on or choose a collection under Ground"
        )
    if around.moving:
        names = [f"'{name}'" for name in around.moving]
        listed = ", ".join(names) if len(names) < 4 else f"{', '.join(names[:2])} and {len(names) - 2} more"
        yield f"what may move is walked on where it is at each frame: {listed}"


def _gaps(path: WorldPath, walk: PathWalk, level: float) -> Iterator[str]:
    """Where a drawn path has no ground, in plain words."""
    profile = TerrainProfile.from_path(Path(path.points), walk.surroundings, level, walk.body_scale * walk.scale)
    without = ~profile.is_walkable
    if without.any():
        length, first = path.length * without.mean(), profile.arc_lengths[np.flatnonzero(without)[0]]
        yield f"{length:.1f} m of the path have no ground, or drop too deep, first {first:.1f} m from its start"


def labels_of(walk: Walk, gaits: tuple[str, ...], ground: float) -> Labels:
    """What the controller said of its own walk, as labels."""
    feet = (walk.contacts[:, :2], walk.contacts[:, 2:])
    left, right = (find_strikes(foot.max(axis=1) > 0.5, walk.clip.rate) for foot in feet)
    done = np.zeros((len(walk.gaits), len(actions.NAMES)))
    for gait, share in zip(gaits, walk.gaits.T, strict=True):
        done[:, actions.NAMES.index(DONE_IN.get(gait, "walk"))] += share
    labels = Labels(walk.clip.rate, JOINTS, walk.contacts, walk.phase, gaits, walk.gaits, left, right, ground)
    return replace(labels, actions=done)


def quality_line(report: dict, uneven: bool = False) -> str:
    """The bake's quality in a few words; on uneven ground with how deep the feet are in it."""
    words = []
    for key, text in (
        ("cross_track_max_cm", "at most {:.1f} cm off the path"),
        ("skate_mean_cm_s", "feet slide {:.1f} cm/s"),
        *((("penetration_max_mm", "soles at most {:.0f} mm in the ground"),) if uneven else ()),
    ):
        if report.get(key) is not None:
            words.append(text.format(report[key]))
    return ", ".join(words)
