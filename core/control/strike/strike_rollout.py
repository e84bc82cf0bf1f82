"""Roll-out of one character's strikes: attacks are timed and aimed to come near the ordered frames and targets.

A network that misses a target misses nearby targets in much the same way. Given a target displaced by the opposite of
the miss, it comes near the ordered one by itself, and less is left for :mod:`.exact_strike` to solve.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...features.locomotion import pose_rotations
from ...features.strikes import APEX_PHASE, EFFECTORS
from ...labelling.semantics.blows import Blow
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.root_frame import out_of_frame
from ...motion.rotations import Array
from ...motion.weapons import weapon_role
from ...terrain.ground import Plane
from ...tuning import Tuning, tuned
from ..feet.foot_lock import lock_feet, locked_contacts
from ..runtime.locomotion_runtime import RuntimeFrames
from ..runtime.pose_decoder import decode_poses, standing_clip
from .strike_error import StrikeError
from .strike_order import StrikeOrder
from .strike_runtime import StrikeCommand, StrikeRuntime
from .striking_point import striking_point


@dataclass(frozen=True, slots=True)
class StrikeRolloutTuning(Tuning):
    """Tuned numbers of the roll-out of attacks."""

    usual_swing: int = tuned(24, "frames", 1, 150)
    """First estimate of the number of frames from the command to the apex."""
    max_swing: int = tuned(150, "frames", 30, 600)
    """Largest number of frames from the command to the apex."""
    after_apex: int = tuned(10, "frames", 0, 60)
    """Number of frames after the phase of the apex in which the end effector may still come nearer to its target."""
    reaching_phase: float = tuned(0.25, "1", 0.0, 1.0)
    """Phase from which the end effector's nearest approach to its target is searched."""
    timing_trials: int = tuned(12, "1", 1, 100)
    """Largest number of trial roll-outs of one attack to find its start frame."""
    aiming_trials: int = tuned(12, "1", 1, 100)
    """Largest number of trial roll-outs of one attack to find the target to give to the network."""
    aim_gain: float = tuned(0.7, "1", 0.0, 1.5)
    """Displacement of the target given to the network per meter of the last miss."""
    max_aim: float = tuned(0.6, "m", 0.0, 2.0)
    """Largest distance between the target given to the network and the ordered one."""
    aimed: float = tuned(0.02, "m", 0.001, 0.2)
    """Miss below which an attack's aim is not improved further."""
    max_late: int = tuned(1, "frames", 0, 10)
    """Largest difference between an aimed attack's apex and its ordered frame, unless it was larger before aiming."""
    extended_share: float = tuned(0.95, "1", 0.0, 1.0)
    """Share of a limb's largest reach in an attack from which the limb counts as stretched."""
    fold_cost: float = tuned(1.0, "m", 0.0, 10.0)
    """Cost of a fully bent limb, in meters of distance from the target.

    It prevents a foot from hitting while it is drawn back.
    """
    late_cost: float = tuned(0.05, "m", 0.0, 1.0)
    """Cost of each frame between an apex and its ordered frame, in meters of distance from the target."""
    recovery: int = tuned(90, "frames", 10, 600)
    """Largest number of frames in which the body recovers from the last attack."""
    guard: int = tuned(24, "frames", 1, 300)
    """Number of frames in guard after the recovery from the last attack."""


TUNING: Final = StrikeRolloutTuning()

LIMB_ROOTS: Final = {"hand": "upper_arm", "foot": "thigh"}
"""Joint, such as a shoulder, from which each limb's reach is measured."""


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """An attack made for an order.

    Attributes:
        order: the order.
        blow: frame of the command, apex and last frame of the attack in the roll-out.
        miss: (3) vector from the target to the end effector at the apex, meters, world.
        phase: phase of the motion at the apex, cycles.
        unaimed: distance between end effector and target at the apex of the first trial, before aiming, meters.
    """

    order: StrikeOrder
    blow: Blow
    miss: Array
    phase: float
    unaimed: float

    @property
    def distance(self) -> float:
        """Distance between end effector and target at the attack's apex, meters."""
        return float(np.linalg.norm(self.miss))

    @property
    def late(self) -> int:
        """Number of frames from the ordered frame to the attack's apex; negative if the apex is early."""
        return self.blow.apex - self.order.frame

    @property
    def cost(self) -> float:
        """Cost of the attack's errors, meters: distance from the target, plus ``late_cost`` for each frame of error."""
        return self.distance + TUNING.late_cost * abs(self.late)


_Trial = tuple[Attack, StrikeRuntime, list[RuntimeFrames]]
"""An attack, with the runtime just after the attack's apex, and the frames up to the apex."""


