"""The motion of a ball in play: at rest, in hands and in the air, with smooth transitions.

A held ball is between the palms. Where it comes to them or leaves them, its position and velocity change smoothly,
along cubic Hermite curves. A free ball flies in closed form.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...ball.dribbled_ball import DribbledBall
from ...ball.free_motion import Arc, BallPhysics, released_arcs, sample_arcs
from ...ball.hands import GRAVITY_M_S2
from ...ball.throws import pass_seconds, pass_velocities, require_reachable_hoop, shot_arcs, shot_velocity
from ...errors import FootfallError
from ...motion import Clip
from ...motion.rotations import UP, Array
from ...motion.signals import Mask, runs_of
from ...tuning import Tuning, tuned
from ..path.path_events import BallCue
from .ball_plan import GAINS, ON_GROUND, BallTimeline


@dataclass(frozen=True, slots=True)
class BallFlightTuning(Tuning):
    take_over: float = tuned(0.35, "s", 0.02, 2.0)
    """Duration of the move of a ball from one hand into both or back, or from the ground into both hands."""
    give: float = tuned(0.18, "s", 0.02, 1.0)
    """Time over which the hands slow a caught ball to a stop."""
    wind_up: float = tuned(0.25, "s", 0.02, 2.0)
    """Duration of the acceleration of the ball by the hands before a throw."""
    target_rounds: int = tuned(3, "1", 1, 20)
    """Number of fixed-point rounds that solve for the duration of a flight to a moving target."""
    meeting_range: tuple[float, float] = tuned((0.5, 2.8), "1", 0.1, 10.0)
    """Range of the ratio of a pass's duration, timed to meet the other character's hands, to its natural duration."""
    fingers: float = tuned(0.07, "s", 0.0, 0.5)
    """Time for which a ball rolls over the fingers at a release or a catch, faster than the wrists move."""
    fingers_distance: float = tuned(0.1, "m", 0.0, 0.3)
    """Distance between an adult's palms and a ball at the moment when it leaves the fingers or reaches them."""
    rolling_resistance: float = tuned(0.5, "m/s^2", 0.05, 5.0)
    """Deceleration of a ball that rolls to a stop after a walk."""
    longest_rest: float = tuned(20.0, "s", 1.0, 120.0)
    """Longest time after a walk for which the motion of a thrown ball is computed."""


TUNING: Final = BallFlightTuning()


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTake:
    """A captured take, retargeted to the walk's body and placed in space and time.

    Attributes:
        clip: motion of the take, meters, world.
        start: first frame of the take in the walk.
        contact: frame of the walk at which the ball reaches the hands or, for a throw, the last one at which they hold
            it.
        cue: the action, with its target in world meters.
    """

    clip: Clip
    start: int
    contact: int
    cue: BallCue

    def target(self, frame: int) -> Array:
        """Return the action's target (3), meters, world, at a frame of the walk."""
        assert self.cue.target is not None
        return self.cue.target[min(max(frame, 0), len(self.cue.target) - 1)]


