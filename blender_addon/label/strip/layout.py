"""Layout of the strip's rows and the items under the mouse; in pixels, independent of a window.

The strip is at the bottom of its editor. Rows are measured from its bottom in units, the height of an ordinary row; the
editor's height determines the pixels per unit.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from .shown import StripLabels, StripSpan, spans_in_row

MAX_ROW_HEIGHT_PX: Final = 15.0  # pixels of an ordinary row, before the interface's scale
MIN_ROW_HEIGHT_PX: Final = 4.0
COMFORTABLE_ROW_HEIGHT_PX: Final = 11.0
READABLE_ROW_HEIGHT_PX: Final = 9.0  # enough for a row's name
COMPACT_ROW_HEIGHT_PX: Final = 6.0
HEADER_HEIGHT_PX: Final = 21.0  # the frame numbers at the editor's top
SCROLL_BAR_HEIGHT_PX: Final = 11.0  # at the editor's bottom, where the mouse makes it wider
LOW_TIMELINE_HEIGHT_PX: Final = 60.0  # a Timeline in which every pixel is needed
MAX_EDITOR_SHARE: Final = 0.55  # of a Dope Sheet, whose channels want to be seen
PHASE_ROW_HEIGHT_UNITS: Final = 1.8
ISSUE_ROW_HEIGHT_UNITS: Final = 0.6
BAR_INSET_UNITS: Final = 0.07  # of a unit, between a row's edge and its bars
OUTSIDE_PENALTY_PX: Final = 1e-3  # pixels that an edge seems farther away from outside its span
PICK_RADIUS_PX: Final = 5.0  # pixels from an edge or a tick within which the mouse takes it
JOINT_NAMES: Final = {"foot": "heel"}  # what animators call the joint

_RowPlan = tuple[str, str, float]  # kind, title, units
_Rows = tuple["Row", ...]
HitKind = Literal["STRIKE", "START", "END", "SPAN", "EMPTY", "SPOT"]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the strip.

    Attributes:
        kind: SPOT, PHASE, GAIT, ACTION or CONTACT.
        names: the joints of a contact row; several for merged rows.
        title: the displayed title.
        side: L, R or nothing.
        shows_strikes: whether the side's foot strikes are shown in the row.
        bottom: height of the row's lower edge over the strip's bottom, units.
        height: height of the row, units.
    """

    kind: str
    names: tuple[str, ...]
    title: str
    side: str
    shows_strikes: bool
    bottom: float
    height: float

    @property
    def low(self) -> float:
        """Bottom of the row's bars, in units."""
        return self.bottom + BAR_INSET_UNITS

    @property
    def high(self) -> float:
        """Top of the row's bars, in units."""
        return self.bottom + self.height - BAR_INSET_UNITS


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows from top to bottom, the pixels per unit, and the free pixels below."""

    rows: tuple[Row, ...]
    unit_height: float
    margin_below: float = 0.0

    @property
    def top(self) -> float:
        """Top of the strip, in pixels."""
        return self.y(self.rows[0].bottom + self.rows[0].height)

    def y(self, units: float) -> float:
        """Convert a height from units to a position in pixels."""
        return self.margin_below + self.unit_height * units

    def row_at(self, y: float) -> Row | None:
        """Return the row at a height in pixels; ``None`` if there is none."""
        units = (y - self.margin_below) / self.unit_height
        return next((row for row in self.rows if row.bottom <= units < row.bottom + row.height), None)


@dataclass(frozen=True, slots=True)
class Ruler:
    """Positions of frames: pixels per frame, and the position of frame 0 in pixels."""

    pixels_per_frame: float
    origin: float

    def x(self, frame: float) -> float:
        """Return the position of a frame in pixels."""
        return self.origin + self.pixels_per_frame * frame

    def frame_at(self, x: float) -> float:
        """Return the frame at a position, including its fraction."""
        return (x - self.origin) / self.pixels_per_frame

    def whole_frame_at(self, x: float) -> int:
        """Return the whole frame at a position; each frame extends half a frame to both sides."""
        return _rounded(self.frame_at(x))

    def first_frame_at(self, x: float) -> int:
        """Return the first frame of a span whose left edge is dragged to a position."""
        return _rounded(self.frame_at(x) + 0.5)

    def last_frame_at(self, x: float) -> int:
        """Return the last frame of a span whose right edge is dragged to a position."""
        return _rounded(self.frame_at(x) - 0.5)


@dataclass(frozen=True, slots=True)
class Hit:
    """The item under the mouse.

    Attributes:
        kind: a foot strike, a span's edge or its body, a suspicious spot, or nothing in a row of spans.
        item: index of the strike or spot among those shown, or of the span among the action's segments; -1 for EMPTY.
    """

    kind: HitKind
    row: Row
    frame: int
    item: int = -1


def _rounded(frame: float) -> int:
    return math.floor(frame + 0.5)


def joint_title(joint: str) -> str:
    """Return the title of a contact joint, such as "L heel" for ``foot.L``."""
    part, _, side = joint.rpartition(".")
    if side[-1:] not in ("L", "R") or not part:
        part, side = joint, ""
    return f"{side} {JOINT_NAMES.get(part, part)}".strip().replace("_", " ")


def side_of(joint: str, foot: str) -> str:
    """Return the side by which a joint is colored: that of its foot, of its name's suffix, or none."""
    return foot or {".L": "L", ".R": "R"}.get(joint[-2:], "")


