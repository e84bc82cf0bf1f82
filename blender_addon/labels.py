"""Labels on actions: segments are the truth, pose markers the editable mirror of the foot strikes, and phase and
contacts also animate custom properties of the armature, where drivers can use them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.labelling import Labels, label_clip
from ..core.labelling.phase import find_phase
from ..core.motion import Clip
from . import compat
from .clip_bridge.curves import write
from .clip_bridge.slots import slot_for

KINDS = (
    ("CONTACT", "Contact", "A heel or toe on the ground"),
    ("GAIT", "Gait", "Standing, walking, running"),
    ("ACTION", "Action", "Something the character does, such as sitting down"),
    ("GOAL", "Goal", "Something the character does it to or for"),
)
SOURCES = (
    ("FOUND", "Found", "Found by Footfall"),
    ("USER", "Yours", "Made or corrected by hand; found labels never replace it"),
)
STRIKES = {"L": "Strike L", "R": "Strike R"}
PHASE = "footfall_phase"
CURVE_GROUP = "Footfall"


def _mark_as_users(segment: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    segment.source = "USER"


class FOOTFALL_PG_segment(bpy.types.PropertyGroup):
    """Some frames of an action, both ends included, and what happens in them (its name: a joint's role or a gait)."""

    name: bpy.props.StringProperty(name="Name", description="Which joint or gait", update=_mark_as_users)
    kind: bpy.props.EnumProperty(items=KINDS, name="Kind", update=_mark_as_users)
    start: bpy.props.IntProperty(name="Start", description="First frame", update=_mark_as_users)
    end: bpy.props.IntProperty(name="End", description="Last frame", update=_mark_as_users)
    confidence: bpy.props.FloatProperty(name="Confidence", min=0.0, max=1.0, default=1.0, subtype="FACTOR")
    source: bpy.props.EnumProperty(items=SOURCES, name="Source", default="USER")


class FOOTFALL_PG_labels(bpy.types.PropertyGroup):
    """All that Footfall knows about an action."""

    segments: bpy.props.CollectionProperty(type=FOOTFALL_PG_segment)
    active: bpy.props.IntProperty(name="Active Segment")
    fingerprint: bpy.props.StringProperty(description="Check sum of a bake's keys as they were written")


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment as plain data; frames are the scene's, both ends included."""

    kind: str
    name: str
    start: int
    end: int
    confidence: float


def find_segments(labels: Labels, first: int) -> Iterator[Segment]:
    """The gaits and contacts, each in order of time, of labels whose first frame is the scene's frame ``first``."""
    best = np.argmax(labels.gaits, axis=1)
    gaits = [
        _runs("GAIT", name, best == gait, column, first)
        for gait, (name, column) in enumerate(zip(labels.gait_names, labels.gaits.T, strict=True))
    ]
    contacts = [
        _runs("CONTACT", name, column > 0.5, column, first)
        for name, column in zip(labels.contact_joints, labels.contacts.T, strict=True)
    ]
    for kind in (gaits, contacts):
        yield from sorted(chain.from_iterable(kind), key=lambda segment: segment.start)


def _runs(
    kind: str, name: str, state: NDArray[np.bool_], confidence: NDArray[np.floating], first: int
) -> Iterator[Segment]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], state.astype(np.int8), [0]]))).reshape(-1, 2)
    for start, stop in edges.tolist():
        yield Segment(kind, name, first + start, first + stop - 1, float(confidence[start:stop].mean()))


def write_labels(armature: bpy.types.Object, action: bpy.types.Action, labels: Labels, first: int) -> None:
    """Puts found labels on an action: segments, markers and, where the armature is this file's own, curves.

    Segments made or corrected by the user stay; a found contact gives way where it overlaps the user's.
    """
    users = [segment for segment in segments(action) if segment.source == "USER"]
    kept = [Segment(s.kind, s.name, s.start, s.end, s.confidence) for s in users]
    found = [s for s in find_segments(labels, first) if not any(_clash(s, mine) for mine in kept)]
    action.footfall.segments.clear()
    _add_segments(action, found, "FOUND")
    _add_segments(action, kept, "USER")
    write_strikes(action, labels, first)
    write_curves(armature, action, labels, first)


def segments(action: bpy.types.Action) -> Iterable[FOOTFALL_PG_segment]:
    """The segments on an action."""
    return action.footfall.segments


def _clash(found: Segment, mine: Segment) -> bool:
    same = found.kind == mine.kind == "CONTACT" and found.name == mine.name
    return same and found.start <= mine.end and mine.start <= found.end


def _add_segments(action: bpy.types.Action, new: Iterable[Segment], source: str) -> None:
    for segment in new:
        item = action.footfall.segments.add()
        item.name, item.kind = segment.name, segment.kind
        item.start, item.end, item.confidence = segment.start, segment.end, segment.confidence
        item.source = source  # last, for the others' update callbacks call everything the user's


def write_strikes(action: bpy.types.Action, labels: Labels, first: int) -> None:
    """Replaces the foot strikes among the action's pose markers; other markers stay."""
    clear_strikes(action)
    for side, frames in (("L", labels.left_strikes), ("R", labels.right_strikes)):
        for frame in frames.tolist():
            action.pose_markers.new(STRIKES[side]).frame = first + frame


