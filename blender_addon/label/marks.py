"""What is marked on an action as plain data, and the arithmetic of correcting it.

Frames are the scene's. A span holds both its ends. Contacts of one joint do not overlap, and neither do gaits, nor
actions: setting one takes the frames from the others. A correction with an empty range (``end`` before ``start``) is a
cut: the span that runs over its frame is two, the second of which begins there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.errors import FootfallError
from ...core.labelling.phase.phase import CLOSEST_STRIKES, find_strikes
from ...core.motion.signals import runs_of

EXCLUSIVE: Final = ("GAIT", "ACTION")
"""Kinds of which every frame has at most one."""
SIDES: Final = {"L": "left", "R": "right"}
PLAIN_FEET: Final = {"foot.L": "L", "toe.L": "L", "foot.R": "R", "toe.R": "R"}
NEAR: Final = 0.3
"""Seconds around a doubtful frame within which contacts and gaps belong to the doubt."""
FAR: Final = 1.0
"""Seconds from it beyond which they do not, however long they are."""
ORDER: Final = ("GAIT", "ACTION", "GOAL", "CONTACT")


@dataclass(frozen=True, slots=True)
class Span:
    """Some frames, both ends included, and what happens in them (see the segments on an action)."""

    kind: str
    name: str
    start: int
    end: int
    confidence: float = 1.0
    source: str = "FOUND"
    location: tuple[float, float, float] = (0.0, 0.0, 0.0)
    yaw: float = 0.0


@dataclass(frozen=True, slots=True)
class Correction:
    """What the user said of some frames: this happens there, or (``on`` false) it does not."""

    kind: str
    name: str
    start: int
    end: int
    on: bool = True

    @property
    def is_cut(self) -> bool:
        """Whether it only divides what is there at ``start``."""
        return self.end < self.start

    def concerns(self, kind: str, name: str) -> bool:
        """Whether it may change spans of a kind and name."""
        return self.kind == kind and (self.kind in EXCLUSIVE or self.name == name)


@dataclass(frozen=True, slots=True)
class Strike:
    """A foot's first frame on the ground; ``removed`` where the user took a found one away."""

    side: str
    frame: int
    source: str = "FOUND"
    removed: bool = False


