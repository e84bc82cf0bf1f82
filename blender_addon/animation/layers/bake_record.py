"""The changes of a bake, stored with the armature for its reversal, even after the file is reopened."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from typing import Final, cast, get_type_hints

import bpy

from ....core.jobs.bounded_files import ContentError, parse_json
from ....core.jobs.typed_json import has_type
from ...ui.overridable import pointer, text
from ..fcurve_io.tracks import PropertyTrack
from .animation import animated_by_action, blend_settings, channels_of
from .destination import DestinationKind
from .fingerprint import action_checksum
from .property_value import Value, read_value
from .sources import BakeSource, SourceKind

MAX_BAKE_RECORDS: Final = 10
"""Largest number of reversible bakes of an armature."""
UNDERNEATH: Final = ("base_action", "unblended_action", "held_action", "held_on_action")
"""Key, in a record, of the actions underneath its strip."""


@dataclass(frozen=True, slots=True)
class BakeRecord:
    """The record of a bake.

    Attributes:
        kind: kind of destination.
        action: the written action.
        previous: copy of the action before the bake, or the previously assigned action; ``None`` without one.
        message: text for the report: location of the previous action, and warnings.
    """

    kind: DestinationKind
    action: bpy.types.Action
    previous: bpy.types.Action | None
    message: str


@dataclass(slots=True)
class PreviousState:
    """The state before a bake.

    Attributes:
        slot: identifier of the assigned slot; empty for none.
        blend: blend type, extrapolation and influence of the assigned action.
        fake_user: whether the previous action had a fake user.
        copied: whether the action was copied before writing because of other users.
        tracks: names of NLA tracks added by the bake.
        values: previous values of unanimated properties, by data path.
        span: the scene's first and last frame changed by the bake.
        strips: names of the strips made by the bake.
        joins: number of frames over which the bake's strip blends in and out.
        start: the setting for the bake's first frame.
    """

    slot: str = ""
    blend: tuple[str, str, float] = ("REPLACE", "HOLD", 1.0)
    fake_user: bool = False
    copied: bool = False
    tracks: list[str] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=dict)
    span: list[int] = field(default_factory=list)
    strips: list[str] = field(default_factory=list)
    joins: list[float] = field(default_factory=list)
    start: str = ""

    @staticmethod
    def capture(armature: bpy.types.Object, tracks: Iterable[PropertyTrack]) -> "PreviousState":
        """Return a copy of the current state of everything that the tracks will change."""
        state, data = PreviousState(), armature.animation_data
        if data is not None:
            state.slot = data.action_slot.identifier if data.action_slot else ""
            state.blend = blend_settings(data)
            state.fake_user = data.action is not None and data.action.use_fake_user
        animated = animated_by_action(data)
        for track in tracks:
            value = read_value(armature, track.path)
            if value is not None and any(channel not in animated for channel in channels_of([track])):
                state.values[track.path] = value
        return state

    @staticmethod
    def from_json(text: str) -> "PreviousState":
        """Parse a stored state; damaged parts of it are ignored."""
        state = PreviousState()
        try:
            kept = parse_json(text)
        except ContentError:
            return state
        if isinstance(kept, Mapping):
            for name, hint in get_type_hints(PreviousState).items():
                if has_type(kept.get(name), hint):
                    setattr(state, name, kept[name])
        return state

    def to_json(self) -> str:
        """Return the state as text for :meth:`from_json`."""
        return json.dumps(asdict(self), separators=(",", ":"))


class FOOTFALL_PG_bake_record(bpy.types.PropertyGroup):
    """A bake that can be taken back, kept with its armature."""

    destination: text()
    action: pointer(bpy.types.Action)
    previous_action: pointer(bpy.types.Action)
    base_action: pointer(bpy.types.Action)
    unblended_action: pointer(bpy.types.Action)
    held_action: pointer(bpy.types.Action)
    held_on_action: pointer(bpy.types.Action)
    source_kind: text()
    source_object: pointer(bpy.types.Object)
    fingerprint: text()
    previous_state: text()
    companion: text()


CLASSES: Final = (FOOTFALL_PG_bake_record,)


def bake_records(armature: bpy.types.Object) -> bpy.types.bpy_prop_collection:
    """Return the records of an armature's bakes that can be reverted, latest last."""
    return armature.footfall.bake_records


