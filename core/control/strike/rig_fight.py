"""A fight on a rig's body: the controllers make it, it is retargeted to the rig, and strikes are solved on the rig."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...jobs.steps import Stepwise
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
from .fight import Fight
from .lifted_feet import above_ground, with_lifted_feet
from .rig_strike import RigStrike, require_outside, solve_on_rig
from .strike_order import StrikeOrder


@dataclass(frozen=True, slots=True)
class RigFightTuning(Tuning):
    exact: float = tuned(0.002, "m", 1e-4, 0.05)
    """Largest miss at which a strike with a stretched limb is kept."""
    usual_arm: float = tuned(0.65, "m", 0.2, 1.2)
    """Assumed reach of a limb, used to estimate the direction of the next strike."""


TUNING: Final = RigFightTuning()

ROOT_HEIGHTS_M: Final = {"hand": 1.4, "foot": 0.9}
"""Heights of an adult's shoulders and hips, meters, from which limbs are assumed to point at their targets."""


@dataclass(frozen=True, slots=True, eq=False)
class RigBody:
    """The body of a rig on level ground.

    Attributes:
        calibration: calibration from the controllers' skeleton to the rig's.
        rise: height of the rig's feet above the ground less the usual height for its size, meters.
        floor: height of the ground, meters, world.
    """

    calibration: Calibration
    rise: float
    floor: float

    @property
    def scale(self) -> float:
        """Meters in the rig's world per meter at the controllers' scale."""
        return scale_between(self.calibration.source, self.calibration.target)

    @property
    def size(self) -> float:
        """Size of the rig's body relative to an adult's."""
        return self.calibration.target.leg_length / ADULT_LEG_LENGTH_M

    def to_controller(self, point: Array) -> Array:
        """Return a point (3), meters, world, converted to meters at the controllers' scale, over ground at z = 0."""
        return (point - np.array([0.0, 0.0, self.floor])) / self.scale

    def fit(self, clip: Clip, contacts: FootContacts) -> Generator[None, None, Clip]:
        """Return a motion of the controllers, retargeted to the rig, over its ground and with locked feet."""
        up = np.array([0.0, 0.0, self.rise])
        raised = (yield from retarget.steps(clip, self.calibration)).transformed(IDENTITY, up)
        held = yield from lock_feet.steps(raised, contacts, Plane())
        return held.transformed(IDENTITY, np.array([0.0, 0.0, self.floor]))


@dataclass(frozen=True, slots=True, eq=False)
class RigFight:
    """A finished fight on a rig.

    Attributes:
        clip: motion of the rig's body, world.
        labels: labels of the clip's frames.
        misses: distance between tip and target of each strike at its frame, meters.
    """

    clip: Clip
    labels: Labels
    misses: tuple[float, ...]


@Stepwise
def fit_fight(
    fight: Fight, orders: Sequence[StrikeOrder], body: RigBody, strikes: Sequence[RigStrike]
) -> Generator[None, None, RigFight]:
    """Return the controllers' fight retargeted to a rig, with every strike solved on the rig.

    Args:
        fight: the fight.
        orders: the fight's orders, in order of time.
        body: the rig's body.
        strikes: the rig's strike for each order.

    Raises:
        StrikeError: a strike does not reach its target on the rig, or only with feet or joints out of place.
    """
    made, spans = with_lifted_feet(fight.clip), strike_spans(fight, orders)
    labels = label_clip(made)
    yield
    clip = yield from body.fit(made, FootContacts(labels.contacts_of(FOOT_CONTACTS)))
    misses = []
    for strike, (first, stop) in zip(strikes, spans, strict=True):
        yield
        solved = solve_on_rig(clip, strike, first, stop)
        clip = solved.clip
        misses.append(solved.miss)
    clip = above_ground(clip, body.floor)
    for strike in strikes:
        require_outside(clip, strike)
    return RigFight(clip, with_strikes(labels, spans, body.floor), tuple(misses))


def order_of(strike: RigStrike, place: Array, body: RigBody) -> StrikeOrder:
    """Return the order to the controllers for a rig's strike, at the same frame rate.

    If the controllers' weapon has a bone, the order's target is meant for the tip, otherwise for the joint.

    Args:
        strike: the strike.
        place: (2) place from which the character comes to strike, meters, world.
        body: the rig's body.
    """
    target = np.asarray(strike.target, dtype=float)
    if weapon_role(body.calibration.source, strike.effector) == strike.effector:
        target = target - _usual_reach(strike, place, body)
    return StrikeOrder(strike.frame, body.to_controller(target), strike.effector, strike.both_hands)


def _usual_reach(strike: RigStrike, place: Array, body: RigBody) -> Array:
    """Return the vector (3) from the joint to the tip of a strike that points straight at its target, meters, world."""
    length, ahead = float(np.linalg.norm(strike.tip)), strike.target[:2] - place
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-6)
    stand = strike.target[:2] - (length + TUNING.usual_arm * body.size) * ahead
    way = strike.target - np.append(stand, body.floor + ROOT_HEIGHTS_M[strike.effector[:4]] * body.size)
    return length * way / max(float(np.linalg.norm(way)), 1e-6)


def strike_spans(fight: Fight, orders: Sequence[StrikeOrder]) -> list[tuple[int, int]]:
    """Return for each strike of a fight its first frame, and the frame after its last one."""
    spans = []
    for order, made in zip(orders, fight.strikes, strict=True):
        begun = order.frame - made.attack.order.frame
        spans.append((begun + made.blow.start, begun + made.blow.stop))
    return spans


def with_strikes(labels: Labels, spans: Sequence[tuple[int, int]], floor: float) -> Labels:
    """Return labels with the action *strike* in frame ranges (first, last + 1), and with a ground height, meters."""
    actions = labels.actions.copy()
    for first, stop in spans:
        actions[first:stop] = np.eye(len(ACTION_NAMES))[ACTION_NAMES.index("strike")]
    return replace(labels, actions=actions, ground=floor, goals=None)
