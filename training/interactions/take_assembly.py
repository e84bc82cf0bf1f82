"""Takes put together of stretches, each where the one before has ended; between them somebody steps about."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.control.feet.foot_lock import lock_feet, locked_contacts
from ...core.control.runtime.pose_decoder import standing_clip
from ...core.labelling import label_clip
from ...core.models.model_file import ControllerModel
from ...core.motion import Clip
from ...core.motion.root_frame import out_of_frame
from ...core.motion.rotations import Array
from .clip_stitching import ContactClip, stitch
from .step_synthesis import StandingPose, place_by_feet, synthesize_steps
from .walk_library import WalkLibrary

STANDING_SPEED_M_S: Final = 0.2
"""Metres a second below which hips and ankles are of somebody who stands."""
TURN_AWAY_RAD: Final = (1.4, np.pi)
"""Radians by which who is done somewhere turns away from it."""
TURN_ON_SPOT_SHARE: Final = 0.3
"""Share of those who turn on the spot before they come."""
FAR_MISPLACED_SHARE: Final = 0.4
"""Share of those who stand anyhow near to what they have come for."""
FACING_ERROR_RAD: Final = 0.3
"""Radians by which others do not face it (deviation)."""
MAX_POSITION_ERROR_M: Final = 0.45
"""Metres by which they stand beside where they should, at most."""
STANDING_FRAMES: Final = (4, 40)
"""Frames that somebody stands before a walk, and behind it."""


def trim_walk(walk: Clip, generator: np.random.Generator) -> ContactClip:
    """Return a walk from standing to standing as a stretch, its feet labelled: not all of the standing is kept."""
    whole = ContactClip(walk, label_clip(walk).foot_contacts.held)
    moved = np.flatnonzero(~whole.contacts.any(axis=1) | (_body_speed(walk) > STANDING_SPEED_M_S))
    before, behind = generator.integers(*STANDING_FRAMES, size=2)
    return whole.cut(max(int(moved[0]) - int(before), 0), min(int(moved[-1]) + int(behind), len(walk)))


def _body_speed(clip: Clip) -> Array:
    """(F) of the fastest ankle or of the root, m/s."""
    roles = [clip.skeleton.joint(role) for role in ("hips", "foot.L", "foot.R")]
    return np.linalg.norm(np.gradient(clip.positions[:, roles], axis=0), axis=-1).max(axis=1) * clip.rate


@dataclass(eq=False)
class TakeAssembly:
    """What has been put together so far.

    Attributes:
        whole: the motion.
    """

    motion: ContactClip

    def __len__(self) -> int:
        return len(self.motion)

    def append(self, other: ContactClip, turn: float = 0.0, shift: tuple[float, float] = (0.0, 0.0)) -> int:
        """Goes on with another stretch, by steps on the spot that turn by ``turn`` radians and go a little to the right
        and ahead, metres; returns the frame at which it begins.
        """
        stance = StandingPose.of(self.motion.clip, -1)
        aside = out_of_frame(np.array(shift), np.array(stance.yaw))
        other = place_by_feet(other, 0, stance.feet_center + aside, stance.yaw + turn)
        stepped = synthesize_steps(stance, StandingPose.of(other.clip, 0))
        if stepped is not None:
            self.motion = stitch(self.motion, stepped)
        begins = len(self.motion)
        self.motion = stitch(self.motion, other)
        return begins

    def locked_clip(self, model: ControllerModel) -> Clip:
        """Return the motion, its feet where they stand."""
        standing = standing_clip(model)
        contacts = locked_contacts(self.motion.clip, self.motion.contacts.astype(float), standing=standing)
        return lock_feet(self.motion.clip, contacts, standing=standing)


def assemble_approach(walk_library: WalkLibrary, generator: np.random.Generator) -> TakeAssembly:
    """Somebody walks; some of them stop on their way, turn on the spot and walk on."""
    made = TakeAssembly(trim_walk(walk_library.draw(generator), generator))
    if generator.random() < TURN_ON_SPOT_SHARE:
        made.append(trim_walk(walk_library.draw(generator), generator), draw_turn_away(generator))
    return made


def draw_placement_error(generator: np.random.Generator) -> tuple[float, tuple[float, float]]:
    """How somebody stands amiss who has come to do something: what they turn by, radians, and step aside and ahead, in
    metres, until they stand right. Most stand nearly right.
    """
    far = generator.random() < FAR_MISPLACED_SHARE
    turn = float(generator.uniform(-np.pi, np.pi) if far else generator.normal(0.0, FACING_ERROR_RAD))
    reach = MAX_POSITION_ERROR_M if far else MAX_POSITION_ERROR_M / 3
    right, ahead = (float(part) for part in generator.uniform(-reach, reach, 2))
    return turn, (right, ahead)


def draw_turn_away(generator: np.random.Generator) -> float:
    """Radians by which somebody turns away from where they stand."""
    return float(generator.uniform(*TURN_AWAY_RAD) * generator.choice([-1, 1]))


def with_acyclic_phase(phase: Array, start: int, stop: int) -> Array:
    """Return a phase (F) of strides that, from one frame to another, goes once through what does not repeat."""
    result = phase.copy()
    last = min(stop, len(phase) - 1)
    end = phase[last] + np.ceil(phase[start] + 0.5 - phase[last])
    result[start : last + 1] = np.linspace(phase[start], end, last + 1 - start)
    return result % 1.0
