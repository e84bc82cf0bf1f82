"""The company of a cast: its characters' shots in progress, and the waiting ones among them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from ...errors import FootfallError
from ...motion import Clip
from ...motion.rotations import Array

WAITING: Final = 0
"""Yielded by a waiting character in place of its number of finished frames."""


class MadeShot(Protocol):
    """A partner's shot while it is made."""

    @property
    def clip_so_far(self) -> Clip | None:
        """The finished motion; ``None`` before its first part."""
        ...

    @property
    def is_done(self) -> bool:
        """True once all beats are done or left out."""
        ...

    @property
    def key(self) -> bytes:
        """Checksum of all inputs of the finished motion."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class RecordedShot:
    """The motion of a partner that has no beats, such as a captured one.

    Attributes:
        clip_so_far: the motion, from the first frame of the shots on, at the rate of their controllers, world.
        key: checksum of the motion.
        is_done: always true.
    """

    clip_so_far: Clip
    key: bytes
    is_done: bool = True


@dataclass(slots=True, eq=False)
class Company:
    """The characters of a cast.

    Attributes:
        shots: the shot of each, by name.
        places: (2) first place of each, meters, world.
        waiting: names of those that wait.
        awaited: partner that a character waits to meet, by its own name.
        stuck: name of a character that would wait forever; empty if there is none.
    """

    shots: dict[str, MadeShot] = field(default_factory=dict)
    places: dict[str, Array] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)
    awaited: dict[str, str] = field(default_factory=dict)
    stuck: str = ""

    def wait(self, name: str, partner: str) -> Iterator[int]:
        """Let a character wait for its partner for one round.

        Raises:
            FootfallError: it would wait forever.
        """
        self.waiting.add(name)
        yield WAITING
        self.waiting.discard(name)
        if self.stuck == name:
            self.stuck = ""
            raise FootfallError("'{name}' waits for '{partner}', which cannot come", name=name, partner=partner)
