"""Assembly of takes from clips, connected by steps on the spot."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...core.control.feet.foot_lock import lock_feet, locked_contacts
from ...core.control.runtime.pose_decoder import standing_clip
from ...core.labelling import label_clip
from ...core.models.model_file import ControllerModel
from ...core.motion import Clip
from ...core.motion.contacts import FootContacts
from ...core.motion.root_frame import out_of_frame, root_track
from ...core.motion.rotations import Array
from ...core.tuning import Tuning, tuned
from .clip_stitching import ContactClip, stitch
from .clip_transitions import place_clip
from .step_synthesis import StandingPose, place_by_feet, synthesize_steps
from .walk_library import WalkLibrary


@dataclass(frozen=True, slots=True)
class TakeAssemblyTuning(Tuning):
    standing_speed: float = tuned(0.2, "m/s", 0.01, 1.0)
    """Speed of hips and ankles below which the character stands."""
    turn_away: tuple[float, float] = tuned((1.4, np.pi), "rad", 0.0, np.pi)
    """Range of the angle by which a character turns away from an object after an action."""
    turned_start_share: float = tuned(0.7, "1", 0.0, 1.0)
    """Share of walks that begin with steps on the spot from a random facing."""
    turned_start: int = tuned(4, "frames", 0, 120)
    """Frames of standing before the first of these steps."""
    turn_on_spot_share: float = tuned(0.3, "1", 0.0, 1.0)
    """Share of approaches with a turn on the spot."""
    far_misplaced_share: float = tuned(0.4, "1", 0.0, 1.0)
    """Share of arrivals with a random position error and any yaw near the object."""
    facing_error: float = tuned(0.3, "rad", 0.0, np.pi)
    """Standard deviation of the facing error of the other arrivals."""
    max_position_error: float = tuned(0.45, "m", 0.0, 2.0)
    """Largest position error of an arrival, right and ahead."""
    standing: tuple[int, int] = tuned((4, 16), "frames", 0, 240)
    """Range of the duration of standing before and after a walk; short, since a character with a goal does not wait."""


TUNING: Final = TakeAssemblyTuning()


def trim_walk(walk: Clip, generator: np.random.Generator) -> ContactClip:
    """Return a walk with its foot contacts and a random short part of the standing at both ends."""
    whole = ContactClip(walk, label_clip(walk).foot_contacts.held)
    moved = np.flatnonzero(~whole.contacts.any(axis=1) | (_body_speed(walk) > TUNING.standing_speed))
    before, behind = generator.integers(*TUNING.standing, size=2)
    return whole.cut(max(int(moved[0]) - int(before), 0), min(int(moved[-1]) + int(behind), len(walk)))


def _body_speed(clip: Clip) -> Array:
    """Return the speed (F), m/s, of whichever of ankles and hips is fastest."""
    roles = [clip.skeleton.joint(role) for role in ("hips", "foot.L", "foot.R")]
    return np.linalg.norm(np.gradient(clip.positions[:, roles], axis=0), axis=-1).max(axis=1) * clip.rate


@dataclass(eq=False)
class TakeAssembly:
    """A take in progress: the motion assembled so far.

    Attributes:
        steps: frame ranges of synthesized steps on the spot.
    """

    motion: ContactClip
    steps: list[range] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.motion)

    def append(self, other: ContactClip, turn: float = 0.0, shift: tuple[float, float] = (0.0, 0.0)) -> int:
        """Append a clip, connected by synthesized steps on the spot; return its first frame in the take.

        Args:
            other: the clip.
            turn: angle by which the steps turn the character, rad.
            shift: displacement by the steps, right and ahead, m.
        """
        stance = StandingPose.of(self.motion.clip, -1)
        aside = out_of_frame(np.array(shift), np.array(stance.yaw))
        other = place_by_feet(other, 0, stance.feet_center + aside, stance.yaw + turn)
        stepped = synthesize_steps(stance, StandingPose.of(other.clip, 0))
        if stepped is not None:
            before = len(self.motion)
            self.motion = stitch(self.motion, stepped)
            self.steps.append(range(before, len(self.motion)))
        begins = len(self.motion)
        self.motion = stitch(self.motion, other)
        return begins

    def go_on(self, other: ContactClip) -> int:
        """Append a clip at the character's present place, without steps; return its first frame in the take."""
        stance = StandingPose.of(self.motion.clip, -1)
        begins = len(self.motion)
        self.motion = stitch(self.motion, place_by_feet(other, 0, stance.feet_center, stance.yaw))
        return begins

    def rest_on(self, other: ContactClip, frames: int) -> int:
        """Append a clip of a resting character, blended in over ``frames``; return its first frame in the take."""
        track, begins = root_track(self.motion.clip), len(self.motion)
        placed = place_clip(other.clip, 0, track.positions[-1], float(track.yaws[-1]))
        self.motion = stitch(self.motion, ContactClip(placed, other.contacts), frames)
        return begins

    def locked_clip(self, model: ControllerModel) -> Clip:
        """Return the motion with feet in contact locked to the ground, for the body of the controller ``model``."""
        standing = standing_clip(model)
        contacts = FootContacts(self.motion.contacts.astype(float))
        contacts = locked_contacts(self.motion.clip, contacts, standing=standing)
        return lock_feet(self.motion.clip, contacts, standing=standing)