@dataclass(eq=False)
class BallFlight:
    """The ball of a walk while its motion is computed.

    Attributes:
        rate: frames per second.
        radius: radius of the ball, meters.
        floor: height of the level ground, meters.
        body: size of the body relative to an adult's, 1 for an adult.
        takes: takes of the actions, in order.
        bounces: times at which the ball bounces, seconds; filled by :meth:`places`.
        elsewhere: (F) whether the ball is with another character; filled by :meth:`places`.
    """

    rate: float
    radius: float
    floor: float
    body: float
    takes: Sequence[PlacedTake]
    bounces: list[float] = field(default_factory=list)
    elsewhere: Mask = field(init=False)

    @property
    def physics(self) -> BallPhysics:
        """Gravity and bounce of the ball."""
        return BallPhysics(GRAVITY_M_S2, self.radius)

    def places(self, between: Array, timeline: BallTimeline, dribble: DribbledBall | None) -> Array:
        """Return the ball's center (F, 3) in each frame of the walk, meters, world.

        Args:
            between: (F, 3) ball center midway between both hands, meters, world; used where both hands hold the ball.
            timeline: frames of the actions with the ball.
            dribble: motion of the dribbled ball, used in frames in which it is dribbled; ``None`` if it never is.

        Raises:
            FootfallError: a target is out of reach.
        """
        places, self.elsewhere = between.copy(), np.zeros(len(between), dtype=bool)
        if dribble is not None:
            places[timeline.dribbled] = dribble.track.positions[timeline.dribbled]
        for start, stop in runs_of(timeline.held):
            places[start:stop] = self._held(between[start:stop], int(start), places, timeline)
        has = timeline.held | timeline.dribbled
        for start, stop in runs_of(~has):
            places[start:stop] = self._free(int(start), int(stop), places)
        return places

    def _held(self, between: Array, start: int, places: Array, timeline: BallTimeline) -> Array:
        """Return the centers (N, 3) of a ball that is held from a frame on, meters, world.

        Args:
            between: (N, 3) middle between both hands in the held frames, where the ball is apart from transitions.
            start: first held frame.
            places: (F, 3) centers of the ball in the frames in which it is dribbled.
            timeline: frames of the ball play.
        """
        stop = start + len(between)
        speed = np.gradient(between, axis=0) * self.rate if len(between) > 1 else np.zeros_like(between)
        times = np.arange(len(between)) / self.rate
        result = between.copy()
        for ends, edge, near in ((False, start, 0), (True, stop - 1, -1)):
            found = self._end(edge, ends, between[near], places, timeline)
            if found is not None:
                place, velocity, seconds = found
                away = times[::-1] if ends else times
                sign = -1.0 if ends else 1.0
                result += _hermite(place - between[near], sign * (velocity - speed[near]), away, seconds)
        result[:, 2] = np.maximum(result[:, 2], self.floor + self.radius)
        return result

    def _end(
        self, frame: int, ends: bool, own: Array, places: Array, timeline: BallTimeline
    ) -> tuple[Array, Array, float] | None:
        """Return position (3), velocity (3) and transition time, seconds, at the beginning or end of a hold.

        The result is `None` if the walk itself begins or ends there.

        Args:
            frame: first or last frame of the hold.
            ends: whether it is the last frame.
            own: (3) middle between the hands at the frame.
            places: (F, 3) centers of the ball in the frames in which it is dribbled.
            timeline: frames of the ball play.
        """
        beyond = frame + 1 if ends else frame - 1
        if not 0 <= beyond < len(places):
            return None
        if timeline.dribbled[beyond]:
            further = min(max(2 * beyond - frame, 0), len(places) - 1)
            velocity = (places[further] - places[beyond]) * self.rate * (1.0 if ends else -1.0)
            return places[beyond] + (places[beyond] - places[further]), velocity, TUNING.take_over
        take = min(self.takes, key=lambda take: abs(take.contact - frame))
        if take.cue.action in ON_GROUND:
            return self._lying(take, own), np.zeros(3), TUNING.take_over
        if take.cue.action == "catch":
            comes = self._incoming(take, own)[1]
            place = own - TUNING.fingers_distance * self.body * comes / max(float(np.linalg.norm(comes)), 1e-9)
            return place, self._incoming(take, place)[1], TUNING.give
        away = self._thrown(take, own)[0]
        place = own + TUNING.fingers_distance * self.body * away / max(float(np.linalg.norm(away)), 1e-9)
        return place, self._thrown(take, place)[0], TUNING.wind_up

    def _lying(self, take: PlacedTake, own: Array) -> Array:
        """Return where (3) a ball lies on the ground: at its target, otherwise where the hands reach the ground."""
        place = own if take.cue.target is None else take.target(take.contact)
        return np.array([place[0], place[1], self.floor + self.radius])

    def _incoming(self, take: PlacedTake, own: Array) -> tuple[Array, Array, int]:
        """Return a ball's velocities (3) when it is thrown and when hands (3) catch it, and its frames of flight."""
        frames = self._flight_frames(take, own, -1)
        source = take.target(take.contact - frames)
        return *pass_velocities(source, own, frames / self.rate, self.physics), frames

    def _flight_frames(self, take: PlacedTake, own: Array, step: int) -> int:
        """Return how many frames a ball flies between the hands and a target that may move.

        Args:
            take: the throw or the catch.
            own: (3) position of the ball at this character's hands.
            step: 1 for a flight to the target, -1 for one from it.
        """
        frames = 0
        for _ in range(TUNING.target_rounds):
            away = take.target(take.contact + step * frames)
            frames = max(round(pass_seconds(own, away, self.body) * self.rate), 1)
        if not take.cue.meetings:
            return frames
        waited = [step * (round(time * self.rate) - take.contact) for time in take.cue.meetings]
        best = min(waited, key=lambda each: abs(each - frames))
        if not TUNING.meeting_range[0] < best / frames < TUNING.meeting_range[1]:
            raise FootfallError(
                "The hands of the other character are at the ball {seconds} s before or after the ball can arrive "
                "there: bake the other character again, then this one",
                seconds=f"{abs(best - frames) / self.rate:.1f}",
            )
        return best

    def _thrown(self, take: PlacedTake, own: Array) -> tuple[Array, int]:
        """Return the velocity (3) of a ball that leaves the hands at a position (3), and a pass's frames of flight."""
        if take.cue.action == "shoot":
            rim = take.target(take.contact)
            require_reachable_hoop(own, rim, take.cue.rim_radius, self.physics, self.body)
            return shot_velocity(own, rim, self.physics), 0
        frames = self._flight_frames(take, own, 1)
        end = take.target(take.contact + frames)
        return pass_velocities(own, end, frames / self.rate, self.physics)[0], frames

    def _free(self, start: int, stop: int, places: Array) -> Array:
        """Return the centers (N, 3) of a ball in a range of frames in which this character does not have it."""
        free = np.empty((stop - start, 3))
        loss = next((take for take in self.takes if take.contact == start - 1 and take.cue.action not in GAINS), None)
        gain = next((take for take in self.takes if take.contact == stop and take.cue.action in GAINS), None)
        if loss is not None:
            free = self._after(loss, places[start - 1], stop)
        if gain is not None:
            before = self._before(gain, places[stop] if stop < len(places) else places[-1], start)
            frames = len(before) if loss is None else min(self._incoming(gain, places[stop])[2] - 1, len(before))
            free[len(free) - frames :] = before[len(before) - frames :]
            self.elsewhere[stop - frames : stop] = False
            if loss is None and gain.cue.with_other:
                self.elsewhere[start : max(gain.contact - self._incoming(gain, places[stop])[2], start)] = True
        return free

    def _after(self, take: PlacedTake, place: Array, stop: int) -> Array:
        """Return the centers (N, 3) of a thrown ball, starting at the frame after its release.

        Args:
            take: the throw.
            place: (3) center of the ball at the release.
            stop: frame after the last one.
        """
        if take.cue.action in ON_GROUND:
            return np.broadcast_to(place, (stop - take.contact - 1, 3)).copy()
        times = np.arange(take.contact + 1, stop) / self.rate
        arcs, frames = self._arcs(take, place, stop / self.rate)
        free = sample_arcs(arcs, times, self.physics) + self.floor * UP
        if take.cue.with_other:
            self.elsewhere[take.contact + frames : stop] = True
            for frame in range(take.contact + frames, stop):
                free[frame - take.contact - 1] = take.target(frame)
        self.bounces += [arc.start for arc in arcs[1:] if arc.position[2] < 1.01 * self.radius]
        return free

    def _arcs(self, take: PlacedTake, place: Array, until: float) -> tuple[list[Arc], int]:
        """Return the arcs of a ball thrown from a position (3), meters over the floor, and the frames of a pass.

        Args:
            take: the throw.
            place: (3) center of the ball at the release, meters, world.
            until: end of the motion, seconds.
        """
        level, release = np.array([0.0, 0.0, self.floor]), take.contact / self.rate
        velocity, frames = self._thrown(take, place)
        if take.cue.action == "shoot":
            rim = take.target(take.contact) - level
            return shot_arcs(release, place - level, rim, until, self.physics), frames
        if take.cue.with_other:
            return [Arc(release, place - level, velocity)], frames
        return released_arcs(release, place - level, velocity, until, self.physics), frames

    def rest(self, places: Array) -> Array:
        """Return the centers (N, 3), meters, world, of a thrown ball in the frames after the walk, until it lies still.

        A ball passed to another character follows that character's hands as long as their motion is known.

        Args:
            places: (F, 3) centers of the ball in the walk, from :meth:`places`.
        """
        take = max(self.takes, key=lambda take: take.contact, default=None)
        if take is None or take.cue.action not in ("pass", "shoot") or take.contact >= len(places) - 1:
            return np.zeros((0, 3))
        if take.cue.with_other:
            known = 0 if take.cue.target is None else len(take.cue.target)
            flown = self._after(take, places[take.contact], max(known, len(places)))
            return flown[len(places) - 1 - take.contact :]
        now = (len(places) - 1) / self.rate
        arcs = self._arcs(take, places[take.contact], now + TUNING.longest_rest)[0]
        rolls = arcs[-1].moved(max(arcs[-1].start, now), self.physics)
        speed = float(np.linalg.norm(rolls.velocity[:2]))
        stops = min(speed / TUNING.rolling_resistance, TUNING.longest_rest) if arcs[-1].rolls else 0.0
        times = now + np.arange(1, round((rolls.start - now + stops) * self.rate) + 2) / self.rate
        free = sample_arcs(arcs, times, self.physics)
        if arcs[-1].rolls:
            on = np.clip(times - rolls.start, 0.0, stops)
            way = on - 0.5 * TUNING.rolling_resistance / max(speed, 1e-9) * on**2
            rolled = rolls.position + way[:, None] * rolls.velocity
            free = np.where((times >= rolls.start)[:, None], rolled, free)
        return free + self.floor * UP

    def _before(self, take: PlacedTake, place: Array, start: int) -> Array:
        """Return the centers (N, 3) of a ball from a frame until it arrives in the hands at a position (3)."""
        frames = np.arange(start, take.contact)
        if take.cue.action == "pick_up":
            return np.broadcast_to(place, (len(frames), 3)).copy()
        velocity, _, flight = self._incoming(take, place)
        thrown = take.contact - flight
        rest = np.array([take.target(int(frame)) for frame in frames]).reshape(-1, 3)
        arc = Arc(thrown / self.rate, take.target(thrown), velocity)
        return np.where((frames < thrown)[:, None], rest, arc.at(frames / self.rate, self.physics))


def _hermite(place: Array, velocity: Array, times: Array, seconds: float) -> Array:
    """Return a curve (N, 3) that starts at an offset with a velocity and comes to rest at zero.

    Args:
        place: (3) offset at time 0.
        velocity: (3) velocity at time 0, m/s.
        times: (N) seconds.
        seconds: time at which the curve comes to rest.
    """
    share = np.clip(times / seconds, 0.0, 1.0)
    value = 2.0 * share**3 - 3.0 * share**2 + 1.0
    slope = (share**3 - 2.0 * share**2 + share) * seconds
    return np.outer(value, place) + np.outer(slope, velocity)
