"""A fight on a rig's body: made by the controllers, fitted to the rig, and solved there at the scene's frame rate."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...jobs.steps import part_of, rising
from ...labelling import Labels, label_clip
from ...labelling.semantics.actions import ACTION_NAMES
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.proportions import ADULT_LEG_LENGTH_M, scale_between
from ...motion.roles import FOOT_CONTACTS
from ...motion.rotations import IDENTITY, Array
from ...motion.weapons import weapon_role
from ...retarget.calibration import Calibration
from ...retarget.retarget import retarget
from ...terrain.ground import Plane
from ...tuning import Tuning, tuned
from ..feet.foot_lock import lock_feet
from .fight import Fight, Fighter
from .lifted_feet import above_ground, with_lifted_feet
from .rig_strike import RigStrike, require_apart, require_outside, solve_on_rig
from .strike_error import StrikeError, by_frames
from .strike_order import StrikeOrder

FIT_SHARE: Final = 0.97
"""Finished share of the work when only the fitting to the rig remains."""


@dataclass(frozen=True, slots=True)
class RigFightTuning(Tuning):
    exact: float = tuned(0.002, "m", 1e-4, 0.05)
    """Largest miss at which a strike with a stretched limb is kept."""
    usual_arm: float = tuned(0.65, "m", 0.2, 1.2)
    """Assumed reach of a limb, used to estimate the direction of the next strike."""


TUNING: Final = RigFightTuning()

ROOT_HEIGHTS_M: Final = {"hand": 1.4, "foot": 0.9}
"""Heights of an adult's shoulders and hips, from which limbs are assumed to point at their targets."""


@dataclass(frozen=True, slots=True, eq=False)
class RigBody:
    """The body of a rig on level ground.

    Attributes:
        calibration: calibration of the controllers' skeleton to the rig's.
        rise: difference, meters, between the height of the rig's feet above the ground and the usual one for its size.
        floor: height of the ground, meters.
    """

    calibration: Calibration
    rise: float
    floor: float

    @property
    def scale(self) -> float:
        """Meters of the rig's world per meter of the controllers'."""
        return scale_between(self.calibration.source, self.calibration.target)

    @property
    def size(self) -> float:
        """Size of the rig's body relative to an adult."""
        return self.calibration.target.leg_length / ADULT_LEG_LENGTH_M

    def to_controller(self, point: Array) -> Array:
        """Return a point (3), meters of the rig's world, converted to meters of the controllers over z = 0."""
        return (point - np.array([0.0, 0.0, self.floor])) / self.scale

    def fit(self, clip: Clip, contacts: FootContacts) -> Clip:
        """Return a controllers' motion retargeted to the rig, on its ground, with feet locked at their contacts."""
        up = np.array([0.0, 0.0, self.rise])
        held = lock_feet(retarget(clip, self.calibration).transformed(IDENTITY, up), contacts, Plane())
        return held.transformed(IDENTITY, np.array([0.0, 0.0, self.floor]))


@dataclass(frozen=True, slots=True, eq=False)
class RigFight:
    """A finished fight on a rig.

    Attributes:
        clip: motion of the rig's body, world, at the rate of the scene.
        labels: labels of the clip's frames.
        misses: distance between tip and target of each strike at its frame, meters.
    """

    clip: Clip
    labels: Labels
    misses: tuple[float, ...]


def make_rig_fight(
    fighter: Fighter, body: RigBody, strikes: Sequence[RigStrike], start: Array, end: Array | None, rate: float
) -> Generator[float, None, RigFight]:
    """Make a fight on a rig; yield the approximate finished share of the work.

    If strikes with stretched limbs cannot be solved, limbs may be bent as much as brings them nearest to their targets.

    Args:
        fighter: the controllers.
        body: the rig's body.
        strikes: the strikes, in order of time.
        start: (2) position of the character at the first frame, meters, world.
        end: (2) destination of the last walk, meters, world; by default the character stays in guard.
        rate: frames per second of the scene.

    Raises:
        StrikeError: a strike misses its target or frame; the frames in the error are at the rate of the scene.
    """
    told = body, strikes, (start, end), rate

    def either_way() -> Generator[float, None, RigFight]:
        reaching = None
        try:
            reaching = yield from _make(fighter, *told)
            if max(reaching.misses) <= TUNING.exact:
                return reaching
        except StrikeError:
            pass
        try:
            return (yield from _make(replace(fighter, outstretched=False), *told))
        except StrikeError:
            if reaching is None:
                raise
            return reaching

    return (yield from rising(either_way()))


