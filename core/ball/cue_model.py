"""The cue model: regressions that predict a ball from the motion of the hands, learned from captured balls."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..jobs.atomic import write_atomically
from ..jobs.bounded_files import ContentError, read_arrays
from ..motion.rotations import Array
from .cues import contact_cues, double_hold_cues, single_hold_cues, velocity_cues
from .hands import HandMotion
from .kernel_regression import KernelRegression

MASKS: Final = ((True, False), (False, True), (True, True))
"""The possible grasps: true for each hand, left and right, that touches the ball."""
SHIPPED_MODEL: Final = Path(__file__).parents[2] / "presets" / "ball" / "basketball.npz"
"""The shipped model; its ``sources`` names the clips it was learned from."""
_REGRESSIONS: Final = ("contact", "single", "double", "catch", "release")
LOG_ODDS_SLOPE: Final = 2.5
"""Log-odds of a contact per unit of the regression's output, which is fitted to -1 and 1."""


@dataclass(frozen=True, slots=True, eq=False)
class BallEvidence:
    """Evidence of a ball, from the motion of the hands, at each frame; lengths are scaled to an adult body.

    Attributes:
        log_odds: (F, 2) log-odds that the left and the right hand touch the ball.
        centers: (F, 3, 3) expected ball centers, world, for each choice of holding hands in :data:`MASKS`.
        caught: (F, 3, 3) expected ball velocities, world, if these hands catch it at the frame.
        released: (F, 3, 3) expected ball velocities, world, if these hands release it at the frame.
    """

    log_odds: Array
    centers: Array
    caught: Array
    released: Array


@dataclass(frozen=True, slots=True, eq=False)
class CueModel:
    """Regressions from the cues of :mod:`.cues` to contacts, positions and velocities of a ball.

    Attributes:
        contact: whether a hand touches the ball, from -1 (free) to 1 (touching).
        single: ball center in the hand's frame if only this hand touches the ball.
        double: ball center in the hand's frame if both hands touch the ball.
        catch: velocity of a caught ball in the trunk's frame.
        release: velocity of a released ball in the trunk's frame.
        radius: radius of the balls in the training clips, meters scaled to an adult.
        sources: names of the training clips, and their license.
    """

    contact: KernelRegression
    single: KernelRegression
    double: KernelRegression
    catch: KernelRegression
    release: KernelRegression
    radius: float
    sources: str

    def evidence(self, hands: HandMotion, radius: float) -> BallEvidence:
        """Predict contacts, positions and velocities of a ball from the motion of the hands.

        Args:
            hands: the motion of the hands.
            radius: radius of the ball, meters scaled to an adult.
        """
        frames = len(hands)
        odds = self.contact.predict(contact_cues(hands).reshape(2 * frames, -1)).reshape(frames, 2)
        bigger = np.array([0.0, radius - self.radius, 0.0])
        single = self._centers(hands, self.single, single_hold_cues(hands), bigger)
        double = self._centers(hands, self.double, double_hold_cues(hands), bigger).mean(axis=1)
        return BallEvidence(
            LOG_ODDS_SLOPE * odds,
            np.stack([single[:, 0], single[:, 1], double], axis=1),
            np.stack([_velocity(hands, self.catch, mask) for mask in MASKS], axis=1),
            np.stack([_velocity(hands, self.release, mask) for mask in MASKS], axis=1),
        )

    def save(self, path: Path) -> None:
        """Write the model to a file; raise ``OSError`` if the folder is missing or not writable."""
        stream = io.BytesIO()
        arrays = {}
        for name in _REGRESSIONS:
            arrays |= getattr(self, name).arrays(name)
        np.savez_compressed(stream, radius=self.radius, sources=self.sources, **arrays)
        write_atomically(path, stream.getvalue())

    @staticmethod
    def _centers(hands: HandMotion, regression: KernelRegression, cues: Array, bigger: Array) -> Array:
        """Return the ball's centers (F, 2, 3) that a regression predicts from each hand's cues."""
        offsets = regression.predict(cues.reshape(2 * len(hands), -1)).reshape(len(hands), 2, 3)
        return hands.wrists + hands.out_of_hands(offsets + bigger)


@cache
def load_cue_model(path: Path = SHIPPED_MODEL) -> CueModel:
    """Read a cue model from a file written by :meth:`CueModel.save`.

    Raises:
        FootfallError: the file is not a cue model.
        OSError: the file cannot be read.
    """
    try:
        arrays = read_arrays(path)
        regressions = {name: KernelRegression.of_arrays(arrays, name) for name in _REGRESSIONS}
        return CueModel(**regressions, radius=float(arrays["radius"]), sources=str(arrays["sources"]))
    except (ContentError, KeyError, ValueError, TypeError) as error:
        raise FootfallError(
            "'{path}' is not a model of ball play: make one with python -m footfall learn-ball", path=path
        ) from error


def _velocity(hands: HandMotion, regression: KernelRegression, mask: Sequence[bool]) -> Array:
    """Return the ball's velocities (F, 3), world, that a regression predicts for the hands in ``mask``."""
    cues = velocity_cues(hands, mask).reshape(len(hands), -1)
    return np.einsum("fij,fi->fj", hands.trunk, regression.predict(cues))
