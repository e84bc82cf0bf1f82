"""The state of a cast: its characters' shots in progress, and which of them wait for another."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from ...errors import FootfallError
from ...motion.rotations import Array
from ..performance import Performance
from .passing import Known

WAITING: Final = 0
"""Value that a waiting character yields in place of its number of finished frames."""


class MadeShot(Protocol):
    """A partner's shot in progress."""

    @property
    def so_far(self) -> Performance | None:
        """The motion finished so far; ``None`` before the first part."""
        ...

    @property
    def frames_done(self) -> int:
        """Number of finished frames, without those in which the next motion begins."""
        ...

    @property
    def is_done(self) -> bool:
        """True once all beats are finished or skipped."""
        ...

    @property
    def key(self) -> bytes:
        """Checksum of everything that the motion finished so far depends on."""
        ...


@dataclass(slots=True, eq=False)
class Company:
    """The characters of a cast, and the partner for which each waits.

    Attributes:
        shots: each character's shot, by name.
        places: (2) each character's position at the start, by name, meters, world.
        waiting: names of the characters that are waiting.
        awaited: for each waiting character, the name of the partner that it waits to meet.
        stuck: name of a character found to wait forever; empty if there is none.
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
        """Let a character wait for its partner for one round.

        Raises:
            FootfallError: the character would wait forever.
        """
        self.waiting.add(name)
        yield WAITING
        self.waiting.discard(name)
        if self.stuck == name:
            self.stuck = ""
            raise FootfallError(
                "'{name}' waits for '{partner}', which cannot come: change the order of their beats",
                name=name,
                partner=partner,
            )

    def others(self, name: str) -> dict[str, Known]:
        """Return the finished motion of all characters but one, by name."""
        return {other: self._known_of(other) for other in self.shots if other != name} | dict(self.bystanders)

    def _known_of(self, name: str) -> Known:
        """Return the finished motion of a character of the cast."""
        shot = self.shots[name]
        if shot.so_far is None:
            return Known(self.places[name][None, None], shot.is_done)
        key, known = self._known.get(name, (b"", None))
        if known is None or key != shot.key:
            known = Known.of_clip(shot.so_far.clip.cut(0, shot.frames_done))
            self._known[name] = shot.key, known
        return replace(known, is_final=shot.is_done)