def _make(
    fighter: Fighter, body: RigBody, strikes: Sequence[RigStrike], ends: tuple[Array, Array | None], rate: float
) -> Generator[float, None, RigFight]:
    """Make a fight as :func:`make_rig_fight` does, with limbs stretched only if ``fighter.outstretched`` is true."""
    start, end = ends
    ratio = fighter.strikes.rate / rate
    require_apart(start, body.floor, body.size, strikes[0])
    orders = [
        _order(strike, reach, body, ratio)
        for strike, reach in zip(strikes, _usual_reaches(strikes, start, body), strict=True)
    ]
    places = [None if place is None else body.to_controller(np.append(place, body.floor))[:2] for place in (start, end)]
    assert places[0] is not None
    try:
        fight = yield from part_of(fighter.fight_in_steps(orders, places[0], places[1]), 0.0, FIT_SHARE)
    except StrikeError as error:
        raise _at_scene_rate(error, orders, strikes, ratio) from error
    return fit_fight(fight, orders, body, strikes, rate)


def fit_fight(
    fight: Fight, orders: Sequence[StrikeOrder], body: RigBody, strikes: Sequence[RigStrike], rate: float
) -> RigFight:
    """Return the controllers' fight fitted to a rig, with every strike solved there.

    Args:
        fight: the fight.
        orders: its orders, in order of time.
        body: the rig's body.
        strikes: the rig's strike for each order.
        rate: frames per second of the rig's motion.

    Raises:
        StrikeError: a strike does not reach its target on the rig, or only with feet or joints out of their limits.
    """
    ratio = fight.clip.rate / rate
    made, spans = with_lifted_feet(fight.clip), strike_spans(fight, orders)
    labels = label_clip(made)
    clip = body.fit(made, FootContacts(labels.contacts_of(FOOT_CONTACTS))).resampled(rate)
    misses = []
    for strike, (first, stop) in zip(strikes, spans, strict=True):
        solved = solve_on_rig(clip, strike, round(first / ratio), round(stop / ratio))
        clip = solved.clip
        misses.append(solved.miss)
    clip = above_ground(clip, body.floor)
    for strike in strikes:
        require_outside(clip, strike)
    marks = with_strikes(labels, spans, body.floor).resampled(rate, len(clip))
    return RigFight(clip, marks, tuple(misses))


def _usual_reaches(strikes: Sequence[RigStrike], start: Array, body: RigBody) -> list[Array]:
    """Return the vector (3) from joint to tip of each strike, meters, world, assuming it points straight at its target.

    Args:
        strikes: the strikes, in order of time.
        start: (2) first place of the character, meters, world.
        body: the rig's body.
    """
    reaches, place = [], np.asarray(start, dtype=float)
    for strike in strikes:
        ahead = (strike.target[:2] - place) / max(float(np.linalg.norm(strike.target[:2] - place)), 1e-6)
        length = float(np.linalg.norm(strike.tip))
        place = strike.target[:2] - (length + TUNING.usual_arm * body.size) * ahead
        way = strike.target - np.append(place, body.floor + ROOT_HEIGHTS_M[strike.effector[:4]] * body.size)
        reaches.append(length * way / max(float(np.linalg.norm(way)), 1e-6))
    return reaches


def _order(strike: RigStrike, reach: Array, body: RigBody, ratio: float) -> StrikeOrder:
    """Return the controllers' order for a rig's strike.

    `reach` (3) is the vector from joint to tip at its frame, meters.

    If the controllers' weapon has a bone, the order's target is meant for the tip, otherwise for the joint.
    """
    learned = weapon_role(body.calibration.source, strike.effector) != strike.effector
    target = body.to_controller(strike.target if learned else strike.target - reach)
    return StrikeOrder(round(strike.frame * ratio), target, strike.effector, strike.both_hands)


def strike_spans(fight: Fight, orders: Sequence[StrikeOrder]) -> list[tuple[int, int]]:
    """Return the first frame of each strike in the fight, and the frame after its last."""
    spans = []
    for order, made in zip(orders, fight.strikes, strict=True):
        begun = order.frame - made.attack.order.frame
        spans.append((begun + made.blow.start, begun + made.blow.stop))
    return spans


def with_strikes(labels: Labels, spans: Sequence[tuple[int, int]], floor: float) -> Labels:
    """Return labels with the action *strike* in the given frame ranges, and with a ground height, meters."""
    actions = labels.actions.copy()
    for first, stop in spans:
        actions[first:stop] = np.eye(len(ACTION_NAMES))[ACTION_NAMES.index("strike")]
    return replace(labels, actions=actions, ground=floor, goals=None)


def _at_scene_rate(
    error: StrikeError, orders: Sequence[StrikeOrder], strikes: Sequence[RigStrike], ratio: float
) -> StrikeError:
    """Return an error about an order with its frames converted to the scene's."""
    fields: dict[str, object] = {}
    frames = {order.frame: strike.frame for order, strike in zip(orders, strikes, strict=True)}
    if "frame" in error.fields:
        fields["frame"] = frames.get(error.fields["frame"], round(error.fields["frame"] / ratio))
    if "count" in error.fields:
        fields |= by_frames(int(np.ceil(error.fields["count"] / ratio)))
    return error.retold(**fields)