@dataclass(frozen=True, slots=True, eq=False)
class StrikeMotion:
    """Motion of a character with its attacks.

    Attributes:
        clip: the motion, with locked feet.
        contacts: foot contact probabilities from the network.
        attacks: the attacks in order of time, at the clip's frames.
        position: (2) root after the last frame, meters, world.
        yaw: yaw of the root after the last frame, radians.
    """

    clip: Clip
    contacts: FootContacts
    attacks: tuple[Attack, ...]
    position: Array
    yaw: float


class StrikeRollout:
    """The roll-out of one character's attacks, which starts in guard.

    Args:
        model: the controller.
        position: (2) root, meters, world.
        yaw: yaw of the root, radians; zero faces +Y.
        outstretched: whether limbs must be stretched as they hit, even if bent limbs came nearer.

    Raises:
        FootfallError: the controller cannot attack.
    """

    def __init__(self, model: ControllerModel, position: Array, yaw: float, outstretched: bool = True) -> None:
        self.model, self._outstretched = model, outstretched
        self._runtime = StrikeRuntime(model, np.asarray(position, dtype=float)[None], np.array([yaw]))
        self._frames: list[RuntimeFrames] = []
        self._attacks: list[Attack] = []

    @property
    def frames_done(self) -> int:
        """Number of frames made so far."""
        return len(self._frames)

    @property
    def root(self) -> tuple[Array, float]:
        """Root (2), meters, world, and its yaw, radians, at the next frame."""
        return self._runtime.state.position[0], float(self._runtime.state.yaw[0])

    def strike(self, order: StrikeOrder) -> Attack:
        """Make an attack, timed and aimed so that its apex comes as near as possible to the order's frame and target.

        It starts after the previous apex at the earliest; until its start the character waits in guard.

        Raises:
            FootfallError: there is no time for the attack, or the network does not attack.
        """
        for _ in self.strike_in_steps(order):
            pass
        return self._attacks[-1]

    def strike_in_steps(self, order: StrikeOrder) -> Iterator[None]:
        """Make an attack as :meth:`strike` does, yielding before each trial."""
        timed = yield from self._timed(order)
        attack, self._runtime, frames = yield from self._aimed(timed)
        self._frames += frames
        self._attacks.append(replace(attack, unaimed=timed[0].distance))

    def _timed(self, order: StrikeOrder) -> Generator[None, None, _Trial]:
        """Return the trial whose start frame brings the apex nearest to the ordered frame."""
        command, best, tried = max(order.frame - TUNING.usual_swing, self.frames_done), None, set[int]()
        while command is not None and len(tried) < TUNING.timing_trials:
            tried.add(command)
            yield
            trial = self._try(order, command, np.zeros(3))
            if best is None or abs(trial[0].late) < abs(best[0].late):
                best = trial
            if trial[0].late == 0:
                break
            command = self._next_beginning(command - trial[0].late, best[0].blow.start, tried)
        assert best is not None
        return best

    def _next_beginning(self, wanted: int, best: int, tried: set[int]) -> int | None:
        """Return the next start frame to try: the estimated one, otherwise one near the best so far.

        ``None`` if none is left.
        """
        around = (best + sign * step for step in range(1, TUNING.timing_trials) for sign in (-1, 1))
        return next((one for one in (wanted, *around) if one >= self.frames_done and one not in tried), None)

    def _aimed(self, timed: _Trial) -> Generator[None, None, _Trial]:
        """Return the trial whose aim brings the attack nearest to its target with its apex near the ordered frame."""
        best, (last, *_), aim = timed, timed, np.zeros(3)
        most = max(abs(last.late), TUNING.max_late)
        for _ in range(TUNING.aiming_trials):
            if best[0].cost < TUNING.aimed:
                break
            yield
            aim = aim - TUNING.aim_gain * last.miss
            aim *= min(TUNING.max_aim / max(float(np.linalg.norm(aim)), 1e-9), 1.0)
            trial = self._try(last.order, max(last.blow.start - last.late, self.frames_done), aim)
            last = trial[0]
            if abs(last.late) <= most and last.cost < best[0].cost:
                best = trial
        return best

    def recover(self) -> None:
        """Finish the last attack and stand in guard for a moment."""
        order, quiet = self._attacks[-1].order, 0
        for _ in range(TUNING.recovery):
            self._frames.append(self._runtime.step(self._command(order, order.target_at(self.frames_done), False)))
            quiet = quiet + 1 if self._runtime.state.phase[0] == 0.0 else 0
            if quiet >= TUNING.guard:
                break

    def _try(self, order: StrikeOrder, command: int, aim: Array) -> _Trial:
        """Return a trial of an attack commanded at a frame, with its target displaced by `aim` (3), meters, world."""
        runtime, made = self._runtime.copy(), []
        begun, crossed = False, None
        passed: list[tuple[Attack, StrikeRuntime, float]] = []
        while crossed is None or len(made) <= crossed + TUNING.after_apex:
            frame = self.frames_done + len(made)
            if frame > command + TUNING.max_swing:
                raise StrikeError(
                    "The controller makes no attack for the strike at frame {frame}: train the controller for longer",
                    frame=order.frame,
                )
            strikes = frame >= command and crossed is None
            made.append(runtime.step(self._command(order, order.target_at(frame) + aim, strikes)))
            phase = float(made[-1].phase[0])
            begun = begun or (frame >= command and phase < TUNING.reaching_phase)
            if not begun or phase < TUNING.reaching_phase:
                continue
            if crossed is None and phase >= APEX_PHASE:
                crossed = len(made)
            miss = self._striking_place(made[-1], order) - order.target_at(frame)
            blow = Blow(order.effector, command, frame, frame + 1)
            attack = Attack(order, blow, miss, phase, float(np.linalg.norm(miss)))
            passed.append((attack, runtime.copy(), self._reach(made[-1], order)))
        reaches = np.array([reach for *_, reach in passed])
        folded = np.maximum(TUNING.extended_share - reaches / reaches.max(), 0.0)
        best = int(np.argmin([one.distance for one, *_ in passed] + TUNING.fold_cost * folded))
        attack, after, _ = passed[best]
        return attack, after, made[: attack.blow.apex - self.frames_done + 1]

    def _reach(self, made: RuntimeFrames, order: StrikeOrder) -> float:
        """Return the distance of an order's end effector from its shoulder or hip in a finished frame, meters.

        It is a constant 1 for weapons, which strike in passing at any reach, and for limbs that need not be stretched.
        """
        if not self._outstretched:
            return 1.0
        skeleton, effector = self.model.skeleton, order.effector
        if order.weapon or weapon_role(skeleton, effector) != effector:
            return 1.0
        limb, side = effector.split(".")
        joints = [skeleton.joint(role) for role in (effector, f"{LIMB_ROOTS[limb]}.{side}")]
        places = self.model.output_layout.view(made.output, "pose.position")[0]
        end, root = (places[self.model.joints.index(skeleton.names[joint])] for joint in joints)
        return float(np.linalg.norm(end - root))

    def _striking_place(self, made: RuntimeFrames, order: StrikeOrder) -> Array:
        """Return the position (3) of an order's striking point in a finished frame, meters, world."""
        place = striking_point(self.model, made.output, order.effector)[0]
        return out_of_frame(place, made.yaw[0]) + np.append(made.position[0], 0.0)

    @staticmethod
    def _command(order: StrikeOrder, target: Array, strikes: bool) -> StrikeCommand:
        """Return the network's command for an order whose target is currently at `target` (3), meters, world."""
        number = np.array([EFFECTORS.index(order.effector)])
        weapon, told = np.array([float(order.weapon)]), np.array([float(strikes)])
        return StrikeCommand(target[None], number, weapon, told)

    def finish(self) -> StrikeMotion:
        """Return the motion so far, with locked feet."""
        model = self.model
        frames = RuntimeFrames(
            *(np.concatenate([getattr(one, name) for one in self._frames]) for name in RuntimeFrames.__slots__)
        )
        output = frames.output.astype(float)
        rotations = pose_rotations(output, model.output_layout, model.reference_rotations)
        positions = model.output_layout.view(output, "pose.position")
        roots = np.column_stack([frames.position, frames.height])
        clip = decode_poses(model, rotations, positions, roots, frames.yaw, without_spikes=False)
        contacts, standing = FootContacts(frames.contacts), standing_clip(model)
        clip = lock_feet(clip, locked_contacts(clip, contacts, Plane(), standing), Plane(), standing)
        stops = [*(after.blow.start for after in self._attacks[1:]), len(clip)]
        attacks = tuple(
            replace(one, blow=replace(one.blow, stop=min(one.blow.apex + TUNING.recovery, stop)))
            for one, stop in zip(self._attacks, stops, strict=False)
        )
        return StrikeMotion(clip, contacts, attacks, *self.root)


def roll_out(
    model: ControllerModel,
    position: Array,
    yaw: float,
    orders: Sequence[StrikeOrder],
    begun: int = 0,
    outstretched: bool = True,
) -> Generator[int, None, StrikeMotion]:
    """Make the motion of strike orders, from guard to guard; yield the approximate number of finished frames.

    Args:
        model: the controller.
        position: (2) root at the first frame, meters, world.
        yaw: yaw of the root at the first frame, radians.
        orders: the orders, in order of time.
        begun: number of frames made before, to which the yielded numbers add those made here.
        outstretched: whether limbs must be stretched as they hit, even if bent limbs came nearer.
    """
    rollout = StrikeRollout(model, position, yaw, outstretched)
    for order in orders:
        for _ in rollout.strike_in_steps(order):
            yield begun + rollout.frames_done
    rollout.recover()
    return rollout.finish()
