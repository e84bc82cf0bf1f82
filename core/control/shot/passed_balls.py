"""Balls that characters of a cast pass to each other: each is with one of them at first, and ends with one track."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...errors import FootfallError
from ...motion.rotations import inverse, multiply
from ..performance import ObjectTrack
from .beats import PassBeat
from .outcome import Shot
from .pairing import Pairing
from .request import ShotRequest


def thrower_of(pairing: Pairing) -> int:
    """Return the index, 0 or 1, of the character that throws the ball of a pass.

    Raises:
        FootfallError: no beat of both names a ball, or both do.
    """
    throws = [any(isinstance(one, PassBeat) and one.ball >= 0 for _, one in part.beats) for part in pairing.parts]
    if sum(throws) != 1:
        raise FootfallError(
            "Both '{name}' and '{partner}' throw a ball in beat {number}: leave the ball of one of them empty"
            if throws[0]
            else "The pass of '{name}' and '{partner}' in beat {number} has no ball: choose one for the thrower",
            name=pairing.names[0],
            partner=pairing.names[1],
            number=pairing.parts[0].beats[0][0] + 1,
        )
    return throws.index(True)


def passed_ball(pairing: Pairing, requests: Mapping[str, ShotRequest]) -> str:
    """Return the name of the ball of a pass; raise :class:`FootfallError` if there is none."""
    side = thrower_of(pairing)
    name, (number, beat) = pairing.names[side], pairing.parts[side].beats[0]
    assert isinstance(beat, PassBeat)
    balls = requests[name].balls
    if beat.ball >= len(balls):
        raise FootfallError("Beat {number} of '{name}' has no ball: choose one", number=number + 1, name=name)
    return balls[beat.ball].name


def with_passed_balls(requests: Mapping[str, ShotRequest], pairings: Sequence[Pairing]) -> dict[str, ShotRequest]:
    """Return the requests of a cast, in which each passed ball is at first only with the character that has it.

    Args:
        requests: the request of each character by name.
        pairings: all meetings of the cast, in their order.

    Raises:
        FootfallError: a pass has no ball, or another character has it then.
    """
    first, now, made = dict[str, str](), dict[str, str](), dict(requests)
    for pairing in pairings:
        if pairing.parts[0].kind != "pass":
            continue
        ball, side = passed_ball(pairing, requests), thrower_of(pairing)
        name, partner = pairing.names[side], pairing.names[1 - side]
        if now.setdefault(ball, name) != name:
            raise FootfallError(
                "'{name}' cannot pass '{ball}' in beat {number}, since '{other}' has it then: let '{other}' pass it "
                "to '{name}' in an earlier beat",
                name=name,
                ball=ball,
                number=pairing.parts[side].beats[0][0] + 1,
                other=now[ball],
            )
        first.setdefault(ball, name)
        now[ball] = partner
        state = next(one for one in requests[first[ball]].balls if one.name == ball)
        if all(one.name != ball for one in made[partner].balls):
            made[partner] = replace(made[partner], balls=(*made[partner].balls, state))
    return {
        name: replace(one, balls=[ball.away if first.get(ball.name, name) != name else ball for ball in one.balls])
        for name, one in made.items()
    }


def with_one_track(
    shots: Mapping[str, Shot], pairings: Sequence[Pairing], requests: Mapping[str, ShotRequest]
) -> dict[str, Shot]:
    """Return finished shots in which each passed ball has one track, in the longest shot that plays with it.

    Args:
        shots: the finished shot of each character by name.
        pairings: all meetings of the cast, in their order.
        requests: the request of each character by name.
    """
    owners = dict[str, list[tuple[int, str]]]()
    for pairing in pairings:
        if pairing.parts[0].kind != "pass":
            continue
        ball, side = passed_ball(pairing, requests), thrower_of(pairing)
        name, partner = pairing.names[side], pairing.names[1 - side]
        caught = shots[name].beats[pairing.parts[side].beats[0][0]].caught
        owned = owners.setdefault(ball, [(0, name)])
        if caught is not None:
            owned.append((caught, partner))
    made = dict(shots)
    for ball, owned in owners.items():
        track = _joined({name: _track(shots[name], ball) for _, name in owned}, owned)
        longest = max((name for _, name in owned), key=lambda name: len(shots[name].performance))
        for name, one in made.items():
            rest = [other for other in one.performance.objects if other.name != ball]
            objects = (*rest, *([track] if name == longest and track is not None else []))
            made[name] = replace(one, performance=replace(one.performance, objects=objects))
    return made


def _track(shot: Shot, ball: str) -> ObjectTrack | None:
    """Return the track of a ball in a shot; ``None`` if it has none."""
    return next((one for one in shot.performance.objects if one.name == ball), None)


def _joined(tracks: Mapping[str, ObjectTrack | None], owned: Sequence[tuple[int, str]]) -> ObjectTrack | None:
    """Return the track of a ball that is with each character of a list from a frame on; it turns without a jump.

    Args:
        tracks: the track of the ball as each character knows it, by name.
        owned: first frame with each character, and the character's name.
    """
    known = [one for one in tracks.values() if one is not None]
    frames, made = max(map(len, known), default=0), None
    for first, name in owned:
        track = tracks[name]
        if track is None:
            continue
        own = track.taken(np.minimum(np.arange(frames), len(track) - 1))
        if made is None:
            made = own
            continue
        turns = multiply(own.rotations, multiply(inverse(own.rotations[first]), made.rotations[first]))
        rows = np.arange(frames)[:, None] < first
        made = replace(
            made,
            positions=np.where(rows, made.positions, own.positions),
            rotations=np.where(rows, made.rotations, turns),
            held=np.where(rows[:, 0], made.held, own.held),
        )
    return made
