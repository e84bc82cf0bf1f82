"""Labels of an action as plain, editable data, and the operations that correct them.

Frames are the scene's. A span includes both ends. Contacts of one joint do not overlap, and neither do gaits, nor
actions: setting one takes the frames from the others. A correction with an empty range (``end`` before ``start``) is a
cut: it splits the span around its frame in two, with the second one starting there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.errors import FootfallError
from ...core.labelling.phase.phase import MIN_STRIKE_INTERVAL_S, find_strikes
from ...core.message import Message
from ...core.motion.signals import runs_of

EXCLUSIVE_KINDS: Final = ("GAIT", "ACTION")
"""Kinds with at most one label per frame."""
SIDE_NAMES: Final = {"L": Message("left"), "R": Message("right")}
DEFAULT_CONTACT_FEET: Final = {"foot.L": "L", "toe.L": "L", "foot.R": "R", "toe.R": "R"}
ISSUE_CONTACT_MARGIN_S: Final = 0.3
"""Seconds around a doubtful frame within which contacts and gaps are part of the doubt."""
ISSUE_MAX_EXTENT_S: Final = 1.0
"""Distance in seconds from it beyond which they are not, regardless of their length."""
KIND_ORDER: Final = ("GAIT", "ACTION", "GOAL", "CONTACT")


@dataclass(frozen=True, slots=True)
class LabelSpan:
    """A range of frames, both ends included, and its label (see the segments on an action)."""

    kind: str
    name: str
    start: int
    end: int
    confidence: float = 1.0
    source: str = "DETECTED"
    location: tuple[float, float, float] = (0.0, 0.0, 0.0)
    yaw: float = 0.0


@dataclass(frozen=True, slots=True)
class LabelCorrection:
    """The user's correction of a range of frames: the label is present, or (``on`` false) absent."""

    kind: str
    name: str
    start: int
    end: int
    is_present: bool = True

    @property
    def is_split(self) -> bool:
        """True if the correction only splits a span at ``start``."""
        return self.end < self.start

    def applies_to(self, kind: str, name: str) -> bool:
        """Return whether the correction can change spans with a kind and name."""
        return self.kind == kind and (self.kind in EXCLUSIVE_KINDS or self.name == name)


@dataclass(frozen=True, slots=True)
class FootStrike:
    """A foot's first frame on the ground; ``removed`` if the user removed a detected one."""

    side: str
    frame: int
    source: str = "DETECTED"
    removed: bool = False


