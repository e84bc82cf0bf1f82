"""Reader of the balls in a shot file, and of the beats that use them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..core.ball.ball_track import BASKETBALL_RADIUS_M
from ..core.control.path.path_events import RIM_RADIUS_M
from ..core.message import Message
from ..core.motion.rotations import Array
from .scene_file import SceneReader

if TYPE_CHECKING:
    from ..core.control.shot.balls import BallState
    from ..core.control.shot.beats import BeatTime, PassBeat

BALL_FIELDS: Final = {"name": str, "position": list[float], "radius": float}
DRIBBLE: Final = "dribble"
ACTIONS: Final = {"pick_up_ball": "pick_up", "put_down_ball": "put_down", "shoot": "shoot"}
"""Ball actions on the spot, by their names in the file."""
BEAT_FIELDS: Final = {
    "pick_up_ball": {"action": str, "ball": str},
    "put_down_ball": {"action": str, "ball": str, "place": list[float]},
    "shoot": {
        "action": str,
        "ball": str,
        "target": tuple[float, float, float],
        "place": list[float],
        "rim_radius": float,
    },
}
PASS: Final = "pass"
PASS_FIELDS: Final = {"action": str, "partner": str, "ball": str, "place": list[float], "distance": float}
RADII_M: Final = (0.02, 0.5)
"""Smallest and largest radius of a ball."""


@dataclass(frozen=True, slots=True, eq=False)
class BallEntry:
    """A ball, as given in the file.

    Attributes:
        name: name of the ball.
        position: (3) center, meters, world; ``None`` for a ball that starts in its character's hands.
        radius: radius of the ball, meters.
    """

    name: str
    position: Array | None
    radius: float

    def state(self) -> "BallState":
        """Return the ball's state at the first frame of a shot."""
        from ..core.control.shot.balls import BallState

        if self.position is None:
            return BallState(self.name, np.zeros((0, 3)), np.zeros((0, 4)), self.radius, is_held=True)
        return BallState.at(self.name, self.position, self.radius)


@dataclass(frozen=True, slots=True, eq=False)
class BallBeatEntry:
    """A beat with a ball, as given in the file.

    Attributes:
        action: one of :data:`ACTIONS`.
        ball: name of the ball.
        place: (2) position where the ball is put down or shot from, meters; ``None`` for the character's place.
        target: (3) center of the hoop's rim, meters, world.
        rim_radius: radius of the hoop's rim, meters.
    """

    action: str
    ball: str
    place: Array | None = None
    target: Array | None = None
    rim_radius: float = RIM_RADIUS_M


@dataclass(frozen=True, slots=True, eq=False)
class PassEntry:
    """A pass of a ball, as given in the file.

    Attributes:
        partner: name of the other character.
        ball: name of the thrown ball; empty for the character that catches it.
        place: (2) midpoint of both characters, meters; ``None`` for the midpoint of the places that they come from.
        distance: distance between both characters, meters; ``None`` for the usual one.
        action: always ``pass``.
    """

    partner: str
    ball: str
    place: Array | None = None
    distance: float | None = None
    action: str = PASS

    def beat(self, ball: int, time: "BeatTime") -> "PassBeat":
        """Return the beat, given the index of the thrown ball, -1 for none, and the times set for the beat."""
        from ..core.control.shot.beats import PassBeat

        made = PassBeat(self.partner, ball, self.place, time=time)
        return made if self.distance is None else replace(made, distance=self.distance)


def read_balls(
    reader: SceneReader, entries: Sequence[Mapping[str, Any]], taken: Sequence[str]
) -> tuple[BallEntry, ...]:
    """Return the balls that entries of a shot file describe; their names must differ from those in ``taken``."""
    names, balls = list(taken), list[BallEntry]()
    for number, entry in enumerate(entries, start=1):
        where = Message("ball {number}", number=number)
        reader.check_fields(entry, BALL_FIELDS, where)
        name, radius, given = entry.get("name", ""), entry.get("radius", BASKETBALL_RADIUS_M), entry.get("position")
        if not name or name in names:
            raise reader.error(where, Message("'name' is missing, or another object has the same one"))
        if not RADII_M[0] <= radius <= RADII_M[1]:
            low, high = (f"{one:g}" for one in RADII_M)
            raise reader.error(where, Message("'radius' is not between {low} and {high} m", low=low, high=high))
        names.append(name)
        place = None if given is None else reader.point(given, where)
        if place is not None and given is not None and len(given) == 2:
            place[2] = radius
        balls.append(BallEntry(name, place, float(radius)))
    return tuple(balls)


def read_ball_beat(
    reader: SceneReader, entry: Mapping[str, Any], where: Message, balls: Sequence[str]
) -> BallBeatEntry:
    """Return the beat with one of ``balls`` that an entry of a shot file describes; ``where`` names it in errors."""
    action = entry["action"]
    reader.check_fields(entry, BEAT_FIELDS[action], where)
    ball = read_ball_name(reader, entry, where, balls)
    if action == "shoot" and "target" not in entry:
        raise reader.error(where, Message("'{action}' needs '{name}'", action=action, name="target"))
    place = reader.point(entry["place"], where)[:2] if "place" in entry else None
    target = reader.point(list(entry["target"]), where) if "target" in entry else None
    rim_radius = float(entry.get("rim_radius", RIM_RADIUS_M))
    return BallBeatEntry(action, ball, place, target, rim_radius)


def read_pass(reader: SceneReader, entry: Mapping[str, Any], where: Message, balls: Sequence[str]) -> PassEntry:
    """Return the pass of one of ``balls`` that an entry of a shot file describes; ``where`` names it in errors."""
    reader.check_fields(entry, PASS_FIELDS, where)
    if not entry.get("partner"):
        raise reader.error(where, Message("'{action}' needs '{name}'", action=PASS, name="partner"))
    place = reader.point(entry["place"], where)[:2] if "place" in entry else None
    distance = float(entry["distance"]) if "distance" in entry else None
    ball = read_ball_name(reader, entry, where, balls) if "ball" in entry else ""
    return PassEntry(entry["partner"], ball, place, distance)


def read_ball_name(reader: SceneReader, entry: Mapping[str, Any], where: Message, balls: Sequence[str]) -> str:
    """Return the name of the ball in the entry of a beat; raise an error unless it is one of ``balls``."""
    ball = entry.get("ball", "")
    if ball not in balls:
        raise reader.error(where, Message("there is no ball '{name}': check the name", name=ball))
    return ball
