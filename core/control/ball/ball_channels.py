"""The ball of characters in a roll-out: network inputs that describe it, and its motion by network and physics.

A touched ball follows the network's output, guided to the touching hand. A free ball flies and bounces, drawn slightly
toward the network's output. The ground is level, and heights are relative to the ground under the root.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from ...ball.free_motion import BOUNCE_GRIP_RATIO, RESTITUTION
from ...ball.hands import GRAVITY_M_S2
from ...ball.palms import Palms
from ...errors import FootfallError
from ...features.ball import BALL_SENSORS, control_weights
from ...features.locomotion import pose_rotations
from ...features.phase_system import sensor_contacts
from ...models.model_file import ControllerModel
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.root_frame import into_frame, out_of_frame
from ...motion.rotations import UP, Array
from ...motion.signals import Mask
from ...tuning import Tuning, tuned
from ..runtime.batch_state import PAST_FRAMES, PAST_SAMPLES


@dataclass(frozen=True, slots=True)
class BallChannelsTuning(Tuning):
    answer_tolerance: float = tuned(0.08, "m", 0.0, 0.5)
    """Largest distance of a held ball from its usual place in the hand; the network's output is clamped to it."""
    answer_share: float = tuned(0.15, "1", 0.0, 1.0)
    """Share of the network's output in the motion of a free ball, per frame; the rest is its physical flight."""
    least_weight: float = tuned(0.1, "1", 0.001, 1.0)
    """Lower bound of the predicted control weight by which the network's ball position is divided."""


TUNING: Final = BallChannelsTuning()


@dataclass(frozen=True, slots=True, eq=False)
class BallRules:
    """The parts of a controller's layout and skeleton that describe a ball, shared by all its characters.

    Attributes:
        palms: center of a held ball in the frame of each hand, meters.
        hands: indices of the two hands among the pose joints.
        sensors: indices of the two hands among the contact sensors.
    """

    palms: Palms
    hands: tuple[int, int]
    sensors: tuple[int, int]

    @classmethod
    def of(cls, model: ControllerModel) -> Self:
        """Create the rules from a controller.

        Raises:
            FootfallError: the controller has no contact sensors at the hands.
        """
        missing = [name for name in BALL_SENSORS if name not in model.sensors]
        if missing:
            raise FootfallError(
                "This controller plays with a ball, but was trained without contacts of {names}: train it "
                "again with ball clips that have such labels",
                names=", ".join(missing),
            )
        palms = Palms.of(model.skeleton)
        left, right = (model.joints.index(model.skeleton.names[joint]) for joint in palms.joints)
        return cls(palms, (left, right), (model.sensors.index("hand.L"), model.sensors.index("hand.R")))

    def places(self, model: ControllerModel, y: Array) -> Array:
        """Return the centers (..., 2, 3), meters, root's frame, of a ball held in either hand, for outputs (..., m)."""
        hands, layout = list(self.hands), model.output_layout
        rotations = pose_rotations(y, layout, model.reference_rotations)[..., hands, :]
        return self.palms.centers(layout.view(y, "pose.position")[..., hands, :], rotations)

    def answer(self, model: ControllerModel, y: Array) -> Array:
        """Return the predicted ball centers (..., 3), meters, root's frame, for network outputs (..., m)."""
        weights = np.maximum(model.output_layout.view(y, "ball.weight"), TUNING.least_weight)
        return model.output_layout.view(y, "ball.position") / weights


