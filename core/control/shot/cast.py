"""The shots of a cast: several characters, some of whose beats have a partner among them, made together."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.root_frame import root_track
from ...motion.rotations import Array
from ..pair.partner_dance import DanceSource
from .activity import Stage
from .company import Company, RecordedShot
from .dancing import DanceScript
from .encounter import Encounter, Member
from .fighting import FightScript
from .memo import Peer, ShotMemo, checksum
from .pairing import Pairing, pairings_of
from .request import ShotRequest
from .shot import ShotRollout

NONE: Final[Mapping[str, Clip]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class CastMember:
    """A character of a cast, as the arguments of :class:`.shot.ShotRollout`.

    Attributes:
        walks: the locomotion controller.
        acts: the interaction controller.
        request: the requested beats and their scene.
        strikes: the controller that strikes, if there is one.
        memo: finished parts of an earlier version, updated with those of this one.
        dribbles: the controller that dribbles a ball, if there is one.
        dances: the dance of two characters, if there is one.
    """

    walks: ControllerModel
    acts: ControllerModel
    request: ShotRequest
    strikes: ControllerModel | None = None
    memo: ShotMemo | None = None
    dribbles: ControllerModel | None = None
    dances: DanceSource | None = None

    @property
    def stage(self) -> Stage:
        """The stage of its shot."""
        return Stage(self.walks, self.acts, self.request, self.strikes, self.dribbles, self.dances)


class CastRollout:
    """The shots of a cast in progress: each goes on by itself up to a beat with a partner that has not come yet.

    Args:
        members: the characters by name, in a fixed order.
        recorded: motions of partners without beats by name, from the first frame of the shots on, at the rate of their
            controllers, world.

    Attributes:
        shots: the shot of each, by name.

    Raises:
        FootfallError: the controllers of a character move different bodies, a beat has no partner, the partner's shot
            lacks the beat, or partners wait for each other.
    """

    def __init__(self, members: Mapping[str, CastMember], recorded: Mapping[str, Clip] = NONE) -> None:
        self._company = company = Company()
        peers = {name: Peer.of(one.stage) for name, one in members.items()}
        joined = {
            name: Member(name, company, peers=tuple(peer for other, peer in peers.items() if other != name))
            for name in members
        }
        self.shots = {
            name: ShotRollout(
                one.walks, one.acts, one.request, one.strikes, one.memo, one.dribbles, one.dances, joined[name]
            )
            for name, one in members.items()
        }
        company.shots.update(self.shots)
        company.places.update({name: one.stage.request.position[:2] for name, one in self.shots.items()})
        ends: dict[str, Array] = {}
        for name, clip in recorded.items():
            track = root_track(clip).positions
            key = checksum(clip.skeleton.offsets, clip.root_positions, clip.rotations)
            company.shots[name], company.places[name] = RecordedShot(clip, key), track[0]
            ends[name] = track[-1]
        for pairing in pairings_of({name: one.stage for name, one in self.shots.items()}, ends):
            encounter = Encounter(pairing, self._script(pairing), company)
            for name, part in zip(pairing.names, pairing.parts, strict=True):
                joined[name].encounters[part.beats[0][0]] = encounter

    def _script(self, pairing: Pairing) -> FightScript | DanceScript:
        """Return the content of a meeting."""
        first, second = (self.shots[name].stage for name in pairing.names)
        kind = FightScript if pairing.parts[0].is_fight else DanceScript
        return kind((first, second), pairing)

    @property
    def beats_done(self) -> int:
        """Number of beats of all characters that are done or left out."""
        return sum(one.beats_done for one in self.shots.values())

    def advance(self) -> bool:
        """Do one piece of the work for each character, and return whether any work remains."""
        going = [name for name, one in self.shots.items() if not one.is_done]
        waited = self._company.waiting >= set(going)
        for name in going:
            self.shots[name].advance()
        if going and waited and self._company.waiting >= set(going):  # after an unexpected failure
            self._company.stuck = going[0]
        return bool(going)