def begin_turned(walk: ContactClip, generator: np.random.Generator) -> TakeAssembly:
    """Return a take that starts with a walk, usually after steps on the spot from a random facing.

    Walks begin in their own direction, but a goal can lie in any direction.
    """
    if generator.random() > TUNING.turned_start_share:
        return TakeAssembly(walk)
    made = TakeAssembly(walk.cut(0, TUNING.turned_start))
    made.append(walk, float(generator.uniform(-np.pi, np.pi)))
    return made


def assemble_approach(walk_library: WalkLibrary, generator: np.random.Generator) -> TakeAssembly:
    """Return a take that starts with a random walk from a random facing; some stop, turn and walk on."""
    made = begin_turned(trim_walk(walk_library.draw(generator), generator), generator)
    if generator.random() < TUNING.turn_on_spot_share:
        made.append(trim_walk(walk_library.draw(generator), generator), draw_turn_away(generator))
    return made


def draw_placement_error(generator: np.random.Generator) -> tuple[float, tuple[float, float]]:
    """Return the random yaw error, rad, and position error (right, ahead), m, with which a character arrives.

    Most errors are small.
    """
    far = generator.random() < TUNING.far_misplaced_share
    turn = float(generator.uniform(-np.pi, np.pi) if far else generator.normal(0.0, TUNING.facing_error))
    reach = TUNING.max_position_error if far else TUNING.max_position_error / 3
    right, ahead = (float(part) for part in generator.uniform(-reach, reach, 2))
    return turn, (right, ahead)


def draw_turn_away(generator: np.random.Generator) -> float:
    """Return a random turn away from an object, rad."""
    return float(generator.uniform(*TUNING.turn_away) * generator.choice([-1, 1]))


def with_rest_phase(walking_phase: Array, frames: tuple[int, int, int, int]) -> Array:
    """Return a phase (F), cycles, that fades from strides to 0 during an action and returns to strides after it.

    Args:
        walking_phase: (F) walking phase, cycles.
        frames: first and last frame of going down, then first and last frame of getting up.
    """
    phase = np.unwrap(walking_phase, period=1.0)
    down, settled, rises, up = (min(frame, len(walking_phase) - 1) for frame in frames)
    rises, up = max(rises, settled), max(up, rises, settled)
    end = np.ceil(phase[down] + 0.5)
    result = walking_phase.copy()
    result[down : settled + 1] = np.linspace(phase[down], end, settled + 1 - down)
    result[settled : rises + 1] = 0.0
    target = walking_phase[up] if walking_phase[up] >= 0.5 else walking_phase[up] + 1.0
    result[rises : up + 1] = np.linspace(0.0, target, up + 1 - rises)
    return result % 1.0
