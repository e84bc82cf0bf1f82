"""Takes put together of stretches, each where the one before has ended; between them somebody steps about."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.control.feet.foot_lock import lock_feet, locked_contacts
from ...core.control.runtime.pose_decoder import standing_clip
from ...core.labelling import label_clip
from ...core.models.model_file import ControllerModel
from ...core.motion import Clip
from ...core.motion.roles import JOINTS
from ...core.motion.root_frame import out_of_frame
from ...core.motion.rotations import Array
from .clip_stitching import Stretch, after
from .step_synthesis import Stance, steps, stood
from .walk_library import Strolls

STILL: Final = 0.2
"""Metres a second below which hips and ankles are of somebody who stands."""
AROUND: Final = (1.4, np.pi)
"""Radians by which who is done somewhere turns away from it."""
TURNS: Final = 0.3
"""Share of those who turn on the spot before they come."""
AMISS: Final = 0.4
"""Share of those who stand anyhow near to what they have come for."""
FACING: Final = 0.3
"""Radians by which others do not face it (deviation)."""
BESIDE: Final = 0.45
"""Metres by which they stand beside where they should, at most."""
STANDS: Final = (4, 40)
"""Frames that somebody stands before a walk, and behind it."""


def stretch_of(walk: Clip, generator: np.random.Generator) -> Stretch:
    """A walk from standing to standing as a stretch, its feet labelled: not all of the standing is kept."""
    whole = Stretch(walk, label_clip(walk).contacts_of(JOINTS) > 0.5)
    moved = np.flatnonzero(~whole.held.any(axis=1) | (_speed(walk) > STILL))
    before, behind = generator.integers(*STANDS, size=2)
    return whole.cut(max(int(moved[0]) - int(before), 0), min(int(moved[-1]) + int(behind), len(walk)))


def _speed(clip: Clip) -> Array:
    """(F) of the fastest ankle or of the root, m/s."""
    roles = [clip.skeleton.role(role) for role in ("hips", "foot.L", "foot.R")]
    return np.linalg.norm(np.gradient(clip.positions[:, roles], axis=0), axis=-1).max(axis=1) * clip.rate


@dataclass(eq=False)
class Composition:
    """What has been put together so far.

    Attributes:
        whole: the motion.
    """

    whole: Stretch

    def __len__(self) -> int:
        return len(self.whole)

    def then(self, other: Stretch, turn: float = 0.0, shift: tuple[float, float] = (0.0, 0.0)) -> int:
        """Goes on with another stretch, by steps on the spot that turn by ``turn`` radians and go a little to the right
        and ahead, metres; returns the frame at which it begins.
        """
        stance = Stance.of(self.whole.clip, -1)
        aside = out_of_frame(np.array(shift), np.array(stance.yaw))
        other = stood(other, 0, stance.middle + aside, stance.yaw + turn)
        stepped = steps(stance, Stance.of(other.clip, 0))
        if stepped is not None:
            self.whole = after(self.whole, stepped)
        begins = len(self.whole)
        self.whole = after(self.whole, other)
        return begins

    def held(self, model: ControllerModel) -> Clip:
        """The motion, its feet where they stand."""
        standing = standing_clip(model)
        contacts = locked_contacts(self.whole.clip, self.whole.held.astype(float), standing=standing)
        return lock_feet(self.whole.clip, contacts, standing=standing)


def approach(strolls: Strolls, generator: np.random.Generator) -> Composition:
    """Somebody walks; some of them stop on their way, turn on the spot and walk on."""
    made = Composition(stretch_of(strolls.draw(generator), generator))
    if generator.random() < TURNS:
        made.then(stretch_of(strolls.draw(generator), generator), around(generator))
    return made


def amiss(generator: np.random.Generator) -> tuple[float, tuple[float, float]]:
    """How somebody stands amiss who has come to do something: what they turn by, radians, and step aside and ahead, in
    metres, until they stand right. Most stand nearly right.
    """
    far = generator.random() < AMISS
    turn = float(generator.uniform(-np.pi, np.pi) if far else generator.normal(0.0, FACING))
    reach = BESIDE if far else BESIDE / 3
    right, ahead = (float(part) for part in generator.uniform(-reach, reach, 2))
    return turn, (right, ahead)


def around(generator: np.random.Generator) -> float:
    """Radians by which somebody turns away from where they stand."""
    return float(generator.uniform(*AROUND) * generator.choice([-1, 1]))


def acyclic(phase: Array, start: int, stop: int) -> Array:
    """A phase (F) of strides that, from one frame to another, goes once through what does not repeat."""
    result = phase.copy()
    last = min(stop, len(phase) - 1)
    end = phase[last] + np.ceil(phase[start] + 0.5 - phase[last])
    result[start : last + 1] = np.linspace(phase[start], end, last + 1 - start)
    return result % 1.0