@dataclass
class Marks:
    """All marks of an action, to be changed and written back.

    Attributes:
        first, count, rate: the scene's frame of the first label, how many frames there are, and frames a second.
        sensors: name of each contact to the foot it belongs to (``"L"``, ``"R"``, ``"FL"``, ``"FR"``), or ``""``.
        spans: in no order.
        corrections: in the order in which they were made; later ones win.
        strikes: those that hold and those that were removed.
    """

    first: int
    count: int
    rate: float
    sensors: dict[str, str]
    spans: list[Span] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    strikes: list[Strike] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The last labelled frame."""
        return self.first + self.count - 1

    def copy(self) -> "Marks":
        """The same marks, to be changed on trial."""
        return replace(self, spans=list(self.spans), corrections=list(self.corrections), strikes=list(self.strikes))

    def correct(self, correction: Correction) -> None:
        """Records a correction, forgets those it makes void, applies it, and derives the strikes of its foot again."""
        self.corrections = [old for old in self.corrections if not _makes_void(correction, old)]
        self.corrections.append(correction)
        self.spans = applied(self.spans, correction)
        side = self.sensors.get(correction.name) if correction.kind == "CONTACT" else None
        if side in SIDES and not correction.is_cut:
            self.derive_strikes(side)

    def recorrect(self) -> None:
        """Applies all corrections to spans that were found anew, and derives all strikes.

        Of corrections that reach beyond the labels, as they do once an action was cut, what is left is applied.
        """
        for said in self.corrections:
            within = replace(said, start=max(said.start, self.first), end=min(said.end, self.last))
            if said.is_cut or not within.is_cut:
                self.spans = applied(self.spans, said if said.is_cut else within)
        for side in SIDES:
            self.derive_strikes(side)

    def confirm_contact(self, name: str, frame: int) -> None:
        """Says that a contact is as it is marked around a frame, up to a second away from it."""
        state = self.covered(span for span in self.spans if span.kind == "CONTACT" and span.name == name)
        near, far = round(NEAR * self.rate), round(FAR * self.rate)
        for on in (True, False):
            for start, stop in (runs_of(state == on) + self.first).tolist():
                if start <= frame + near and stop > frame - near:
                    ends = max(start, frame - far), min(stop - 1, frame + far)
                    self.correct(Correction("CONTACT", name, *ends, on))

    def derive_strikes(self, side: str) -> None:
        """A foot's strikes as its contacts have them, save where the user placed or removed one."""
        mine = [strike for strike in self.strikes if strike.side == side and strike.source == "USER"]
        near = CLOSEST_STRIKES * self.rate
        fixed = np.array([strike.frame for strike in mine], dtype=float)
        reach = np.array([near / 2 if strike.removed else near for strike in mine])
        found = self._touchdowns(side)
        free = ~(np.abs(found[:, None] - fixed) < reach).any(axis=1)
        kept = [strike for strike in self.strikes if strike.side != side]
        self.strikes = [*kept, *mine, *(Strike(side, frame) for frame in found[free].tolist())]

    def _touchdowns(self, side: str) -> NDArray[np.intp]:
        """The frames at which a foot's contacts say that it comes down."""
        return find_strikes(self.down(side), self.rate) + self.first

    def down(self, side: str) -> NDArray[np.bool_]:
        """The frames (F) at which any contact of a foot is on."""
        joints = self.joints_of(side)
        return self.covered(span for span in self.spans if span.kind == "CONTACT" and span.name in joints)

    def covered(self, spans: Iterable[Span]) -> NDArray[np.bool_]:
        """The frames (F) that lie in any of some spans."""
        state = np.zeros(self.count, dtype=bool)
        for span in spans:
            state[max(span.start - self.first, 0) : max(span.end - self.first + 1, 0)] = True
        return state

    def joints_of(self, side: str) -> set[str]:
        """The contacts that belong to a foot."""
        return {name for name, foot in self.sensors.items() if foot == side}

    def live_strikes(self, side: str) -> list[int]:
        """The frames of a foot's strikes, in order."""
        return sorted({s.frame for s in self.strikes if s.side == side and not s.removed})

    def move_strike(self, side: str, old: int, new: int) -> None:
        """Moves a strike, and with it the start of the contacts that began there.

        Raises:
            FootfallError: there is no such strike, or the foot is in the air or still down where it would go.
        """
        self._require_strike(side, old)
        joints = self.joints_of(side)
        began = [s for s in self.spans if s.kind == "CONTACT" and s.name in joints and s.start == old]
        if began and new > old:
            self._begin_later(side, began, old, new)
        elif began and new < old:
            self._begin_earlier(side, began, old, new)
        self.strikes = [s for s in self.strikes if (s.side, s.frame, s.removed) != (side, old, False)]
        self._place(side, new)
        if old in self.live_strikes(side):
            self.remove_strike(side, old)

    def _begin_later(self, side: str, began: Iterable[Span], old: int, new: int) -> None:
        last = max(span.end for span in began)
        if new > last:
            raise FootfallError(
                f"The {SIDES[side]} foot's contact ends at frame {last}: move the strike to a frame before that."
            )
        for name in sorted(self.joints_of(side)):
            self.correct(Correction("CONTACT", name, old, new - 1, on=False))

    def _begin_earlier(self, side: str, began: Iterable[Span], old: int, new: int) -> None:
        before = self.down(side)[max(new - 1 - self.first, 0) : old - self.first]
        if before.any():
            lifted = max(new - 1, self.first) + int(np.flatnonzero(before)[-1]) + 1
            raise FootfallError(
                f"The {SIDES[side]} foot is down until frame {lifted - 1}: move the strike to a frame after "
                f"{lifted}, or erase that contact first."
            )
        for span in began:
            self.correct(Correction("CONTACT", span.name, new, old - 1))

    def add_strike(self, side: str, frame: int) -> None:
        """Adds a strike of the user's; raises :class:`FootfallError` where the foot strikes at that frame already."""
        if frame in self.live_strikes(side):
            raise FootfallError(f"The {SIDES[side]} foot strikes at frame {frame} already: choose another frame.")
        self._place(side, frame)

    def _place(self, side: str, frame: int) -> None:
        self.strikes = [s for s in self.strikes if (s.side, s.frame) != (side, frame)]
        self.strikes.append(Strike(side, frame, "USER"))
        self.derive_strikes(side)

    def remove_strike(self, side: str, frame: int) -> None:
        """Takes a strike away for good; raises :class:`FootfallError` where there is none."""
        self._require_strike(side, frame)
        self.strikes = [s for s in self.strikes if (s.side, s.frame) != (side, frame)]
        if frame in self._touchdowns(side):
            self.strikes.append(Strike(side, frame, "USER", removed=True))
        self.derive_strikes(side)

    def _require_strike(self, side: str, frame: int) -> None:
        if frame not in self.live_strikes(side):
            raise FootfallError(f"The {SIDES[side]} foot does not strike at frame {frame}: go to a strike.")


