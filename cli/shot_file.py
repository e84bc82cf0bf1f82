"""Reader of shots from JSON files: ground, objects, and each character's beats."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..core.control.shot.beats import PartnerBeat
from ..core.features.strikes import EFFECTORS
from ..core.jobs.file_names import safe_file_name
from ..core.message import Message
from ..core.motion.rotations import Array, rotate, rotation_about_up
from ..core.scene.mesh_files import Mesh
from .partner_beats import FIGHT, PARTNER_FIELDS, partner_beat
from .scene_file import (
    ACTION_FIELDS,
    MAX_DURATION_S,
    MAX_ITEMS,
    TASK_FIELDS,
    SceneObject,
    SceneReader,
    SceneTask,
    read_document,
)
from .shot_acts import ACT, ActEntry, read_act
from .shot_balls import (
    ACTIONS,
    DRIBBLE,
    PASS,
    BallBeatEntry,
    BallEntry,
    PassEntry,
    read_ball_beat,
    read_ball_name,
    read_balls,
    read_pass,
)

SHOT_FIELDS: Final = {
    "ground": list[dict[str, Any]],
    "objects": list[dict[str, Any]],
    "characters": list[dict[str, Any]],
    "balls": list[dict[str, Any]],
}
GROUND_FIELDS: Final = {
    "file": str,
    "size": tuple[float, float, float],
    "scale": float,
    "position": list[float],
    "rotation": float,
}
CHARACTER_FIELDS: Final = {
    "name": str,
    "position": list[float],
    "direction": float,
    "seed": int,
    "beats": list[dict[str, Any]],
}
WALK_FIELDS: Final = {"action": str, "path": list[list[float]], "target": list[float], "speed": float, "style": str}
DRIBBLE_FIELDS: Final = {**WALK_FIELDS, "ball": str, "hand": str}
HANDS: Final = ("left", "right")
STRIKE: Final = "strike"
STRIKE_FIELDS: Final = {"action": str, "target": tuple[float, float, float], "effector": str, "time": float}
WALK_SPEEDS_M_S: Final = {"walk": 1.2, "run": 3.0}
"""Default speed of each action that is a walk."""
WAIT: Final = "idle"
FRAME_FIELDS: Final = {"start_frame": int, "end_frame": int}
"""Fields of every beat except strikes and fights."""
MAX_FRAME: Final = 1_000_000
MAX_PATH_POINTS: Final = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class WalkEntry:
    """A walk, as given in the file.

    Attributes:
        points: (N, 2) points of the path, meters; a single point is a destination.
        speed: walking speed, m/s.
        style: style in which the controller walks; empty for none.
        ball: name of the ball to dribble; empty for none.
        hand: hand that dribbles the ball.
        action: ``walk`` (also for a run) or ``dribble``.
        yaw: direction to face while the character stays at the end, radians; ``None`` keeps the walk's last direction.
        wait: time to stay at the end, seconds.
    """

    points: Array
    speed: float
    style: str
    ball: str = ""
    hand: str = "right"
    action: str = "walk"
    yaw: float | None = None
    wait: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class StrikeEntry:
    """A strike, as given in the file.

    Attributes:
        target: (3) point to hit, meters, world.
        effector: one of ``features.strikes.EFFECTORS``.
        time: time of the blow since the start of the shot, seconds; ``None`` for as early as possible.
        action: always ``strike``.
    """

    target: Array
    effector: str
    time: float | None
    action: str = STRIKE


Frames = tuple[int | None, int | None]
"""First and last frame that the file gives for a beat, in frames of the BVH; ``None`` if not given."""
BeatEntry = WalkEntry | ActEntry | StrikeEntry | SceneTask | BallBeatEntry | PassEntry | PartnerBeat


@dataclass(frozen=True, slots=True, eq=False)
class CharacterEntry:
    """A character, as given in the file.

    Attributes:
        name: name of the character and of its files.
        position: (3) position at which it starts, meters, world.
        yaw: yaw at the start, radians; zero faces +Y.
        seed: seed of the random choices, which gives another take.
        beats: the character's beats, in order; a task with the action *idle* is a wait.
        frames: first and last frame given for each beat.
    """

    name: str
    position: Array
    yaw: float
    seed: int
    beats: tuple[BeatEntry, ...]
    frames: tuple[Frames, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ShotDescription:
    """A shot, as given in the file; meters, Z up.

    Attributes:
        ground: meshes of the ground, world; empty for the plane z = 0.
        objects: all objects, with different names.
        characters: all characters, with different names.
        balls: all balls, with different names; each is played with by one character, unless it is passed.
    """

    ground: tuple[Mesh, ...]
    objects: tuple[SceneObject, ...]
    characters: tuple[CharacterEntry, ...]
    balls: tuple[BallEntry, ...] = ()


def read_shot(path: Path) -> ShotDescription:
    """Read a shot file; docs/manual/pipelines.md describes its fields.

    Raises:
        FootfallError: the file or a mesh cannot be read, or a part of it is invalid; one sentence names the fault and
            its place.
    """
    document, reader = read_document(path), SceneReader(path)
    whole = Message("the shot")
    reader.check_fields(document, SHOT_FIELDS, whole)
    parts = [document.get(name, []) for name in SHOT_FIELDS]
    if max(map(len, parts)) > MAX_ITEMS:
        raise reader.error(
            whole, Message("more than {most} objects, characters, balls or parts of the ground", most=MAX_ITEMS)
        )
    ground = tuple(_ground_of(reader, entry, number) for number, entry in enumerate(parts[0], start=1))
    objects = tuple(reader.scene_object(entry, number) for number, entry in enumerate(parts[1], start=1))
    if not parts[2]:
        raise reader.error(whole, Message("no characters: write at least one"))
    names = [one.name for one in objects]
    balls = read_balls(reader, parts[3], names)
    known = names, [one.name for one in balls]
    characters = tuple(_character_of(reader, entry, number, known) for number, entry in enumerate(parts[2], start=1))
    passed = {beat.ball for one in characters for beat in one.beats if isinstance(beat, PassEntry)}
    for ball in (one for one in balls if one.name not in passed):
        players = [one.name for one in characters if any(played_ball(beat) == ball.name for beat in one.beats)]
        if len(players) > 1:
            reason = Message("both '{first}' and '{second}' use it", first=players[0], second=players[1])
            raise reader.error(Message("ball '{name}'", name=ball.name), reason)
    if len({one.name for one in characters}) < len(characters):
        raise reader.error(whole, Message("two characters have the same name"))
    return ShotDescription(ground, objects, characters, balls)


def _ground_of(reader: SceneReader, entry: Mapping[str, Any], number: int) -> Mesh:
    """Return a ground mesh in world space."""
    where = Message("ground {number}", number=number)
    reader.check_fields(entry, GROUND_FIELDS, where)
    vertices, triangles = reader.mesh(entry, where)
    turn = rotation_about_up(np.array(math.radians(entry.get("rotation", 0.0))))
    return rotate(turn, vertices) + reader.point(entry.get("position", [0.0, 0.0]), where), triangles


def _character_of(
    reader: SceneReader, entry: Mapping[str, Any], number: int, names: tuple[list[str], list[str]]
) -> CharacterEntry:
    """Return a character and its beats, from an entry of the file, given the names of objects and balls."""
    where = Message("character {number}", number=number)
    reader.check_fields(entry, CHARACTER_FIELDS, where)
    name = entry.get("name", "")
    if not name or safe_file_name(name) != name:
        raise reader.error(
            where, Message("'name' is missing, or contains characters other than letters, digits, '-', '.' and '_'")
        )
    position = reader.point(entry.get("position", [0.0, 0.0]), where)
    beats = entry.get("beats", [])
    if not 0 < len(beats) <= MAX_ITEMS:
        raise reader.error(where, Message("it needs from one to {most} beats", most=MAX_ITEMS))
    reader.start = position
    numbered = [(Message("beat {number}", number=at), beat) for at, beat in enumerate(beats, start=1)]
    frames = tuple(_frames_of(reader, beat, where) for where, beat in numbered)
    bare = [{name: one for name, one in beat.items() if name not in FRAME_FIELDS} for beat in beats]
    made = tuple(_beat_of(reader, beat, at, names) for at, beat in enumerate(bare, start=1))
    reader.start = None
    seed = entry.get("seed", 0)
    if seed < 0:
        raise reader.error(where, Message("'seed' is below zero"))
    return CharacterEntry(name, position, math.radians(entry.get("direction", 0.0)), seed, made, frames)


def _frames_of(reader: SceneReader, entry: Mapping[str, Any], where: Message) -> Frames:
    """Return the frames given for a beat."""
    given = {name: entry[name] for name in FRAME_FIELDS if name in entry}
    reader.check_fields(given, FRAME_FIELDS, where)
    if any(not 0 <= frame <= MAX_FRAME for frame in given.values()):
        raise reader.error(where, Message("a frame is not between 0 and {most}", most=MAX_FRAME))
    if entry.get("action") in (STRIKE, FIGHT) and given:
        raise reader.error(where, Message("a {action} has a 'time', not frames", action=entry["action"]))
    start, end = (given.get(name) for name in FRAME_FIELDS)
    if start is not None and end is not None and end <= start:
        raise reader.error(where, Message("'end_frame' is not after 'start_frame'"))
    return start, end


def _beat_of(
    reader: SceneReader, entry: Mapping[str, Any], number: int, names: tuple[list[str], list[str]]
) -> BeatEntry:
    """Return a beat, from an entry of the file."""
    where, action = Message("beat {number}", number=number), entry.get("action", "")
    if action in (*WALK_SPEEDS_M_S, DRIBBLE):
        return _walk_of(reader, entry, where, names[1])
    if action in ACTIONS:
        return read_ball_beat(reader, entry, where, names[1])
    if action == PASS:
        return read_pass(reader, entry, where, names[1])
    if action == ACT:
        return read_act(reader, entry, where)
    if action == STRIKE:
        return _strike_of(reader, entry, where)
    if action in PARTNER_FIELDS:
        return partner_beat(reader, entry, where)
    if action not in ACTION_FIELDS:
        known = ", ".join((*ACTION_FIELDS, ACT, STRIKE, *PARTNER_FIELDS, DRIBBLE, *ACTIONS, PASS))
        raise reader.error(where, Message("'action' is not one of {known}", known=known))
    reader.check_fields(entry, TASK_FIELDS, where)
    return reader.task(entry, number, names[0])


def _walk_of(reader: SceneReader, entry: Mapping[str, Any], where: Message, balls: list[str]) -> WalkEntry:
    """Return a walk or a dribble, from an entry of the file, given the names of the balls."""
    dribbles = entry["action"] == DRIBBLE
    reader.check_fields(entry, DRIBBLE_FIELDS if dribbles else WALK_FIELDS, where)
    ball, hand = read_ball_name(reader, entry, where, balls) if dribbles else "", entry.get("hand", HANDS[1])
    if hand not in HANDS:
        raise reader.error(where, Message("'hand' is not one of {known}", known=", ".join(HANDS)))
    if ("path" in entry) == ("target" in entry):
        raise reader.error(where, Message("give either 'path', a list of positions, or 'target', a position"))
    places: Sequence[list[float]] = entry.get("path", [entry.get("target")])
    if not 0 < len(places) <= MAX_PATH_POINTS:
        raise reader.error(where, Message("'path' has no positions, or more than {most}", most=MAX_PATH_POINTS))
    speed = entry.get("speed", WALK_SPEEDS_M_S.get(entry["action"], WALK_SPEEDS_M_S["walk"]))
    if not 0.0 < speed < 20.0:
        raise reader.error(where, Message("'speed' is not between 0 and 20 m/s"))
    points = np.array([reader.point(place, where)[:2] for place in places])
    action = DRIBBLE if dribbles else "walk"
    return WalkEntry(points, float(speed), entry.get("style", ""), ball=ball, hand=hand, action=action)


def _strike_of(reader: SceneReader, entry: Mapping[str, Any], where: Message) -> StrikeEntry:
    """Return a strike, from an entry of the file."""
    for name in ("target", "effector"):
        if name not in entry:
            raise reader.error(where, Message("'{action}' needs '{name}'", action=STRIKE, name=name))
    reader.check_fields(entry, STRIKE_FIELDS, where)
    target = reader.point(list(entry["target"]), where)
    if entry["effector"] not in EFFECTORS:
        raise reader.error(where, Message("'effector' is not one of {known}", known=", ".join(EFFECTORS)))
    time = entry.get("time")
    if time is not None and not 0.0 < time <= MAX_DURATION_S:
        raise reader.error(where, Message("'time' is not between 0 and {most} s", most=f"{MAX_DURATION_S:g}"))
    return StrikeEntry(target, entry["effector"], None if time is None else float(time))


def played_ball(beat: BeatEntry) -> str:
    """Return the name of the ball that a beat uses; empty for none."""
    return beat.ball if isinstance(beat, WalkEntry | BallBeatEntry | PassEntry) else ""


def wait_seconds(beat: BeatEntry) -> float | None:
    """Return the duration of a waiting beat, seconds; ``None`` if the beat is not a wait."""
    is_wait = isinstance(beat, SceneTask) and beat.action == WAIT
    return beat.duration if is_wait else None  # type: ignore[union-attr]
