"""Casts: shots of several characters, made together because some of their beats have partners among them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from ...message import Message
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.root_frame import root_track
from ..pair.partner_dance import DanceSource
from .activity import Stage
from .ball_pass import PassScript
from .checks import require_sound_beats
from .collisions import collisions_of
from .company import Company, RecordedShot
from .dancing import DanceScript
from .encounter import Encounter, Member, Script
from .fighting import FightScript
from .memo import Peer, ShotMemo, checksum
from .outcome import Shot
from .pairing import Pairing, pairings_of
from .passed_balls import with_one_track, with_passed_balls
from .passing import Known
from .request import ShotRequest
from .shot import ShotRollout

NOBODY: Final[Mapping[str, Clip]] = MappingProxyType({})
SCRIPTS: Final[Mapping[str, type[Script[Any]]]] = MappingProxyType(
    {"fight": FightScript, "dance": DanceScript, "pass": PassScript}
)
"""Content of each kind of meeting."""


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
    """The shots of a cast in progress; each runs on its own until a beat for which the partner has not arrived yet.

    Args:
        members: the characters by name, in a fixed order.
        recorded: motions, by name, of partners without beats, from the first frame of the shots on, at the frame rate
            of the cast's controllers, world.

    Attributes:
        shots: the shot of each character, by name.

    Raises:
        FootfallError: the controllers of a character move different bodies, a beat has no partner, the partner's shot
            lacks the beat, or partners wait for each other.
    """

    def __init__(
        self,
        members: Mapping[str, CastMember],
        bystanders: Mapping[str, Clip] = NOBODY,
        recorded: Mapping[str, Clip] = NOBODY,
    ) -> None:
        known = {name: Known.of_clip(clip) for name, clip in bystanders.items()}
        self._company, self._bystanders = Company(bystanders=known), bystanders
        company, self._all_wait = self._company, False
        stages = {name: replace(one.stage, request=one.request.rounded()) for name, one in members.items()}
        for name, stage in stages.items():
            require_sound_beats(name, stage)
        tracks = {name: root_track(clip).positions for name, clip in recorded.items()}
        self._meetings = pairings_of(stages, {name: track[-1] for name, track in tracks.items()})
        requests = with_passed_balls({name: one.request for name, one in members.items()}, self._meetings)
        peers = {name: Peer.of(stage) for name, stage in stages.items()}
        joined = {
            name: Member(name, company, peers=tuple(peer for other, peer in peers.items() if other != name))
            for name in members
        }
        self.shots = {
            name: ShotRollout(
                one.walks, one.acts, requests[name], one.strikes, one.memo, one.dribbles, one.dances, joined[name]
            )
            for name, one in members.items()
        }
        company.shots.update(self.shots)
        company.places.update({name: one.stage.request.position[:2] for name, one in self.shots.items()})
        for name, clip in recorded.items():
            key = checksum(clip.skeleton.offsets, clip.root_positions, clip.rotations)
            company.shots[name], company.places[name] = RecordedShot(clip, key), tracks[name][0]
        for pairing in self._meetings:
            encounter = Encounter(pairing, self._script(pairing), company)
            for name, part in zip(pairing.names, pairing.parts, strict=True):
                joined[name].encounters[part.beats[0][0]] = encounter

    def _script(self, pairing: Pairing) -> Script[Any]:
        """Return the content of a meeting."""
        first, second = (self.shots[name].stage for name in pairing.names)
        return SCRIPTS[pairing.parts[0].kind]((first, second), pairing)

    @property
    def beats_done(self) -> int:
        """Number of beats of all characters that are finished or skipped."""
        return sum(one.beats_done for one in self.shots.values())

    def advance(self) -> bool:
        """Advance the first shot that is not waiting by one step, and return whether any work remains.

        The fixed order makes each shot see the same motion of the others in every bake; earlier characters go first.
        """
        going = [name for name, one in self.shots.items() if not one.is_done]
        for name in going:
            self.shots[name].advance()
            if name not in self._company.waiting:
                self._all_wait = False
                return True
        if going and self._all_wait:  # after an unexpected failure
            self._company.stuck = going[0]
        self._all_wait = True
        return bool(going)

    def finish(self) -> dict[str, Shot]:
        """Return the finished shot of each character; a ball that is passed has one track, in one of the shots.

        Raises:
            FootfallError: no beat of a character could be done.
        """
        return self.joined({name: one.finish() for name, one in self.shots.items()})

    def joined(self, shots: Mapping[str, Shot]) -> dict[str, Shot]:
        """Return finished shots, by name, in which each ball that is passed has one track, in one of the shots."""
        requests = {name: one.stage.request for name, one in self.shots.items()}
        return with_one_track(shots, self._meetings, requests)

    def collisions(self, shots: Mapping[str, Shot]) -> dict[str, list[Message]]:
        """Return a warning about each collision of two finished shots, by name of the later character in the cast."""
        return collisions_of(shots, self._bystanders, self._meetings)
