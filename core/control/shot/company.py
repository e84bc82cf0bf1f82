"""The state of a cast: its characters' shots in progress, and which of them wait for another."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from ...errors import FootfallError
from ...motion import Clip
from ...motion.rotations import Array
from .passing import Known

WAITING: Final = 0
"""Value that a waiting character's generator yields in place of its number of finished frames."""


class MadeShot(Protocol):
    """A partner's shot in progress, as far as another character of the cast needs it."""

    @property
    def clip_so_far(self) -> Clip | None:
        """The motion finished so far; ``None`` before the first part is finished."""
        ...

    @property
    def frames_done(self) -> int:
        """Number of finished frames, without the last ones, over which the next part's motion begins."""
        ...

    @property
    def is_done(self) -> bool:
        """True once all beats are finished or skipped."""
        ...

    @property
    def key(self) -> bytes:
        """Checksum of everything that the motion finished so far depends on."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class RecordedShot:
    """The motion of a partner that has no beats, such as a captured one.

    Attributes:
        clip_so_far: the motion, from the first frame of the shots on, at the frame rate of the cast, world.
        key: checksum of the motion.
        is_done: always True.
    """

    clip_so_far: Clip
    key: bytes
    is_done: bool = True

    @property
    def frames_done(self) -> int:
        """Number of frames of the motion."""
        return len(self.clip_so_far)


@dataclass(slots=True, eq=False)
class Company:
    """The characters of a cast: their shots, and which of them wait for another.

    Attributes:
        shots: the shot of each character, by name.
        places: (2) first place of each character, meters, world, by name.
        waiting: names of the characters that wait at present.
        awaited: name of the partner that a character waits to meet, by the character's own name.
        stuck: name of a character that would wait forever; empty if there is none.
        bystanders: motion of characters outside the cast, by name.
    """

    shots: dict[str, MadeShot] = field(default_factory=dict)
    places: dict[str, Array] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)
    awaited: dict[str, str] = field(default_factory=dict)
    stuck: str = ""
    bystanders: Mapping[str, Known] = field(default_factory=dict)
    _known: dict[str, tuple[bytes, Known]] = field(default_factory=dict)

    def wait(self, name: str, partner: str) -> Iterator[int]:
        """Let a character wait for its partner until its shot is next advanced.

        Raises:
            FootfallError: the character would wait forever.
        """
        self.waiting.add(name)
        yield WAITING
        self.waiting.discard(name)
        if self.stuck == name:
            self.stuck = ""
            raise FootfallError(
                "'{name}' waits for '{partner}', but '{partner}' cannot come: change the order of their beats",
                name=name,
                partner=partner,
            )

    def others(self, name: str) -> dict[str, Known]:
        """Return the motion so far of all other characters, in and outside the cast, by name."""
        return {other: self._known_of(other) for other in self.shots if other != name} | dict(self.bystanders)

    def _known_of(self, name: str) -> Known:
        """Return the finished motion of a character of the cast."""
        shot = self.shots[name]
        if shot.clip_so_far is None:
            return Known(self.places[name][None, None], shot.is_done)
        key, known = self._known.get(name, (b"", None))
        if known is None or key != shot.key:
            known = Known.of_clip(shot.clip_so_far.cut(0, shot.frames_done))
            self._known[name] = shot.key, known
        return replace(known, is_final=shot.is_done)
