"""Fit Ball to Clip: the ball played by hands, and their contacts with it as labels."""

from typing import Final

import bpy
import numpy as np

from ...core.ball.ball_fitting import BallFit, infer_ball
from ...core.ball.ball_track import BASKETBALL_RADIUS_M
from ...core.features.ball import HAND_SENSORS
from ...core.message import Message
from ...core.motion import Clip
from ...core.motion.floor import estimate_floor_height
from ...core.motion.signals import Mask, runs_of
from ..animation.fcurve_io.body_reader import read_body
from ..rig.clips import ArmatureAction
from ..rig.store import rig_map_of
from ..ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_work
from ..ui.redraw import tag_redraw_all
from .ball_object import place_ball
from .edits import commit_manual_edits, is_labeled
from .labels import read_labels, write_labels
from .marks import LabelSpan
from .operators import require_action, why_no_action
from .presets import to_preset
from .refresh import write_editable_labels
from .store import read_editable_labels

CONTACT_CONFIDENCE: Final = 0.9
"""Confidence of a hand's contact with a ball."""
READ_WORK_SHARE: Final = 0.7
"""Share of the work for reading the motion."""


class FOOTFALL_OT_fit_ball(ModalWorkOperator, bpy.types.Operator):
    """Add a ball with a motion that fits the moving hands, and label its contacts"""

    bl_idname = "footfall.fit_ball"
    bl_label = "Fit Ball to Clip"
    needs_meters = True

    radius: bpy.props.FloatProperty(
        name="Radius",
        description="Radius of the ball",
        default=BASKETBALL_RADIUS_M,
        min=0.02,
        max=1.0,
        subtype="DISTANCE",
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_action(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        played = armature, action = require_action(context)
        reading = read_body(armature, action, context.scene, rig_map_of(armature))
        clip, first = yield from part_of_work(reading, 0.0, READ_WORK_SHARE, Message("Reading the motion"))
        fit = infer_ball(clip, self.radius, estimate_floor_height(clip))
        _write_hand_contacts(played, clip, fit.track.contacts, first, context.scene)
        ball = place_ball(armature, action, fit.track, first, context.scene)
        tag_redraw_all()
        return _summary(ball, fit)


def _write_hand_contacts(
    played: ArmatureAction, clip: Clip, contacts: Mask, first_frame: int, scene: bpy.types.Scene
) -> None:
    """Add contacts (F, 2) of both hands to an action's labels; label the action first if it has none."""
    armature, action = played
    commit_manual_edits(armature, action)
    if not is_labeled(action):
        preset = to_preset(scene.footfall.labelling)
        write_labels(
            armature, action, read_labels(armature, action, clip, first_frame, preset), first_frame, preset.feet
        )
    marks = read_editable_labels(action)
    marks.contact_feet |= dict.fromkeys(HAND_SENSORS, "")
    marks.spans = [span for span in marks.spans if span.kind != "CONTACT" or span.name not in HAND_SENSORS]
    for name, hand in zip(HAND_SENSORS, contacts.T, strict=True):
        for start, stop in runs_of(hand):
            begin = max(int(start) + first_frame, marks.first_frame)
            end = min(int(stop) - 1 + first_frame, marks.last_frame)
            if begin <= end:
                marks.spans.append(LabelSpan("CONTACT", name, begin, end, CONTACT_CONFIDENCE))
    marks.reapply_corrections()
    write_editable_labels(armature, action, marks)


def _summary(ball: bpy.types.Object, fit: BallFit) -> str:
    """Return a summary of a fitted ball and its estimated properties."""
    left, right = (len(runs_of(hand)) for hand in fit.track.contacts.T)
    said = [
        Message(
            "The ball '{name}' has {left} contacts with the left hand, {right} with the right hand, and "
            "{bounces} bounces",
            name=ball.name,
            left=left,
            right=right,
            bounces=len(fit.bounces),
        )
    ]
    touched = np.any(fit.track.contacts, axis=1)
    if not (touched[0] and touched[-1]):
        said.append(Message("The path of the ball is extrapolated before the first and after the last contact"))
    return Message.joined(". ", said)


CLASSES = (FOOTFALL_OT_fit_ball,)
