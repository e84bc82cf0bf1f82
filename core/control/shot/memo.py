"""Cache of a shot's finished parts, so that the next bake only makes the parts from the first change on.

A part is identified by a checksum of all its inputs. The checksum of the previous part stands for the body's initial
state, since equal inputs give bit-identical motion.
"""

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace

import numpy as np

from .activity import Activity, MadePart, Situation, Stage, destination_of


@dataclass(frozen=True, slots=True, eq=False)
class Peer:
    """Data of another character of the cast; if they change, no finished part of a shot is reused.

    Attributes:
        scene_key: key that is equal for equal ground and obstacles; ``None`` if they may have changed.
        controllers: all controllers of the character.
    """

    scene_key: Hashable
    controllers: tuple[object, ...]

    @staticmethod
    def of(stage: Stage) -> "Peer":
        """Return the peer made from the stage of another character's shot."""
        dances = None if stage.dances is None else stage.dances.model  # its figures come with it
        return Peer(stage.request.scene_key, (stage.walks, stage.acts, stage.strikes, stage.dribbles, dances))


class ShotMemo:
    """The finished parts of the last two versions of a shot.

    Attributes:
        reused: number of parts that the newer version has reused from the older one.
    """

    def __init__(self) -> None:
        self.reused = 0
        self._older: dict[bytes, MadePart] = {}
        self._newer: dict[bytes, MadePart] = {}
        self._followers: dict[bytes, MadePart] = {}
        self._setting: Sequence[tuple[object, ...]] = ()

    @property
    def frames(self) -> int:
        """Number of frames of all stored parts."""
        return sum(len(one.performance) for one in {**self._older, **self._newer}.values())

    def begin(self, stage: Stage, peers: Sequence["Peer"] = ()) -> None:
        """Begin a new version of the shot; if a controller, the scene or the cast changed, drop all stored parts."""
        own, generator = Peer.of(stage), stage.request.manner.generator
        setting = [(one.scene_key, *one.controllers) for one in (own, *peers)] + [(0, generator)]
        is_same = len(setting) == len(self._setting) and all(map(_is_same, setting, self._setting))
        self._older, self._newer = ({**self._older, **self._newer} if is_same else {}), {}
        self._followers = self._followers if is_same else {}
        self._setting, self.reused = setting, 0

    def end(self) -> None:
        """End the new version of the shot, and drop stored parts that it did not use."""
        self._older = {}
        kept = [id(one) for one in self._newer.values()]
        self._followers = {before: one for before, one in self._followers.items() if id(one) in kept}

    def find(self, key: bytes) -> MadePart | None:
        """Return the stored part with a checksum, and count it as reused; ``None`` if there is none."""
        made = self._older.get(key)
        self.reused += made is not None
        return made

    def begun_alike(self, before: bytes) -> MadePart | None:
        """Return the part that last followed the part with checksum `before`; ``None`` if there is none."""
        return self._followers.get(before)

    def keep(self, before: bytes, key: bytes, made: MadePart) -> None:
        """Store a finished part under its own checksum `key` and the checksum `before` of the previous part."""
        self._newer[key] = self._followers[before] = made


def _is_same(new: tuple[object, ...], old: tuple[object, ...]) -> bool:
    """Return whether two tuples have equal, known scene keys (item 0) and the very same controllers (all others)."""
    keys = new[0] is not None and new[0] == old[0]
    return keys and len(new) == len(old) and all(a is b for a, b in zip(new[1:], old[1:], strict=True))


def first_key(stage: Stage) -> bytes:
    """Return the checksum of the inputs that all parts of a shot share."""
    request = stage.request
    manner = replace(request.manner, generator=None)  # generators are compared as controllers are
    return checksum(request.position, request.yaw, request.target, request.skin, request.rise, request.seed, manner)


def part_key(
    before: bytes, activity: Activity, situation: Situation, after: Activity | None, near: Sequence[int]
) -> bytes:
    """Return the checksum of a part, taken over all inputs that determine its motion.

    Args:
        before: checksum of the previous part.
        activity: activity that makes the part.
        situation: situation in which the part begins.
        after: the next activity.
        near: indices of the objects that the activity senses.
    """
    objects = [(one, situation.objects[one]) for one in near]
    leads = [] if after is None else [destination_of(after, situation), after.heading(situation, situation.place[:2])]
    return checksum(before, type(activity).__name__, activity.inputs(situation), situation.used, objects, leads)


def checksum(*values: object) -> bytes:
    """Return a checksum of values: nested dataclasses, mappings, sequences, arrays, text and numbers."""
    digest = hashlib.blake2b(digest_size=16)
    for value in values:
        _add(digest, value)
    return digest.digest()


def _add(digest: "hashlib.blake2b", value: object) -> None:
    """Add a value to a digest, with its type and size, so that different values never look alike."""
    if isinstance(value, np.ndarray):
        digest.update(repr((value.dtype.str, value.shape)).encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif is_dataclass(value) and not isinstance(value, type):
        digest.update(type(value).__name__.encode())
        for one in fields(value):
            _add(digest, getattr(value, one.name))
    elif isinstance(value, Mapping):
        _add(digest, list(value.items()))
    elif isinstance(value, list | tuple):
        digest.update(f"[{len(value)}]".encode())
        for one in value:
            _add(digest, one)
    elif isinstance(value, set | frozenset):
        _add(digest, sorted(value))
    elif value is None or isinstance(value, str | bytes | int | float | np.generic):
        digest.update(repr(value).encode() + b";")
    else:
        raise TypeError(f"no checksum of a {type(value).__name__}")