def clear_strikes(action: bpy.types.Action) -> None:
    """Removes the foot strikes from the action's pose markers."""
    for marker in [marker for marker in action.pose_markers if marker.name in STRIKES.values()]:
        action.pose_markers.remove(marker)


def read_strikes(action: bpy.types.Action, side: str, first: int, frames: int) -> NDArray[np.intp]:
    """The strikes of the foot ``"L"`` or ``"R"`` as the user left them, counted from the clip's first frame."""
    found = sorted({marker.frame - first for marker in action.pose_markers if marker.name == STRIKES[side]})
    return np.array([frame for frame in found if 0 <= frame < frames], dtype=np.intp)


def contact_property(role: str) -> str:
    """The custom property that holds a joint's contact, e.g. ``footfall_contact_foot_L``."""
    return f"footfall_contact_{role.replace('.', '_')}"


def can_hold_properties(armature: bpy.types.Object) -> bool:
    """Whether custom properties can be added to the armature; those of overrides are lost when the file is saved."""
    return armature.library is None and armature.override_library is None


def write_curves(armature: bpy.types.Object, action: bpy.types.Action, labels: Labels, first: int) -> None:
    """Animates phase (a key a frame) and contacts (keys where they change) as custom properties of the armature."""
    slot = slot_for(armature, action)
    if slot is None or not can_hold_properties(armature):
        return
    channelbag = compat.ensure_channelbag(action, slot)
    frames = np.arange(first, first + len(labels), dtype=float)
    _ensure_property(armature, PHASE, "Phase in cycles: right strike 0, left strike 0.5")
    write(channelbag, f'["{PHASE}"]', CURVE_GROUP, frames, [labels.phase], "LINEAR")
    for role, column in zip(labels.contact_joints, labels.contacts.T, strict=True):
        name = contact_property(role)
        _ensure_property(armature, name, f"Whether {role} is on the ground")
        down = (column > 0.5).astype(float)
        changes = np.concatenate([[0], np.flatnonzero(np.diff(down)) + 1])
        write(channelbag, f'["{name}"]', CURVE_GROUP, frames[changes], [down[changes]], "CONSTANT")
    armature.update_tag()  # or new properties are not evaluated


def _ensure_property(armature: bpy.types.Object, name: str, description: str) -> None:
    if name not in armature:
        armature[name] = 0.0
        armature.id_properties_ui(name).update(min=0.0, max=1.0, description=description)


def read_labels(action: bpy.types.Action, clip: Clip, first: int) -> Labels:
    """The labels of an action's clip: found in the motion, with the user's corrections on top.

    Contacts and gaits follow the segments where there are any, the phase follows the strikes among the pose markers.
    """
    found = label_clip(clip)
    own: Mapping[str, list[FOOTFALL_PG_segment]] = {kind: [] for kind, *_ in KINDS}
    for segment in segments(action):
        own[segment.kind].append(segment)
    labels = found
    if own["CONTACT"]:
        labels = replace(labels, contacts=_corrected_contacts(found, own["CONTACT"], first))
    labels = replace(labels, gaits=_corrected_gaits(found, own["GAIT"], first))
    left, right = (read_strikes(action, side, first, len(clip)) for side in "LR")
    moved = not (np.array_equal(left, found.left_strikes) and np.array_equal(right, found.right_strikes))
    if moved and len(left) + len(right):
        standing = labels.gaits[:, labels.gait_names.index("stand")] > 0.5
        phase = find_phase(left, right, standing, clip.rate)
        labels = replace(labels, left_strikes=left, right_strikes=right, phase=phase)
    return labels


def _span(segment: FOOTFALL_PG_segment, first: int) -> slice:
    return slice(max(segment.start - first, 0), max(segment.end - first + 1, 0))


def _corrected_contacts(found: Labels, own: Iterable[FOOTFALL_PG_segment], first: int) -> NDArray[np.floating]:
    state = np.zeros(found.contacts.shape, dtype=bool)
    for segment in own:
        if segment.name in found.contact_joints:
            state[_span(segment, first), found.contact_joints.index(segment.name)] = True
    return np.where(state == (found.contacts > 0.5), found.contacts, state.astype(float))


def _corrected_gaits(found: Labels, own: Iterable[FOOTFALL_PG_segment], first: int) -> NDArray[np.floating]:
    gaits = found.gaits.copy()
    for segment in own:
        if segment.source == "USER" and segment.name in found.gait_names:
            gaits[_span(segment, first)] = np.eye(len(found.gait_names))[found.gait_names.index(segment.name)]
    return gaits


def clear_labels(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Removes segments, strikes and curves from an action, the user's corrections too."""
    action.footfall.segments.clear()
    clear_strikes(action)
    slot = slot_for(armature, action)
    channelbag = compat.find_channelbag(action, slot) if slot else None
    if channelbag is not None:
        for curve in [curve for curve in channelbag.fcurves if curve.data_path.startswith('["footfall_')]:
            channelbag.fcurves.remove(curve)
