"""Captured attacks of a motion-matching controller, each with the moments before and after it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from ...errors import FootfallError
from ...features.locomotion import pose_rotations
from ...features.strikes import holds_weapon
from ...labelling.semantics.blows import Blow, LimbMotion
from ...models.matching import Matching
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.contacts import FootContacts
from ...motion.fingers import bare_handed
from ...motion.root_frame import out_of_frame, yaw_of
from ...motion.rotations import Array, normalize, rotate, rotation_about_up
from ...terrain.ground import Plane
from ...tuning import Tuning, tuned
from ..feet.foot_lock import lock_feet, locked_contacts
from ..runtime.pose_decoder import decode_poses, standing_clip
from .blow_retargeting import retarget_blow
from .exact_strike import warped


@dataclass(frozen=True, slots=True)
class StrikeTakesTuning(Tuning):
    """Tuned numbers for extracting attacks from a controller's clips."""

    ease: int = tuned(18, "frames", 2, 120)
    """Number of frames in which a take starts from rest, and in which it comes to rest at the end.

    Half as many captured frames are slowed down to fill them.
    """
    recovery: int = tuned(24, "frames", 1, 120)
    """Largest number of captured frames after the apex of a hand's attack that are kept."""
    min_side_cosine: float = tuned(0.3, "1", -1.0, 1.0)
    """Smallest cosine between an attack's direction and that of a side, see ``SIDE_DIRECTIONS``, to come from that
    side.
    """
    velocity_time: float = tuned(0.1, "s", 0.02, 0.5)
    """Time before the apex over which the direction of an attack is measured."""


TUNING: Final = StrikeTakesTuning()

ARM_PARTS: Final = ("shoulder", "upper_arm", "forearm", "hand")
"""Names of an arm's parts."""
SIDE_DIRECTIONS: Final = {
    "left": (1.0, 0.0, 0.0),
    "right": (-1.0, 0.0, 0.0),
    "above": (0.0, 0.0, -1.0),
    "below": (0.0, 0.0, 1.0),
}
"""Direction (right, ahead, up, for the striker) of the motion of an attack from each side."""


