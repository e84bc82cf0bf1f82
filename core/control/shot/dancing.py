"""Dances of two partners: both dance about one place or along a path, in hold, and stand again."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...jobs.steps import mapped, part_of
from ...labelling import label_clip
from ...motion import Clip
from ...motion.root_frame import out_of_frame, yaw_of
from ...motion.rotations import IDENTITY, Array
from ...retarget.calibration import Calibration
from ...tuning import Tuning, tuned
from ..pair import choreography
from ..pair.choreography import Choreography, compose_dance
from ..pair.dance_refinement import refine_in_steps
from ..pair.fitted_dance import fit_dance, pair_scale
from ..pair.partner_dance import DanceSource, PartnerDance
from ..path.path import Path
from ..runtime.controller_body import calibrate_controller
from .activity import STEP_FRAMES, Stage
from .beats import DanceBeat
from .encounter import Arrival, Outcome, PairMotion, Script, Stand, require_limbs, stood_until


@dataclass(frozen=True, slots=True)
class DancingTuning(Tuning):
    """Tuned numbers of dances of two partners."""

    shortest: float = tuned(3.0, "s", 2.0, 20.0)
    """Duration of the shortest dance."""


TUNING: Final = DancingTuning()
DANCED_SHARE: Final = 0.45
"""Share of the work on a dance that is finished after the roll-out; the rest joins the hands."""


class DanceScript(Script[PairMotion]):
    """The content of a dance of two partners."""

    def planned_stands(self) -> tuple[Stand, Stand]:
        """Return each dancer's position and facing at the beginning, in hold about the dance's first midpoint."""
        if self.source is None:  # The dance is left out anyway.
            first, second = (Stand(place, 0.0) for place in self.pairing.origins)
            return first, second
        figure = self._composed(None, self._way, self.pairing.middle).figure
        placed = [Stand(self._scale * figure.positions[0, row], float(figure.yaws[0, row])) for row in self._rows]
        return placed[0], placed[1]

    def require(self) -> None:
        """Raise :class:`FootfallError` if the dance is impossible wherever the dancers stand."""
        if self.source is None:
            raise FootfallError("No dance is chosen for the dance beat: choose one")
        require_limbs(self.pairing.names, self.stages)
        if self.pairing.path is None and self._duration(None) < TUNING.shortest:
            raise FootfallError(
                "The dance lasts only {seconds} s: give it at least {least} s",
                seconds=f"{self._duration(None):g}",
                least=f"{TUNING.shortest:g}",
            )
        _ = self.stands  # raises if the path does not fit

    def perform(self, frame: int, arrivals: tuple[Arrival, Arrival]) -> Generator[float, None, PairMotion]:
        """Make the dance from a frame of the shot; yield the finished share of work, 0 to 1."""
        source = self.source
        assert source is not None
        stands = yield from stood_until(frame, arrivals)
        middle = np.mean([stand.place for stand in stands], axis=0)
        way = stands[1].place - stands[0].place
        dance = PartnerDance(source.model, self._composed(frame, way, middle), self._seed)
        while dance.advance(STEP_FRAMES):
            yield DANCED_SHARE * dance.frames_done / dance.total_frames
        leader, follower = (self.stages[side] for side in self._sides)
        bodies = self._calibrations[self._sides[0]], self._calibrations[self._sides[1]]
        rises = leader.request.rise, follower.request.rise
        danced = yield from mapped(dance.finish_in_steps(), lambda _: DANCED_SHARE)
        fitted = yield from mapped(fit_dance.steps(danced, bodies, rises), lambda _: DANCED_SHARE)
        done = yield from part_of(refine_in_steps(fitted), DANCED_SHARE, 1.0)
        clips = (
            _lowered(done.leader.clip, leader.request.rise),
            _lowered(done.follower.clip, follower.request.rise),
        )
        first, second = (clips[row] for row in self._rows)
        outcomes = [{number: Outcome(0) for number, _ in part.beats} for part in self.pairing.parts]
        return PairMotion((first, second), (label_clip(first), label_clip(second)), (outcomes[0], outcomes[1]))

    @property
    def source(self) -> DanceSource | None:
        """Controller and figures of the dance, those of the character that leads; ``None`` if it has none."""
        return self.stages[self._sides[0]].dances

    @property
    def _beat(self) -> DanceBeat:
        """The dance of the character that leads."""
        beat = self.pairing.parts[self._sides[0]].beats[0][1]
        assert isinstance(beat, DanceBeat)
        return beat

    @cached_property
    def _sides(self) -> tuple[int, int]:
        """The leading and the following character, 0 or 1."""
        leads = [
            any(isinstance(beat, DanceBeat) and beat.leads for _, beat in part.beats) for part in self.pairing.parts
        ]
        return (1, 0) if leads[1] and not leads[0] else (0, 1)

    @property
    def _rows(self) -> tuple[int, int]:
        """Row of both characters in the dance: 0 for the leader."""
        return self._sides  # A permutation of two is its own inverse.

    @property
    def _seed(self) -> int:
        return self.stages[self._sides[0]].request.seed

    @property
    def _way(self) -> Array:
        """Direction (2) from the first to the second character, before they have arrived."""
        return self.pairing.origins[1] - self.pairing.origins[0]

    @cached_property
    def _calibrations(self) -> tuple[Calibration, Calibration]:
        """Calibrations of the dance's body to the bodies of both."""
        first, second = (self._calibration(stage) for stage in self.stages)
        return first, second

    def _calibration(self, stage: Stage) -> Calibration:
        assert self.source is not None
        return calibrate_controller(self.source.model, stage.body)

    @cached_property
    def _scale(self) -> float:
        """Meters of the world per meter of the dance's controller."""
        return pair_scale(self._calibrations)

    def _duration(self, frame: int | None) -> float:
        """Return the duration of the dance that begins at a frame of the shot, seconds."""
        beat = self._beat
        if beat.time.end is None or frame is None:
            return beat.seconds if beat.time.end is None else max(beat.seconds, TUNING.shortest)
        return max(beat.time.end - frame / self.stages[0].walks.rate, TUNING.shortest)

    def _composed(self, frame: int | None, way: Array, middle: Array) -> Choreography:
        """Return the choreography of both, in meters of its controller.

        Args:
            frame: frame of the shot at which it begins; ``None`` if unknown.
            way: (2) direction from the first to the second character.
            middle: (2) middle between both, meters of the world.
        """
        source = self.source
        assert source is not None
        numbers, seconds = choreography.TUNING, self._duration(frame)
        speed = numbers.speed_range[0]
        if self.pairing.path is not None:
            path, speed = Path(self.pairing.path).scaled(1 / self._scale), self._beat.speed / self._scale
            if self._beat.time.end is not None and frame is not None:
                moving = max(seconds - numbers.ease - 2 * numbers.rest, numbers.min_dance)
                speed = float(np.clip(path.length / moving, *numbers.speed_range))
            return compose_dance(source.figures, path, speed, self._seed, source.model.rate)
        drift = speed * max(seconds - numbers.ease - 2 * numbers.rest, numbers.min_dance)
        path = Path(np.array([[0.0, 0.0], [drift, 0.0]]))
        made = compose_dance(source.figures, path, speed, self._seed, source.model.rate)
        begins = made.figure.positions[0]
        first, second = (begins[row] for row in self._rows)
        turn = float(yaw_of(way) - yaw_of(second - first))
        return _placed(made, turn, begins.mean(axis=0), middle / self._scale)


def _placed(made: Choreography, turn: float, old: Array, new: Array) -> Choreography:
    """Return a choreography turned by an angle, radians, about a point (2), which is moved to another, meters."""
    figure = made.figure
    turns = np.full(figure.positions.shape[:2], turn)
    positions = out_of_frame(figure.positions - old, turns) + new
    centers = out_of_frame(made.centers - old, turns[:, 0]) + new
    return replace(made, figure=replace(figure, positions=positions, yaws=figure.yaws + turn), centers=centers)


def _lowered(clip: Clip, height: float) -> Clip:
    """Return a clip lowered by a height, meters."""
    return clip.transformed(IDENTITY, np.array([0.0, 0.0, -height]))
