"""Detection of an action's labels in steps; the file is changed only at the end, when they are written."""

from collections.abc import Generator
from dataclasses import dataclass

import bpy

from ...core.errors import FootfallError
from ...core.labelling import label_clip
from ...core.labelling.presets import LabellingPreset
from ...core.labelling.review.ranking import find_review_spots
from ...core.motion import Clip
from ...core.motion.conventions import question_upright
from ...core.motion.proportions import PLAUSIBLE_LEG_LENGTHS_M, leg_length
from ...core.motion.reading_note import ReadingNote
from ..animation.fcurve_io.contact_targets import read_contact_objects
from ..rig.clip_reader import read_mapped_action
from ..rig.clips import ArmatureAction
from ..ui.operator_base import require_editable
from ..ui.translations import translate_interface
from .labels import apply_corrections, to_editable_labels
from .marks import EditableLabels
from .refresh import write_editable_labels
from .signals import MotionSignals, cache_signals
from .store import StoredIssue, store_issues, store_question


@dataclass(frozen=True, slots=True)
class ArmatureActionRef:
    """A reference to a take by identifiers, valid even if data-blocks are deleted while the user works."""

    armature: int
    action: int
    title: str

    @staticmethod
    def of(armature_action: ArmatureAction) -> "ArmatureActionRef":
        """Return a reference to a take that survives undo."""
        armature, action = armature_action
        return ArmatureActionRef(armature.session_uid, action.session_uid, action.name)

    def resolve(self) -> ArmatureAction:
        """Return the take that is referred to; raise :class:`FootfallError` if it was deleted."""
        armature = next((thing for thing in bpy.data.objects if thing.session_uid == self.armature), None)
        action = next((action for action in bpy.data.actions if action.session_uid == self.action), None)
        if armature is None or action is None:
            raise FootfallError("Action '{title}' or its armature was deleted: start again", title=self.title)
        return armature, action


@dataclass(frozen=True)
class LabelDetection:
    """The labels detected in an action."""

    source: ArmatureActionRef
    editable_labels: EditableLabels
    issues: list[StoredIssue]
    signals: MotionSignals
    question: ReadingNote | None = None

    def write(self) -> None:
        """Write the detected labels to the action; raise :class:`FootfallError` if it was deleted."""
        armature, action = self.source.resolve()
        cache_signals(action, self.signals)
        write_editable_labels(armature, action, self.editable_labels)
        store_issues(action, self.issues)
        store_question(action, self.question)


def _require_plausible_size(armature: bpy.types.Object, clip: Clip) -> None:
    """Raise :class:`FootfallError` if a body is too large or too small for contacts to be detected."""
    legs = leg_length(clip.skeleton)
    if not PLAUSIBLE_LEG_LENGTHS_M[0] < legs < PLAUSIBLE_LEG_LENGTHS_M[1]:
        raise FootfallError(
            "The legs of '{name}' are {length} m long: scale the armature to its real size first, by 0.01 if "
            "it is in centimeters",
            name=armature.name,
            length=f"{legs:.3g}",
        )


def detect_labels(
    source: ArmatureActionRef, scene: bpy.types.Scene, preset: LabellingPreset
) -> Generator[float, None, LabelDetection]:
    """Detect an action's labels and apply the user's corrections, yielding the share done; return the labels.

    Raises:
        FootfallError: the action cannot be labeled.
    """
    armature, action = source.resolve()
    require_editable(action, "Action")
    clip, first = read_mapped_action(armature, action, scene)
    _require_plausible_size(armature, clip)
    yield 0.2
    found = label_clip(clip, preset, read_contact_objects(preset, first, len(clip)))
    yield 0.7
    armature, action = source.resolve()
    marks = to_editable_labels(armature, action, found, first, preset.feet)
    labels = apply_corrections(found, marks, clip)
    doubts = find_review_spots(clip, labels, preset)
    spots = [
        StoredIssue(first + spot.frame, spot.kind, spot.name, spot.doubt, translate_interface(spot.text))
        for spot in doubts
    ]
    return LabelDetection(source, marks, spots, MotionSignals.of(clip, labels.ground), question_upright(clip))