@dataclass(eq=False)
class BallChannels:
    """The balls of B characters, in meters, world, but with heights above the ground under the root.

    Attributes:
        model: the controller.
        rules: the parts of the controller's layout and skeleton that describe a ball.
        position: (B, 3) centers of the balls.
        velocity: (B, 3) velocities of the balls, m/s.
        past_positions: (B, PAST_FRAMES + 1, 3) centers in the last frames, up to the previous one.
        past_velocities: (B, PAST_FRAMES + 1, 3) velocities in the same frames, m/s.
        past_weights: (B, PAST_FRAMES + 1) weights, 0 to 1, with which the network controls the ball, in the same
            frames.
        radius: (B) radii of the balls, meters.
        has_ball: (B) 1 for a character with a ball, 0 for one without.
    """

    model: ControllerModel
    rules: BallRules
    position: Array
    velocity: Array
    past_positions: Array
    past_velocities: Array
    past_weights: Array
    radius: Array
    has_ball: Array

    @classmethod
    def begin(cls, model: ControllerModel, count: int) -> Self:
        """Return the channels of `count` characters that have no ball yet.

        Raises:
            FootfallError: the controller has no contact sensors at the hands.
        """
        past = (count, PAST_FRAMES + 1)
        shapes = ((count, 3), (count, 3), (*past, 3), (*past, 3), past, count, count)
        return cls(model, BallRules.of(model), *(np.zeros(shape) for shape in shapes))

    @property
    def occupied(self) -> Mask:
        return self.has_ball > 0.0

    def copy(self) -> Self:
        return self._mapped(lambda array: array.copy())

    def take(self, rows: NDArray[np.intp]) -> Self:
        return self._mapped(lambda array: array[rows])

    def _mapped(self, function: Callable[[Array], Array]) -> Self:
        """Return the channels with a function applied to each array."""
        arrays = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return replace(self, **{name: function(value) for name, value in arrays.items()})

    def give(self, row: int, root: Array, yaw: float, place: Array, radius: float) -> None:
        """Give a character a ball that rests beside it.

        Args:
            row: row of the character.
            root: (2) root of the character, meters, world.
            yaw: yaw of the root, radians.
            place: (3) center of the ball in the root's frame, meters.
            radius: radius of the ball, meters.
        """
        position = np.append(root, 0.0) + out_of_frame(place, np.asarray(yaw))
        self.position[row], self.velocity[row], self.radius[row], self.has_ball[row] = position, 0.0, radius, 1.0
        self.past_positions[row], self.past_velocities[row], self.past_weights[row] = position, 0.0, 1.0

    def fill_inputs(self, x: NDArray[np.float32], roots: Array, yaws: Array) -> None:
        """Write the balls' past positions and velocities into the network's inputs, relative to the roots.

        Args:
            x: (B, n) network inputs, changed in place.
            roots: (B, 2) roots of the characters, meters, world.
            yaws: (B) yaws of the roots, radians.
        """
        layout = self.model.input_layout
        weights = self.past_weights[:, PAST_SAMPLES]
        away = self.past_positions[:, PAST_SAMPLES] - _on_ground(roots)[:, None]
        moving = self.past_velocities[:, PAST_SAMPLES]
        for name, vectors in (("ball.position", away), ("ball.velocity", moving)):
            layout.view(x, name)[:] = into_frame(vectors, yaws[:, None]) * weights[..., None]
        layout.view(x, "ball.weight")[:] = weights

    def advance(self, y: NDArray[np.float32], roots: Array, yaws: Array) -> None:
        model, rules, dt = self.model, self.rules, 1 / self.model.rate
        layout, values = model.output_layout, y.astype(float)
        weights = np.maximum(layout.view(values, "ball.weight"), TUNING.least_weight)
        ground = _on_ground(roots)
        answered = ground + out_of_frame(rules.answer(model, values), yaws)
        moving = out_of_frame(layout.view(values, "ball.velocity") / weights, yaws)
        centers = ground[:, None] + out_of_frame(rules.places(model, values), yaws[:, None])
        touching = sensor_contacts(layout, y)[:, rules.sensors] > CONTACT_THRESHOLD
        free_position, free_velocity = _free_step(self.position, self.velocity, self.radius, dt)
        free_position = free_position + TUNING.answer_share * (answered - free_position)
        free_velocity = free_velocity + TUNING.answer_share * (moving - free_velocity)
        held = touching.any(axis=1, keepdims=True)
        shares = touching / np.maximum(touching.sum(axis=1, keepdims=True), 1)
        led = _led_to((shares[..., None] * centers).sum(axis=1), answered)
        kept = self.has_ball[:, None]
        self.position = kept * np.where(held, led, free_position)
        self.position[:, 2] = np.maximum(self.position[:, 2], self.radius)
        self.velocity = kept * np.where(held, moving, free_velocity)
        weight = control_weights(into_frame(self.position - ground, yaws)) * self.has_ball
        for memory, value in (
            (self.past_positions, self.position),
            (self.past_velocities, self.velocity),
            (self.past_weights, weight),
        ):
            memory[:, :-1] = memory[:, 1:]
            memory[:, -1] = value


def _free_step(positions: Array, velocities: Array, radius: Array, dt: float) -> tuple[Array, Array]:
    """Return the positions and velocities (B, 3) of free balls after one frame, including bounces on the floor."""
    after = velocities - GRAVITY_M_S2 * dt * UP
    moved = positions + 0.5 * dt * (velocities + after)
    lands = (moved[:, 2] < radius) & (after[:, 2] < 0.0)
    moved[lands, 2] = 2.0 * radius[lands] - moved[lands, 2]
    after[lands] *= [BOUNCE_GRIP_RATIO, BOUNCE_GRIP_RATIO, -RESTITUTION]
    return moved, after


def _led_to(places: Array, answered: Array) -> Array:
    """Return the network's positions (B, 3), moved to within ``answer_tolerance`` of `places` (B, 3) in the hands."""
    apart = answered - places
    length = np.linalg.norm(apart, axis=-1, keepdims=True)
    return places + apart * np.minimum(1.0, TUNING.answer_tolerance / np.maximum(length, 1e-9))


def _on_ground(roots: Array) -> Array:
    """Return roots (B, 2) as points (B, 3) at height 0."""
    return np.column_stack([roots, np.zeros(len(roots))])