def applied(spans: Iterable[Span], correction: Correction) -> list[Span]:
    """The spans as a correction wants them."""
    others, own = [], []
    for span in spans:
        (own if correction.concerns(span.kind, span.name) else others).append(span)
    if correction.is_cut:
        return others + _cut(own, correction)
    rest = [part for span in own for part in _without(span, correction)]
    return others + (_joined(rest, correction) if correction.on else rest)


def _without(span: Span, correction: Correction) -> list[Span]:
    """What is left of a span outside a correction's frames; one of another name is left alone by a mere denial."""
    if correction.end < span.start or correction.start > span.end:
        return [span]
    if not correction.on and span.name != correction.name:
        return [span]
    parts = []
    if span.start < correction.start:
        parts.append(replace(span, end=correction.start - 1, source="USER"))
    if span.end > correction.end:
        parts.append(replace(span, start=correction.end + 1, source="USER"))
    return parts


def _joined(spans: Iterable[Span], new: Correction) -> list[Span]:
    """The spans and the correction's own, made one with those of its name that touch it."""
    apart, touching = [], []
    for span in spans:
        near = span.name == new.name and (span.end == new.start - 1 or span.start == new.end + 1)
        (touching if near else apart).append(span)
    sure = new.end - new.start + 1 + sum((span.end - span.start + 1) * span.confidence for span in touching)
    start = min([new.start, *(span.start for span in touching)])
    end = max([new.end, *(span.end for span in touching)])
    return [*apart, Span(new.kind, new.name, start, end, sure / (end - start + 1), "USER")]


def _cut(spans: Iterable[Span], cut: Correction) -> list[Span]:
    result = []
    for span in spans:
        if span.name == cut.name and span.start < cut.start <= span.end:
            result += [replace(span, end=cut.start - 1, source="USER"), replace(span, start=cut.start, source="USER")]
        else:
            result.append(span)
    return result


def _makes_void(new: Correction, old: Correction) -> bool:
    if not new.concerns(old.kind, old.name) or (not new.on and new.name != old.name):
        return False
    if new.is_cut:
        return old == new
    if old.is_cut:
        return new.start <= old.start <= new.end + 1
    return new.start <= old.start and old.end <= new.end


def feet_of(names: Iterable[str], feet: Mapping[str, Iterable[str]] | None = None) -> dict[str, str]:
    """Which foot each contact belongs to; heels and toes by their names where it is not said."""
    known = {name: side for side, members in (feet or {}).items() for name in members} or PLAIN_FEET
    return {name: known.get(name, "") for name in names}


def in_order(spans: Iterable[Span]) -> list[Span]:
    """Spans by kind, then time, then name."""
    return sorted(spans, key=lambda span: (ORDER.index(span.kind), span.start, span.name))