@dataclass(frozen=True, slots=True, eq=False)
class StrikeTake:
    """A captured attack that begins and ends at rest.

    Attributes:
        clip: the motion, with locked feet; at the apex, the end effector is over the origin and the hips straight
            behind it, toward -Y.
        blow: first, apex and last frame of the attack in the clip.
        velocity: (3) unit direction of the end effector's motion at the apex, for a striker that faces +Y.
        both_hands: whether both hands strike: with one weapon, or with both fists.
    """

    clip: Clip
    blow: Blow
    velocity: Array
    both_hands: bool = False

    @staticmethod
    def of(clip: Clip, blow: Blow, following: int) -> "StrikeTake":
        """Return an attack cut from a clip, eased in from rest and out to rest.

        It ends before frame `following`, at which the next attack begins.
        """
        first = max(blow.start - TUNING.ease // 2, 0)
        stop = blow.stop + (0 if blow.effector.startswith("foot") else TUNING.ease // 2)
        stop = min(stop, max(following, blow.apex + TUNING.ease // 2), len(clip))
        if blow.effector.startswith("hand"):
            stop = min(stop, blow.apex + TUNING.recovery)
        times = _eased_times(stop - first)
        eased = warped(_padded(clip.cut(first, stop), len(times)), times)
        start, apex, end = (int(np.argmin(np.abs(times - (frame - first)))) for frame in _frames_of(blow))
        own = Blow(blow.effector, start, apex, max(end, apex + 1))
        placed = _placed(eased, own)
        end = placed.positions[:, clip.skeleton.joint(own.effector)]
        before = max(own.apex - round(TUNING.velocity_time * clip.rate), 0)
        return StrikeTake(placed, own, normalize(end[own.apex] - end[before]), holds_weapon(clip, blow))

    @property
    def height(self) -> float:
        """Height of the end effector at the apex, meters."""
        return float(self.clip.positions[self.blow.apex, self.clip.skeleton.joint(self.blow.effector), 2])

    def mirrored(self) -> "StrikeTake":
        """Return the mirror image of the attack."""
        part, _, side = self.blow.effector.partition(".")
        blow = replace(self.blow, effector=f"{part}.{'L' if side == 'R' else 'R'}")
        velocity = self.velocity * np.array([-1.0, 1.0, 1.0])
        return replace(self, clip=_placed(self.clip.mirrored(), blow), blow=blow, velocity=velocity)

    def raised_to(self, height: float) -> tuple["StrikeTake | None", float]:
        """Return the attack changed to strike at `height`, meters, and the remaining error, meters, at the apex.

        The attack is ``None`` if feet would leave their paths or joints exceed their limits.
        """
        made = retarget_blow(self.clip, self.blow, np.array([[0.0, 0.0, height]]))
        miss = float(made.misses[0])
        if not made.reached[0]:
            return None, miss
        return replace(self, clip=with_part(self.clip, self.blow.apex - made.blow.apex, made.clip(0))), miss

    def at(self, target: Array, yaw: float) -> Clip:
        """Return the attack's motion, placed to strike above `target` (2 or 3), meters, world, facing `yaw`, rad."""
        return self.clip.transformed(rotation_about_up(yaw), np.append(target[:2], 0.0))

    def comes_from(self, side: str) -> bool:
        """Return whether the attack comes from `side`, one of ``beats.SIDES``.

        An attack with both fists counts as coming from above only.
        """
        return (side == "above" or not self.both_hands) and self.cuts_from(side)

    def cuts_from(self, side: str) -> bool:
        """Return whether the attack, taken as the cut of a weapon, comes from `side`, one of ``beats.SIDES``."""
        return side == "straight" or float(self.velocity @ np.array(SIDE_DIRECTIONS[side])) >= TUNING.min_side_cosine


def captured_takes(model: ControllerModel) -> list[StrikeTake]:
    """Return a controller's captured attacks, those with a two-handed weapon as blows with both fists.

    Raises:
        FootfallError: the controller holds no captured attacks.
    """
    network = model.network()
    if not isinstance(network, Matching) or not model.is_strike_controller:
        raise FootfallError(
            "A duel needs captured attacks, but this controller contains none: choose one that was trained "
            "with the preset strikes_matching, such as the included controller strikes"
        )
    if model not in _TAKES:
        _TAKES[model] = list(_attacks(model, network))
    if not _TAKES[model]:
        raise FootfallError("The controller has no attacks with a hand or foot: train it on clips of such attacks")
    return _TAKES[model]


_TAKES: Final[WeakKeyDictionary[ControllerModel, list[StrikeTake]]] = WeakKeyDictionary()
"""Cached attacks by controller."""


def with_arms_of(take: StrikeTake, pose: Clip) -> StrikeTake:
    """Return an attack whose arms keep the pose of another clip's first frame, as for a kick of an armed character."""
    roles = [f"{part}.{side}" for part in ARM_PARTS for side in "LR"]
    joints = [take.clip.skeleton.roles[role] for role in roles if role in take.clip.skeleton.roles]
    rotations = take.clip.rotations.copy()
    rotations[:, joints] = pose.rotations[0, joints]
    return replace(take, clip=replace(take.clip, rotations=rotations))


def with_part(clip: Clip, first: int, part: Clip) -> Clip:
    """Return a clip whose frames from `first` on are replaced with the frames of `part`."""
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    roots[first : first + len(part)], rotations[first : first + len(part)] = part.root_positions, part.rotations
    return replace(clip, root_positions=roots, rotations=rotations)


def _attacks(model: ControllerModel, network: Matching) -> Iterator[StrikeTake]:
    """Yield the attacks in each captured sequence."""
    for y, _ in network.sequences():
        clip = _decoded(model, (y * model.y_std + model.y_mean).astype(float))
        blows = LimbMotion.of(clip, 0.0).blows
        starts = [*(blow.start for blow in blows), len(clip)]
        for blow, following in zip(blows, starts[1:], strict=True):
            yield StrikeTake.of(clip, blow, following)


def _decoded(model: ControllerModel, y: Array) -> Clip:
    """Return the motion described by consecutive outputs (F, m), with locked feet and without fingers and weapons."""
    layout, dt = model.output_layout, 1 / model.rate
    spins, steps = (layout.view(y, f"root.{name}") for name in ("angular_velocity", "velocity"))
    yaws = np.concatenate([[0.0], np.cumsum(spins[:-1, 0]) * dt])
    moves = out_of_frame(steps[:-1], yaws[:-1]) * dt
    roots = np.column_stack([np.vstack([np.zeros(2), np.cumsum(moves, axis=0)]), np.zeros(len(y))])
    rotations = pose_rotations(y, layout, model.reference_rotations)
    clip = decode_poses(model, rotations, layout.view(y, "pose.position"), roots, yaws, without_spikes=False)
    contacts, standing = FootContacts(layout.view(y, "contact")), standing_clip(model)
    clip, standing = bare_handed(clip), None if standing is None else bare_handed(standing)
    return lock_feet(clip, locked_contacts(clip, contacts, Plane(), standing), Plane(), standing)


def _eased_times(frames: int) -> Array:
    """Return the captured time (F), in frames, that each frame of a take plays; the take begins and ends at rest."""
    added = TUNING.ease // 2
    count = frames + 2 * added
    rates = smooth_step((np.arange(count) + 0.5) / TUNING.ease) * smooth_step(
        (count - 0.5 - np.arange(count)) / TUNING.ease
    )
    times = np.concatenate([[0.0], np.cumsum(rates)[:-1]])
    return times * (frames - 1) / times[-1]


def _padded(clip: Clip, frames: int) -> Clip:
    """Return a clip extended to a number of frames by repeating its last pose."""
    rest = frames - len(clip)
    roots = np.concatenate([clip.root_positions, np.repeat(clip.root_positions[-1:], rest, axis=0)])
    rotations = np.concatenate([clip.rotations, np.repeat(clip.rotations[-1:], rest, axis=0)])
    return replace(clip, root_positions=roots, rotations=rotations)


def _frames_of(blow: Blow) -> tuple[int, int, int]:
    return blow.start, blow.apex, blow.stop


def _placed(clip: Clip, blow: Blow) -> Clip:
    """Return an attack moved so that, at its apex, the end effector is over the origin, and the hips behind on -Y."""
    end, hips = (clip.positions[blow.apex, clip.skeleton.joint(role)] for role in (blow.effector, "hips"))
    turn = rotation_about_up(-yaw_of((end - hips)[:2]))
    return clip.transformed(turn, -rotate(turn, end * np.array([1.0, 1.0, 0.0])))
