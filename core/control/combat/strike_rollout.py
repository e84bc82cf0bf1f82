"""Roll-out of strikes of one character: attacks are begun so that their apexes come near the frames that are wanted."""

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
from ...terrain.ground import Plane
from ..feet.foot_lock import lock_feet, locked_contacts
from ..runtime.locomotion_runtime import RuntimeFrames
from ..runtime.pose_decoder import decode_poses, standing_clip
from ..runtime.strike_runtime import StrikeCommand, StrikeRuntime
from ..runtime.striking_point import striking_point
from .strike_error import StrikeError
from .strike_order import StrikeOrder

USUAL_SWING_FRAMES: Final = 24
"""Frames from the command to the apex with which timing begins."""
MAX_SWING_FRAMES: Final = 150
"""Longest time from the command to the apex."""
AFTER_APEX_FRAMES: Final = 10
"""Frames after the phase of the apex in which the end effector may still come nearer to its target."""
REACHING_PHASE: Final = 0.25
"""Phase from which it may be at its nearest."""
TIMING_TRIALS: Final = 12
"""Roll-outs of one attack by which its beginning is found."""
RECOVERY_FRAMES: Final = 90
"""Longest recovery after the last attack."""
GUARD_FRAMES: Final = 24
"""Frames of guard after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """An attack that was made for an order.

    Attributes:
        order: the order.
        blow: the attack, at its own frames; it begins when it is commanded.
        distance: between end effector and target at its apex, meters.
        phase: at its apex, cycles.
    """

    order: StrikeOrder
    blow: Blow
    distance: float
    phase: float


@dataclass(frozen=True, slots=True, eq=False)
class StrikeMotion:
    """Motion of a character through its attacks.

    Attributes:
        clip: with locked feet.
        contacts: probabilities of the network.
        attacks: in time, at frames of the clip.
        position: (2) root at the end, meters, world.
        yaw: of the root at the end, radians.
    """

    clip: Clip
    contacts: FootContacts
    attacks: tuple[Attack, ...]
    position: Array
    yaw: float


class StrikeRollout:
    """Attacks of one character that begins in its guard.

    Args:
        model: the controller.
        position: (2) root, meters, world.
        yaw: radians; zero faces +Y.

    Raises:
        FootfallError: the controller does not attack.
    """

    def __init__(self, model: ControllerModel, position: Array, yaw: float) -> None:
        self.model = model
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
        """Make an attack with its apex as near to the order's frame as its beginning can bring it.

        It begins no sooner than after the apex before, and waits in guard until then.

        Raises:
            FootfallError: there is no time for it, or the network does not attack.
        """
        for _ in self.strike_in_steps(order):
            pass
        return self._attacks[-1]

    def strike_in_steps(self, order: StrikeOrder) -> Iterator[int]:
        """Make an attack as :meth:`strike` does, and yield the number of each trial."""
        command, best, tried = max(order.frame - USUAL_SWING_FRAMES, self.frames_done), None, set[int]()
        while command is not None and len(tried) < TIMING_TRIALS:
            tried.add(command)
            yield len(tried)
            trial = self._try(order, command)
            late = trial[0].blow.apex - order.frame
            if best is None or abs(late) < abs(best[0].blow.apex - order.frame):
                best = trial
            if late == 0:
                break
            command = self._next_beginning(command - late, best[0].blow.start, tried)
        assert best is not None
        attack, self._runtime, frames = best
        self._frames += frames
        self._attacks.append(attack)

    def _next_beginning(self, wanted: int, best: int, tried: set[int]) -> int | None:
        """Return when to begin an attack next: as wanted, else near the best beginning so far; ``None`` at the end."""
        around = (best + sign * step for step in range(1, TIMING_TRIALS) for sign in (-1, 1))
        return next((one for one in (wanted, *around) if one >= self.frames_done and one not in tried), None)

    def recover(self) -> None:
        """Finish the last attack and stand in guard for a moment."""
        order, quiet = self._attacks[-1].order, 0
        for _ in range(RECOVERY_FRAMES):
            self._frames.append(self._runtime.step(self._command(order, self.frames_done, False)))
            quiet = quiet + 1 if self._runtime.state.phase[0] == 0.0 else 0
            if quiet >= GUARD_FRAMES:
                break

    def _try(self, order: StrikeOrder, command: int) -> tuple[Attack, StrikeRuntime, list[RuntimeFrames]]:
        """Return the attack that is commanded at a frame, the runtime after its apex, and the frames up to then."""
        runtime, made = self._runtime.copy(), []
        nearest, best, begun, crossed = np.inf, None, False, None
        while crossed is None or len(made) <= crossed + AFTER_APEX_FRAMES:
            frame = self.frames_done + len(made)
            if frame > command + MAX_SWING_FRAMES:
                raise StrikeError(
                    "The controller makes no attack for the strike at frame {frame}: train it for longer",
                    frame=order.frame,
                )
            made.append(runtime.step(self._command(order, frame, frame >= command and crossed is None)))
            phase = float(made[-1].phase[0])
            begun = begun or (frame >= command and phase < REACHING_PHASE)
            if not begun or phase < REACHING_PHASE:
                continue
            if crossed is None and phase >= APEX_PHASE:
                crossed = len(made)
            distance = self._distance(made[-1], order, frame)
            if distance < nearest:
                blow = Blow(order.effector, command, frame, frame + 1)
                nearest, best = distance, (Attack(order, blow, distance, phase), runtime.copy(), made[:])
        assert best is not None
        return best

    def _distance(self, made: RuntimeFrames, order: StrikeOrder, frame: int) -> float:
        """Return the distance of an order's end effector from its target at a frame, meters."""
        place = striking_point(self.model, made.output, order.effector)[0]
        world = out_of_frame(place, made.yaw[0]) + np.append(made.position[0], 0.0)
        return float(np.linalg.norm(world - order.target_at(frame)))

    @staticmethod
    def _command(order: StrikeOrder, frame: int, strikes: bool) -> StrikeCommand:
        """Return what the character is told of an order at a frame."""
        number = np.array([EFFECTORS.index(order.effector)])
        weapon, told = np.array([float(order.weapon)]), np.array([float(strikes)])
        return StrikeCommand(order.target_at(frame)[None], number, weapon, told)

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
            replace(
                one, blow=replace(one.blow, stop=max(min(one.blow.apex + RECOVERY_FRAMES, stop), one.blow.apex + 1))
            )
            for one, stop in zip(self._attacks, stops, strict=False)
        )
        return StrikeMotion(clip, contacts, attacks, *self.root)


def roll_out(
    model: ControllerModel, position: Array, yaw: float, orders: Sequence[StrikeOrder], begun: int = 0
) -> Generator[int, None, StrikeMotion]:
    """Make the motion of a character through its orders, from guard to guard; yield about how many frames are made.

    Args:
        model: the controller.
        position: (2) root at the first frame, meters, world.
        yaw: of the root, radians.
        orders: in time.
        begun: frames that were made before, which are counted.
    """
    rollout = StrikeRollout(model, position, yaw)
    for order in orders:
        for _ in rollout.strike_in_steps(order):
            yield begun + rollout.frames_done
    rollout.recover()
    return rollout.finish()