def fit_layout(strip_labels: StripLabels, height: float, scale: float, is_timeline: bool = True) -> Layout | None:
    """Return the most detailed layout that fits into an editor of ``height`` pixels; ``None`` if none fits.

    Args:
        strip_labels: the labels to show.
        height: height of the editor's region.
        scale: scale of the interface.
        is_timeline: whether the editor is a Timeline; a Dope Sheet needs room for its channels, too.
    """
    below = 0.0 if is_timeline and height < LOW_TIMELINE_HEIGHT_PX * scale else SCROLL_BAR_HEIGHT_PX * scale
    room = (height - HEADER_HEIGHT_PX * scale - below) * (1.0 if is_timeline else MAX_EDITOR_SHARE)
    for rows, lowest in _detail_levels(strip_labels):
        units = sum(row.height for row in rows)
        unit = min(room / units, MAX_ROW_HEIGHT_PX * scale) if units else 0.0
        if unit >= lowest * scale:
            return Layout(rows, unit, below)
    return None


def _detail_levels(strip_labels: StripLabels) -> Iterable[tuple[_Rows, float]]:
    """Yield sets of rows in decreasing detail, each with the minimum height it needs."""
    joints = _sort_joints(strip_labels.contact_feet)
    merged = _group_by_foot(joints, strip_labels.contact_feet)
    feet = [names for names in merged if strip_labels.contact_feet[names[0]]]
    others = _other_rows(strip_labels)
    yield _stack_rows(others, [(name,) for name in joints], strip_labels.contact_feet), COMFORTABLE_ROW_HEIGHT_PX
    yield _stack_rows(others, merged, strip_labels.contact_feet), READABLE_ROW_HEIGHT_PX
    yield _stack_rows(others, feet, strip_labels.contact_feet), COMPACT_ROW_HEIGHT_PX
    yield (
        _stack_rows([plan for plan in others if plan[0] != "ACTION"], feet, strip_labels.contact_feet),
        MIN_ROW_HEIGHT_PX,
    )
    yield (
        _stack_rows([plan for plan in others if plan[0] == "GAIT"], feet, strip_labels.contact_feet),
        MIN_ROW_HEIGHT_PX,
    )
    yield _stack_rows([], feet, strip_labels.contact_feet), MIN_ROW_HEIGHT_PX


def _other_rows(strip_labels: StripLabels) -> list[_RowPlan]:
    """Return the rows other than contacts, from the top down."""
    kinds = {span.kind for span in strip_labels.spans}
    plans: list[_RowPlan] = []
    if strip_labels.issues:
        plans.append(("SPOT", "", ISSUE_ROW_HEIGHT_UNITS))
    plans += [(kind, title, 1.0) for kind, title in (("ACTION", "Activity"), ("GAIT", "Gait")) if kind in kinds]
    if len(strip_labels.phase):
        plans.append(("PHASE", "Phase", PHASE_ROW_HEIGHT_UNITS))
    return plans


