"""Finding the labels of an action step by step, and writing them at the end: until then nothing in the file changes."""

from collections.abc import Generator
from dataclasses import dataclass

import bpy

from ...core.errors import FootfallError
from ...core.labelling import label_clip
from ...core.labelling.presets import LabellingPreset
from ...core.labelling.review.ranking import find_spots
from ..animation.fcurve_io.contact_targets import read_targets
from ..rig.clip_reader import read_take
from ..rig.clips import Take
from ..ui.operator_base import require_editable
from .labels import corrected, marks_of
from .marks import Marks
from .refresh import write_marks
from .signals import Signals, remember
from .store import Doubt, store_spots


@dataclass(frozen=True, slots=True)
class TakeName:
    """A take that can be kept while the user goes on working: data-blocks come and go, numbers stay."""

    armature: int
    action: int
    title: str

    @staticmethod
    def of(take: Take) -> "TakeName":
        """The name of a take."""
        armature, action = take
        return TakeName(armature.session_uid, action.session_uid, action.name)

    def find(self) -> Take:
        """The take; raises :class:`FootfallError` where it was deleted meanwhile."""
        armature = next((thing for thing in bpy.data.objects if thing.session_uid == self.armature), None)
        action = next((action for action in bpy.data.actions if action.session_uid == self.action), None)
        if armature is None or action is None:
            raise FootfallError(f"Action '{self.title}' or its armature is gone: start again.")
        return armature, action


@dataclass(frozen=True)
class Finding:
    """What was found in an action."""

    take: TakeName
    marks: Marks
    spots: list[Doubt]
    signals: Signals

    def write(self) -> None:
        """Puts it on the action; raises :class:`FootfallError` where that was deleted meanwhile."""
        armature, action = self.take.find()
        remember(action, self.signals)
        write_marks(armature, action, self.marks)
        store_spots(action, self.spots)


def find(take: TakeName, scene: bpy.types.Scene, preset: LabellingPreset) -> Generator[float, None, Finding]:
    """Finds an action's labels, the user's corrections on top; yields the share that is done.

    Raises:
        FootfallError: the action cannot be labelled.
    """
    armature, action = take.find()
    require_editable(action, "Action")
    clip, first = read_take(armature, action, scene)
    yield 0.2
    found = label_clip(clip, preset, read_targets(preset, first, len(clip)))
    yield 0.7
    armature, action = take.find()
    marks = marks_of(armature, action, found, first, preset.feet)
    labels = corrected(found, marks, clip)
    doubts = find_spots(clip, labels, preset)
    spots = [Doubt(first + spot.frame, spot.kind, spot.name, spot.doubt, spot.text) for spot in doubts]
    return Finding(take, marks, spots, Signals.of(clip, labels.ground))