@dataclass
class EditableLabels:
    """All labels of an action, to be changed and written back.

    Attributes:
        first_frame: scene frame of the first label.
        frame_count: number of labeled frames.
        frame_rate: frames per second.
        contact_feet: foot of each contact, by the contact's name: ``"L"``, ``"R"``, ``"FL"``, ``"FR"``, or ``""``.
        spans: labeled ranges of frames, in any order.
        corrections: in the order in which they were made; later ones win.
        strikes: foot strikes, including detected ones that the user removed.
    """

    first_frame: int
    frame_count: int
    frame_rate: float
    contact_feet: dict[str, str]
    spans: list[LabelSpan] = field(default_factory=list)
    corrections: list[LabelCorrection] = field(default_factory=list)
    strikes: list[FootStrike] = field(default_factory=list)

    @property
    def last_frame(self) -> int:
        return self.first_frame + self.frame_count - 1

    def copy(self) -> "EditableLabels":
        """Return a copy of the labels on which changes can be tried."""
        return replace(self, spans=list(self.spans), corrections=list(self.corrections), strikes=list(self.strikes))

    def add_correction(self, correction: LabelCorrection) -> None:
        """Add and apply a correction, drop those that it supersedes, and update the strikes of its foot."""
        self.corrections = [old for old in self.corrections if not _supersedes(correction, old)]
        self.corrections.append(correction)
        self.spans = apply_correction(self.spans, correction)
        side = self.contact_feet.get(correction.name) if correction.kind == "CONTACT" else None
        if side in SIDE_NAMES and not correction.is_split:
            self.derive_strikes(side)

    def reapply_corrections(self) -> None:
        """Apply all corrections to newly detected spans, and update all strikes.

        Corrections that extend beyond the labels, as after shortening an action, are applied only within the labels.
        """
        for said in self.corrections:
            within = replace(said, start=max(said.start, self.first_frame), end=min(said.end, self.last_frame))
            if said.is_split or not within.is_split:
                self.spans = apply_correction(self.spans, said if said.is_split else within)
        for side in SIDE_NAMES:
            self.derive_strikes(side)

    def confirm_contact(self, name: str, frame: int) -> None:
        """Confirm the state of a contact, on or off, around a frame, up to a second to each side."""
        state = self.covered_mask(span for span in self.spans if span.kind == "CONTACT" and span.name == name)
        near, far = round(ISSUE_CONTACT_MARGIN_S * self.frame_rate), round(ISSUE_MAX_EXTENT_S * self.frame_rate)
        for on in (True, False):
            for start, stop in (runs_of(state == on) + self.first_frame).tolist():
                if start <= frame + near and stop > frame - near:
                    ends = max(start, frame - far), min(stop - 1, frame + far)
                    self.add_correction(LabelCorrection("CONTACT", name, *ends, on))

    def derive_strikes(self, side: str) -> None:
        """Derive a foot's strikes from its contacts, keeping those that the user has placed or removed."""
        mine = [strike for strike in self.strikes if strike.side == side and strike.source == "USER"]
        near = MIN_STRIKE_INTERVAL_S * self.frame_rate
        fixed = np.array([strike.frame for strike in mine], dtype=float)
        reach = np.array([near / 2 if strike.removed else near for strike in mine])
        found = self._touchdown_frames(side)
        free = ~(np.abs(found[:, None] - fixed) < reach).any(axis=1)
        kept = [strike for strike in self.strikes if strike.side != side]
        self.strikes = [*kept, *mine, *(FootStrike(side, frame) for frame in found[free].tolist())]

    def _touchdown_frames(self, side: str) -> NDArray[np.intp]:
        """Return the frames at which a foot touches down, according to its contacts."""
        return find_strikes(self.foot_contact_mask(side), self.frame_rate) + self.first_frame

    def foot_contact_mask(self, side: str) -> NDArray[np.bool_]:
        """Return a mask (F) of the frames in which any contact of a foot is on."""
        joints = self.contacts_of_foot(side)
        return self.covered_mask(span for span in self.spans if span.kind == "CONTACT" and span.name in joints)

    def covered_mask(self, spans: Iterable[LabelSpan]) -> NDArray[np.bool_]:
        """Return a mask (F) of the frames that lie in any of the spans."""
        state = np.zeros(self.frame_count, dtype=bool)
        for span in spans:
            state[max(span.start - self.first_frame, 0) : max(span.end - self.first_frame + 1, 0)] = True
        return state

    def contacts_of_foot(self, side: str) -> set[str]:
        """Return the names of the contacts that belong to a foot."""
        return {name for name, foot in self.contact_feet.items() if foot == side}

    def strike_frames(self, side: str) -> list[int]:
        """Return the frames of a foot's strikes, in order."""
        return sorted({s.frame for s in self.strikes if s.side == side and not s.removed})

    def move_strike(self, side: str, old_frame: int, new_frame: int) -> None:
        """Move a strike, together with the start of the contacts that begin there.

        Raises:
            FootfallError: there is no such strike, or at the new frame the foot is in the air or still down from an
                earlier contact.
        """
        self._require_strike(side, old_frame)
        joints = self.contacts_of_foot(side)
        began = [s for s in self.spans if s.kind == "CONTACT" and s.name in joints and s.start == old_frame]
        if began and new_frame > old_frame:
            self._delay_contacts(side, began, old_frame, new_frame)
        elif began and new_frame < old_frame:
            self._advance_contacts(side, began, old_frame, new_frame)
        self.strikes = [s for s in self.strikes if (s.side, s.frame, s.removed) != (side, old_frame, False)]
        self._insert_strike(side, new_frame)
        if old_frame in self.strike_frames(side):
            self.remove_strike(side, old_frame)

    def _delay_contacts(self, side: str, began: Iterable[LabelSpan], old: int, new: int) -> None:
        last = max(span.end for span in began)
        if new > last:
            raise FootfallError(
                "The contact of the {side} foot ends at frame {last}, before the new foot strike: move the "
                "foot strike to an earlier frame",
                side=SIDE_NAMES[side],
                last=last,
            )
        for name in sorted(self.contacts_of_foot(side)):
            self.add_correction(LabelCorrection("CONTACT", name, old, new - 1, is_present=False))

    def _advance_contacts(self, side: str, began: Iterable[LabelSpan], old: int, new: int) -> None:
        before = self.foot_contact_mask(side)[max(new - 1 - self.first_frame, 0) : old - self.first_frame]
        if before.any():
            lifted = max(new - 1, self.first_frame) + int(np.flatnonzero(before)[-1]) + 1
            raise FootfallError(
                "The {side} foot is on the ground until frame {end}: move the foot strike to a later frame, or remove "
                "that contact first",
                side=SIDE_NAMES[side],
                end=lifted - 1,
            )
        for span in began:
            self.add_correction(LabelCorrection("CONTACT", span.name, new, old - 1))

    def add_strike(self, side: str, frame: int) -> None:
        """Add a strike on behalf of the user; raise :class:`FootfallError` if the foot already strikes there."""
        if frame in self.strike_frames(side):
            raise FootfallError(
                "The {side} foot already has a foot strike at frame {frame}: choose another frame",
                side=SIDE_NAMES[side],
                frame=frame,
            )
        self._insert_strike(side, frame)

    def _insert_strike(self, side: str, frame: int) -> None:
        self.strikes = [s for s in self.strikes if (s.side, s.frame) != (side, frame)]
        self.strikes.append(FootStrike(side, frame, "USER"))
        self.derive_strikes(side)

    def remove_strike(self, side: str, frame: int) -> None:
        """Remove a strike for good; raise :class:`FootfallError` if there is none."""
        self._require_strike(side, frame)
        self.strikes = [s for s in self.strikes if (s.side, s.frame) != (side, frame)]
        if frame in self._touchdown_frames(side):
            self.strikes.append(FootStrike(side, frame, "USER", removed=True))
        self.derive_strikes(side)

    def _require_strike(self, side: str, frame: int) -> None:
        if frame not in self.strike_frames(side):
            raise FootfallError(
                "The {side} foot has no foot strike at frame {frame}: go to the frame of a foot strike",
                side=SIDE_NAMES[side],
                frame=frame,
            )


