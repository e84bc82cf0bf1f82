"""Quality of a bake on its evaluated rig: planned at the bake, measured then and whenever the user asks."""

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final

import bpy
import numpy as np

from ...core.body.skin_thickness import sole_points
from ...core.control.runtime.pose_decoder import standing_rotations
from ...core.errors import FootfallError
from ...core.evaluation.planned_motion import PlannedMotion, flat_floors, neutral_directions, plan_motion
from ...core.evaluation.rig_quality import ShownMotion, rig_traces
from ...core.jobs.bounded_files import ContentError
from ...core.jobs.typed_json import parse_rows
from ...core.models.model_file import ControllerModel
from ...core.motion import Clip
from ...core.motion.contacts import FootContacts
from ...core.retarget.calibration import Calibration
from ...core.terrain.ground import Scene
from ..animation.bake_report import replace_rig_rows, summarise_rows
from ..animation.fcurve_io.body_reader import read_shown_body
from ..animation.fcurve_io.reader import scene_rate
from ..animation.layers.animation import scene_frame
from ..animation.output import make_destination
from .skin_reader import read_bound_skin
from .store import rig_map_of

UNREADABLE: Final = "The bake cannot be compared with its plan, because the plan was not saved: bake again"


@dataclass(frozen=True, slots=True)
class BakePlan(PlannedMotion):
    """The plan of a bake.

    Attributes:
        start_frame: the scene's frame at which the baked motion begins.
        first, last: the scene's first and last written frame.
        blend_in, blend_out: number of frames over which the bake blends in and out.
    """

    start_frame: int
    first: int
    last: int
    blend_in: int
    blend_out: int

    def row_span(self) -> tuple[int, int]:
        """Return the range of the plan's rows whose frames were written: the first row, and the one after the last."""
        written = [self.first <= self.start_frame + row <= self.last for row in self.rows]
        return written.index(True), len(written) - written[::-1].index(True)


def plan_and_measure(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    clip: Clip,
    contacts: FootContacts,
    ground: Scene,
    calibration: Calibration | None,
    model: ControllerModel,
    start_frame: int,
) -> None:
    """Store the plan of a bake immediately after the bake, and measure how well the evaluated rig follows it.

    Args:
        armature: the character.
        scene: the scene.
        clip: world motion (F frames) on the rig's body, at the scene's rate.
        contacts: contacts of heels and balls at the clip's frames.
        ground: the ground of the walk.
        calibration: calibration of the controller's skeleton to the rig's body.
        model: the controller.
        start_frame: scene frame of the clip's first frame.
    """
    neutral = np.full((len(clip.skeleton), 3), np.nan)
    if calibration is not None:
        neutral = neutral_directions(calibration, standing_rotations(model))
    motion = plan_motion(clip, neutral, flat_floors(clip, contacts, ground))
    destination = make_destination(armature.footfall.output, start_frame, len(clip))
    first, last = destination.frame_range(start_frame, len(clip))
    plan = BakePlan(
        **asdict(motion),
        start_frame=start_frame,
        first=first,
        last=last,
        blend_in=destination.blend_in,
        blend_out=destination.blend_out,
    )
    armature.footfall.bake_plan = json.dumps([asdict(plan)], separators=(",", ":"))
    measure_rig(armature, scene)


def measure_rig(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Measure how well the evaluated rig follows its last bake; store the result with the bake's quality.

    Raises:
        FootfallError: the bake has no plan.
    """
    settings = armature.footfall
    plan = _parse_plan(settings.bake_plan)
    if plan is None or settings.baked_action is None:
        raise FootfallError(UNREADABLE)
    begin, end = plan.row_span()
    rows = np.array(plan.rows[begin:end])
    shift = scene_frame(armature.animation_data, settings.baked_action, plan.start_frame) - plan.start_frame
    frames = plan.start_frame + rows + round(shift)
    rig_map = rig_map_of(armature)
    body, positions, turns = read_shown_body(armature, settings.baked_action, rig_map, frames.astype(float))
    skin = read_bound_skin(armature, body)
    blended = (plan.start_frame + rows < plan.first + plan.blend_in) | (
        plan.start_frame + rows > plan.last - plan.blend_out
    )
    soles = {} if skin is None else sole_points(body, skin)
    shown = ShownMotion(body, positions, turns, soles, blended)
    traces = rig_traces(plan.cut(begin, end), shown)
    span = plan.start_frame + int(rows[0]), plan.last
    replace_rig_rows(armature, summarise_rows(traces, plan.rate / plan.step, span, scene_rate(scene)))


def has_plan(armature: bpy.types.Object) -> bool:
    """Return whether the rig can be measured against its last bake again, because the bake's plan is stored."""
    return armature.footfall.baked_action is not None and _parse_plan(armature.footfall.bake_plan) is not None


@lru_cache(maxsize=8)
def _parse_plan(text: str) -> BakePlan | None:
    """Parse a stored plan; return ``None`` if it is unreadable or its parts do not fit each other."""
    try:
        (plan,) = parse_rows(text or "[]", BakePlan)
    except (ContentError, ValueError):
        return None
    return plan if plan.is_consistent() and plan.first <= plan.last else None