def _sort_joints(joints: Mapping[str, str]) -> list[str]:
    """Return the joints sorted: feet first, left before right and heel before toe; others keep their order."""
    order = list(joints)
    return sorted(order, key=lambda joint: (not joints[joint], joints[joint], order.index(joint)))


def _group_by_foot(joints: Sequence[str], feet: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the joints grouped by foot; every other joint is a group of its own."""
    groups: dict[str, list[str]] = {}
    for joint in joints:
        groups.setdefault(f"foot {feet[joint]}" if feet[joint] else joint, []).append(joint)
    return [tuple(names) for names in groups.values()]


def _stack_rows(
    others: Sequence[_RowPlan], contacts: Sequence[tuple[str, ...]], feet: Mapping[str, str]
) -> tuple[Row, ...]:
    """Return the rows from top to bottom; strikes are shown in the first row of each foot."""
    top = sum(units for *_, units in others) + len(contacts)
    rows: list[Row] = []
    for kind, title, units in others:
        top -= units
        rows.append(Row(kind, (), title, "", False, top, units))
    struck: set[str] = set()
    for names in contacts:
        top -= 1.0
        joint = names[0]
        foot = feet[joint]
        title = f"{foot} foot" if len(names) > 1 else joint_title(joint)
        first = bool(foot) and foot not in struck
        rows.append(Row("CONTACT", names, title, side_of(joint, foot), first, top, 1.0))
        struck.add(foot)
    return tuple(rows)


def hit_test(
    layout: Layout, ruler: Ruler, strip_labels: StripLabels, x: float, y: float, scale: float = 1.0
) -> Hit | None:
    """Return the item at a position, preferring ticks to edges and edges to bodies; ``None`` elsewhere."""
    row = layout.row_at(y)
    if row is None or row.kind == "PHASE":
        return None
    frame, reach = ruler.whole_frame_at(x), PICK_RADIUS_PX * scale
    if row.kind == "SPOT":
        found = _nearest(x, [ruler.x(spot.frame) for spot in strip_labels.issues], reach)
        return None if found is None else Hit("SPOT", row, frame, found)
    if row.shows_strikes:
        places = [
            ruler.x(strike.frame - 0.5) if strike.side == row.side else float("inf") for strike in strip_labels.strikes
        ]
        found = _nearest(x, places, reach)
        if found is not None:
            return Hit("STRIKE", row, frame, found)
    spans = spans_in_row(strip_labels.spans, row.kind, row.names)
    return _edge(row, ruler, spans, x, frame, reach) or _span_index(row, spans, frame)


def _nearest(x: float, places: Sequence[float], reach: float) -> int | None:
    number = min(range(len(places)), key=lambda n: abs(places[n] - x), default=None)
    return None if number is None or abs(places[number] - x) > reach else number


def _edge(row: Row, ruler: Ruler, spans: Sequence[StripSpan], x: float, frame: int, reach: float) -> Hit | None:
    """Return the nearest edge; a short span's edges react only in its outer thirds, so that its middle can be hit.

    Between two adjacent spans, the edge belongs to the span on the mouse's side.
    """
    best, found = reach, None
    for span in spans:
        left, right = ruler.x(span.start - 0.5), ruler.x(span.end + 0.5)
        if left - best > x or right + best < x:
            continue
        inside = min(reach, (right - left) / 3)
        sides: tuple[tuple[HitKind, float], ...] = (("START", x - left), ("END", right - x))
        for what, distance in sides:
            away = distance if distance >= 0 else OUTSIDE_PENALTY_PX - distance
            if away < best and distance <= inside:
                best, found = away, Hit(what, row, frame, span.index)
    return found


def _span_index(row: Row, spans: Sequence[StripSpan], frame: int) -> Hit:
    under = [span.index for span in spans if span.start <= frame <= span.end]
    return Hit("SPAN", row, frame, under[0]) if under else Hit("EMPTY", row, frame)