def written_actions(entry: FOOTFALL_PG_bake_record) -> list[bpy.types.Action]:
    """Return the actions that a bake wrote and that still exist; the bake's own action is the first."""
    actions = (entry.action, *(getattr(entry, name) for name in UNDERNEATH))
    return [action for action in actions if action is not None]


def edited_actions(entry: FOOTFALL_PG_bake_record) -> list[bpy.types.Action]:
    """Return the actions that were edited after a bake wrote them."""
    known = set(entry.fingerprint.split())
    return [action for action in written_actions(entry) if action_checksum(action) not in known]


def last_record(armature: bpy.types.Object) -> FOOTFALL_PG_bake_record | None:
    """Return the record of the armature's last bake in this file, not counting records from a linked library."""
    records = bake_records(armature)
    return records[-1] if len(records) > _inherited_count(armature) else None


def own_records(armature: bpy.types.Object) -> list[tuple[int, FOOTFALL_PG_bake_record]]:
    """Return the records, with their numbers, of the armature's bakes in this file, latest first."""
    return list(enumerate(bake_records(armature)))[_inherited_count(armature) :][::-1]


def source_of(entry: FOOTFALL_PG_bake_record) -> BakeSource:
    subject = entry.source_object.name_full if entry.source_object is not None else ""
    return BakeSource(cast(SourceKind, entry.source_kind), subject)


def set_source(entry: FOOTFALL_PG_bake_record, source: BakeSource) -> None:
    """Store the source of a bake in its record."""
    entry.source_kind = source.kind
    entry.source_object = next((one for one in bpy.data.objects if one.name_full == source.subject), None)


def note_source(armature: bpy.types.Object, action: bpy.types.Action, source: BakeSource, start: str) -> None:
    """Store the source of the bake that wrote an action, and its start frame setting."""
    entry = next(entry for _, entry in own_records(armature) if entry.action == action)
    set_source(entry, source)
    state = PreviousState.from_json(entry.previous_state)
    state.start = start
    entry.previous_state = state.to_json()


def span_of(entry: FOOTFALL_PG_bake_record) -> tuple[int, int] | None:
    """Return the first and last scene frame that a bake changed; ``None`` if unknown."""
    span = PreviousState.from_json(entry.previous_state).span
    return (span[0], span[1]) if len(span) == 2 else None


def _inherited_count(armature: bpy.types.Object) -> int:
    """Return the number of records that a library override inherits; these come first."""
    override = armature.override_library
    return len(bake_records(override.reference)) if override else 0


def store_record(
    armature: bpy.types.Object,
    record: BakeRecord,
    state: PreviousState,
    underneath: Sequence[bpy.types.Action] = (),
    entry: FOOTFALL_PG_bake_record | None = None,
) -> None:
    """Store the record of a bake and the actions it saved; the oldest record is dropped if there are too many.

    Args:
        armature: the armature.
        record: the record.
        state: the state before the bake.
        underneath: actions underneath the bake's strip.
        entry: record to replace, except for its previous action; a new record by default.
    """
    records = bake_records(armature)
    if entry is None:
        records.add().previous_action = record.previous
    entry = entry or records[-1]
    entry.destination, entry.action = record.kind, record.action
    for name, action in zip_longest(UNDERNEATH, underneath):
        setattr(entry, name, action)
    entry.fingerprint, entry.previous_state = " ".join(map(action_checksum, written_actions(entry))), state.to_json()
    while len(records) - _inherited_count(armature) > MAX_BAKE_RECORDS:
        records.remove(_inherited_count(armature))
