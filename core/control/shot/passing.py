"""Characters that pass each other: a walk of a shot keeps apart from all motion of others that is already finished."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.polyline import arc_lengths_of
from ...motion.root_frame import root_track, smooth_positions
from ...motion.rotations import Array, length
from ...tuning import Tuning, tuned
from ..path.velocity_profile import STAND_BEFORE_S
from ..walk.crowd_walk import Passer, plan_around, radius_of
from ..walk.path_walk import WalkRollout
from ..walk.plan import WalkRequest, plan_walk


@dataclass(frozen=True, slots=True)
class PassingTuning(Tuning):
    """Tuned numbers of walks around other characters."""

    sight: float = tuned(3.0, "m", 1.5, 6.0)
    """Largest distance from the way of a walk at which another character matters."""
    ahead: float = tuned(12.0, "s", 2.0, 60.0)
    """Time after the usual end of a walk for which the others' motion matters, since the walk may be delayed."""
    usual_speed: float = tuned(1.0, "m/s", 0.3, 3.0)
    """Speed at which the usual end of a walk is estimated."""
    smoothing: float = tuned(0.25, "s", 0.0, 1.0)
    """Standard deviation of the smoothing that takes the sway of the steps out of the others' places."""
    spread: float = tuned(0.45, "m", 0.1, 1.0)
    """Distance of head or feet from the root, on the ground plane, from which they are obstacles of their own."""
    limb_radius: float = tuned(0.16, "m", 0.05, 0.5)
    """Half of the required distance from a lying character's head and feet."""
    open_end: float = tuned(0.7, "m", 0.0, 2.0)
    """Distance of a character from the end of a walk up to which it is expected to leave, if its shot goes on."""
    leaving: float = tuned(1.0, "s", 0.0, 5.0)
    """Time after a walk in which a character that goes on may still be at its end."""
    leads: float = tuned(0.6, "m", 0.0, 2.0)
    """Length of the start of a walk, led out of the character's facing, on which others may be near."""
    near_share: float = tuned(0.95, "1", 0.5, 1.0)
    """Share of the distance from another character at the start, or from a partner at the end, that is kept."""


TUNING: Final = PassingTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The motion so far of a character, as others see it.

    Attributes:
        places: (F, K, 2) root, head and middle of the feet, meters, world, from the beginning of the shot on.
        is_final: whether the character's shot is finished, so that it stays at the last place.
    """

    places: Array
    is_final: bool = True

    @staticmethod
    def of_clip(clip: Clip, is_final: bool = True) -> "Known":
        """Return the places of a clip's body; `is_final`: whether the character stays at the last one."""
        roles, positions = clip.skeleton.roles, clip.positions
        root = root_track(clip, TUNING.smoothing).positions
        ends = [[roles[name] for name in names if name in roles] for names in (("head",), ("foot.L", "foot.R"))]
        parts = [positions[:, joints, :2].mean(axis=1) for joints in ends if joints]
        smooth = [smooth_positions(one, TUNING.smoothing * clip.rate) for one in parts]
        return Known(np.stack([root, *smooth], axis=1), is_final)

    def window(self, first: int, frames: int) -> Array:
        """Return the places (N, K, 2), meters, world, of at most `frames` frames from `first` on.

        Beyond the motion's end, they are only the last place (N = 1).
        """
        last = len(self.places) - 1
        return self.places[min(first, last) : min(first + max(frames, 1), last + 1)]


@dataclass(frozen=True, slots=True, eq=False)
class Others:
    """The other characters that matter to a walk.

    Attributes:
        frame: frame of the shot at which the walk begins.
        passers: motion of the other characters.
        partner: name of the partner beside which the walk ends; empty for none.
        goes_on: whether the character leaves the end of the walk for another activity.
    """

    frame: int
    passers: tuple[Passer, ...]
    partner: str = ""
    goes_on: bool = False


def others_near(
    others: Mapping[str, Known], frame: int, rate: float, way: Array, partner: str, goes_on: bool
) -> Others | None:
    """Return the other characters that come near a walk; ``None`` if there are none.

    Args:
        others: the motion so far of each other character, by name.
        frame: frame of the shot at which the walk begins.
        rate: frames per second.
        way: (N, 2) corners of the walk's path, meters, world.
        partner: name of the partner beside which the walk ends; empty for none.
        goes_on: whether the character leaves the end of the walk for another activity.
    """
    seconds = float(length(np.diff(way, axis=0)).sum()) / TUNING.usual_speed + TUNING.ahead
    found = [
        passer
        for name, known in others.items()
        for passer in _passers(name, known, known.window(frame, round(seconds * rate)), way, name == partner)
    ]
    return Others(frame, tuple(found), partner, goes_on) if found else None


def _passers(name: str, known: Known, places: Array, way: Array, is_partner: bool) -> Iterator[Passer]:
    """Yield the obstacles that a character is, given its places (F, K, 2) during a walk along a way (N, 2)."""
    rests = places[-1, 0]
    if not known.is_final and not is_partner and float(length(rests - way[-1])) < TUNING.open_end:
        return
    if _distances(places[:, 0], way).min() >= TUNING.sight:
        return
    yield Passer(name, places[:, 0])
    for part in range(1, places.shape[1]):
        if length(places[:, part] - places[:, 0]).max() > TUNING.spread:
            yield Passer(name, places[:, part], TUNING.limb_radius)


def _distances(points: Array, way: Array) -> Array:
    """Return the distances (F), meters, of points (F, 2) from a way (N, 2)."""
    starts, steps = way[:-1], np.diff(way, axis=0)
    from_starts = points[:, None] - starts
    along = (from_starts * steps).sum(axis=-1) / np.maximum((steps**2).sum(axis=-1), 1e-12)
    nearest = starts + np.clip(along, 0.0, 1.0)[..., None] * steps
    return np.asarray(length(points[:, None] - nearest).min(axis=1))


def begin_among(
    model: ControllerModel, request: WalkRequest, others: Others | None, apart: float | None, is_exact: bool
) -> WalkRollout:
    """Return the roll-out of a walk that is planned around other characters.

    Args:
        model: the controller.
        request: the walk.
        others: the other characters; ``None`` for none.
        apart: distance from the partner at the end, meters; ``None`` without a partner.
        is_exact: whether the walk must end exactly at the end of its path.
    """
    plan = plan_walk(request, model)
    if others is None:
        return WalkRollout(model, plan)
    own, path = radius_of(plan), plan.path.points * plan.scale
    start = path[arc_lengths_of(path) <= TUNING.leads]
    stands = 0 if request.begin is not None else round(STAND_BEFORE_S * model.rate)
    # Who goes on is gone by the time at which others may come to the end.
    stays = stands + len(plan.timing) + round(TUNING.leaving * model.rate) if others.goes_on else None
    passers = []
    for one in others.passers:
        near = [float(length(one.places[0] - start).min())] + ([apart] if apart and one.name == others.partner else [])
        radius = min(one.radius, TUNING.near_share * min(near) - own)
        if radius > 0.0:
            passers.append(replace(one, radius=radius, places=one.places[:stays]))
    return WalkRollout(model, plan_around(plan, passers, model.rate, stands, is_exact) if passers else plan)
