"""Casts: shots of several characters, made together because some of their beats have partners among them."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...models.model_file import ControllerModel
from ..pair.partner_dance import DanceSource
from .activity import Stage
from .company import Company
from .dancing import DanceScript
from .encounter import Encounter, Member
from .fighting import FightScript
from .memo import Peer, ShotMemo
from .pairing import Pairing, pairings_of
from .request import ShotRequest
from .shot import ShotRollout


@dataclass(frozen=True, slots=True, eq=False)
class CastMember:
    """A character of a cast: the arguments of its :class:`.shot.ShotRollout`.

    Attributes:
        walks: the locomotion controller.
        acts: the interaction controller.
        request: the requested beats and their scene.
        strikes: the controller that strikes, if there is one.
        memo: finished parts of an earlier version of the shot, for reuse; it is updated with the new ones.
        dribbles: the controller that dribbles a ball, if there is one.
        dances: controller and figures of a dance of two characters, if there are any.
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
        """Controllers and request of the character's shot."""
        return Stage(self.walks, self.acts, self.request, self.strikes, self.dribbles, self.dances)


class CastRollout:
    """The shots of a cast in progress: each is rolled out by itself until a beat needs a partner that is not there yet.

    Args:
        members: the characters by name, in a fixed order.

    Attributes:
        shots: each character's shot in progress, by name.

    Raises:
        FootfallError: the controllers of a character move different bodies, a beat has no partner, the partner's shot
            lacks the beat, or partners wait for each other.
    """

    def __init__(self, members: Mapping[str, CastMember]) -> None:
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
        for pairing in pairings_of({name: one.stage for name, one in self.shots.items()}):
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
        """Number of beats of all characters that are finished or skipped."""
        return sum(one.beats_done for one in self.shots.values())

    def advance(self) -> bool:
        """Advance each character's shot by one step, and return whether any work remains."""
        going = [name for name, one in self.shots.items() if not one.is_done]
        waited = self._company.waiting >= set(going)
        for name in going:
            self.shots[name].advance()
        if going and waited and self._company.waiting >= set(going):  # after an unexpected failure
            self._company.stuck = going[0]
        return bool(going)