def apply_correction(spans: Iterable[LabelSpan], correction: LabelCorrection) -> list[LabelSpan]:
    """Apply a correction to spans and return the changed spans."""
    others, own = [], []
    for span in spans:
        (own if correction.applies_to(span.kind, span.name) else others).append(span)
    if correction.is_split:
        return others + _split(own, correction)
    rest = [part for span in own for part in _subtract(span, correction)]
    return others + (_merge(rest, correction) if correction.is_present else rest)


def _subtract(span: LabelSpan, correction: LabelCorrection) -> list[LabelSpan]:
    """Return the parts of a span outside a correction's frames; removing one name leaves spans of other names alone."""
    if correction.end < span.start or correction.start > span.end:
        return [span]
    if not correction.is_present and span.name != correction.name:
        return [span]
    parts = []
    if span.start < correction.start:
        parts.append(replace(span, end=correction.start - 1, source="USER"))
    if span.end > correction.end:
        parts.append(replace(span, start=correction.end + 1, source="USER"))
    return parts


def _merge(spans: Iterable[LabelSpan], new: LabelCorrection) -> list[LabelSpan]:
    """Add the span of a correction to spans, merging it with adjacent spans of the same name."""
    apart, touching = [], []
    for span in spans:
        near = span.name == new.name and (span.end == new.start - 1 or span.start == new.end + 1)
        (touching if near else apart).append(span)
    sure = new.end - new.start + 1 + sum((span.end - span.start + 1) * span.confidence for span in touching)
    start = min([new.start, *(span.start for span in touching)])
    end = max([new.end, *(span.end for span in touching)])
    return [*apart, LabelSpan(new.kind, new.name, start, end, sure / (end - start + 1), "USER")]


def _split(spans: Iterable[LabelSpan], correction: LabelCorrection) -> list[LabelSpan]:
    result = []
    for span in spans:
        if span.name == correction.name and span.start < correction.start <= span.end:
            result += [
                replace(span, end=correction.start - 1, source="USER"),
                replace(span, start=correction.start, source="USER"),
            ]
        else:
            result.append(span)
    return result


def _supersedes(new: LabelCorrection, old: LabelCorrection) -> bool:
    if not new.applies_to(old.kind, old.name) or (not new.is_present and new.name != old.name):
        return False
    if new.is_split:
        return old == new
    if old.is_split:
        return new.start <= old.start <= new.end + 1
    return new.start <= old.start and old.end <= new.end


def resolve_contact_feet(names: Iterable[str], feet: Mapping[str, Iterable[str]] | None = None) -> dict[str, str]:
    """Return the foot of each contact: the given one, or for heels and toes the one that their name suggests."""
    known = {name: side for side, members in (feet or {}).items() for name in members} or DEFAULT_CONTACT_FEET
    return {name: known.get(name, "") for name in names}


def sort_spans(spans: Iterable[LabelSpan]) -> list[LabelSpan]:
    """Return the spans sorted by kind, then time, then name."""
    return sorted(spans, key=lambda span: (KIND_ORDER.index(span.kind), span.start, span.name))
