"""Body response: the free joints follow when an animator poses some joints.

The rotations of a body's parts are correlated: in a lean the head stays upright and an arm moves out. Their covariance
is learned from captured motion, and the response is the mean of the free parts given the posed ones (conditional
Gaussian; cf. the priors of style-based inverse kinematics, Grochow, Martin, Hertzmann and Popovic 2004).
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from ...errors import FootfallError
from ...jobs.atomic import write_atomically
from ...jobs.bounded_files import ContentError, read_arrays
from ...motion import Clip
from ...motion.kinematics import local_rotations
from ...motion.root_frame import into_frame, out_of_frame, root_track
from ...motion.rotations import Array, exp, mean_rotation, multiply, normalize, rotation_about_up, turns_between
from ...tuning import Tuning, tuned

TRUNK_ROLES: Final = ("hips", "spine", "chest", "neck", "head")
RESPONSE_ROLES: Final = (
    *TRUNK_ROLES,
    *(f"{part}.{side}" for side in "LR" for part in ("shoulder", "upper_arm", "forearm", "hand")),
)  # fmt: skip
"""Roles of the joints whose rotations respond; legs follow the positions of their feet instead."""


@dataclass(frozen=True, slots=True)
class BodyResponseTuning(Tuning):
    sway: float = tuned(0.5, "s", 0.0, 5.0)
    """Standard deviation of the Gaussian that removes steps from training motion, so that arm swing is not learned."""
    noise: float = tuned(0.15, "rad", 0.0, 1.0)
    """Standard deviation of noise assumed in each part's rotation, so that weak correlations cause no large responses.
    """
    sample_rate: float = tuned(10.0, "Hz", 1.0, 120.0)
    """Rate at which training motion is sampled, high enough once steps are removed."""


TUNING: Final = BodyResponseTuning()

BUNDLED_FILE: Final = Path(__file__).parents[3] / "presets" / "poses" / "body_response.npz"


@dataclass(frozen=True, slots=True, eq=False)
class BodyResponse:
    """A body's response to posed joints, from the covariance of its parts' rotations.

    Attributes:
        covariance: (3 P, 3 P) covariance of the rotation vectors of the P :data:`RESPONSE_ROLES` in the frame of the
            root, about their mean, radians squared.
    """

    covariance: Array

    @classmethod
    def load(cls, path: Path = BUNDLED_FILE) -> Self:
        """Return the response stored in a file.

        Raises:
            FootfallError: the file does not contain a response.
        """
        size = 3 * len(RESPONSE_ROLES)
        try:
            covariance = read_arrays(path, ("covariance",))["covariance"].astype(float)
            if covariance.shape != (size, size) or not np.isfinite(covariance).all():
                raise ContentError("the covariance in the file does not match the mean")
        except (OSError, ContentError, LookupError, ValueError) as error:
            raise FootfallError(
                "'{path}' contains no body response ({error}): make one with `python -m footfall learn-response`",
                path=path,
                error=error,
            ) from error
        return cls(covariance)

    def save(self, path: Path) -> None:
        """Write the response to a file that :meth:`load` reads."""
        packed = io.BytesIO()
        np.savez_compressed(packed, covariance=self.covariance)
        write_atomically(path, packed.getvalue())

    def answer(self, before: Clip, after: Clip, kept: NDArray[np.bool_]) -> Clip:
        """Return a posed body, one frame, whose free joints respond to the change of the kept joints.

        Args:
            before: the pose before the change, one frame.
            after: the pose after the animator has posed the kept joints, one frame.
            kept: (J) whether a joint keeps its posed rotation.
        """
        skeleton = after.skeleton
        roles = {role: skeleton.roles[role] for role in RESPONSE_ROLES if role in skeleton.roles}
        yaw = np.array(root_track(before).yaws[0])
        present, posed = before.world[1][0], after.world[1][0]
        turns = {
            role: into_frame(turns_between(posed[joint], present[joint]), yaw)
            for role, joint in roles.items()
            if kept[joint]
        }
        trunk = {role: turn for role, turn in turns.items() if role in TRUNK_ROLES}
        # An arm responds to trunk and head, but not to the other arm.
        answers = {
            role: self._mean_turn(role, turns if role in TRUNK_ROLES else trunk) for role in roles if role not in turns
        }
        # Free joints without a response follow their parents.
        rotations = posed.copy()
        for role, joint in sorted(roles.items(), key=lambda pair: pair[1]):
            if role in answers:
                rotations[joint] = multiply(exp(out_of_frame(answers[role], yaw)), present[joint])
        for joint, parent in enumerate(skeleton.parents):
            if joint not in roles.values() and not kept[joint] and parent >= 0:
                rotations[joint] = multiply(rotations[parent], after.rotations[0, joint])
        return replace(after, rotations=normalize(local_rotations(skeleton, rotations[None])))

    def _mean_turn(self, role: str, turns: Mapping[str, Array]) -> Array:
        """Return the mean rotation vector (3) of a free part, radians, given those of the posed parts."""
        if not turns:
            return np.zeros(3)
        posed, given = _rows(turns), np.concatenate(list(turns.values()))
        own = self.covariance[np.ix_(posed, posed)] + TUNING.noise**2 * np.eye(len(given))
        return self.covariance[np.ix_(_rows([role]), posed)] @ np.linalg.solve(own, given)


def _rows(roles: Iterable[str]) -> NDArray[np.intp]:
    """Return the rows of the covariance that belong to some parts."""
    parts = np.array([RESPONSE_ROLES.index(role) for role in roles])
    return (3 * parts[:, None] + np.arange(3)).ravel()


def pose_variation(clip: Clip) -> Array:
    """Return the rotation vectors (F, 3 P) of P :data:`RESPONSE_ROLES` about their mean, radians, without steps.

    They describe world rotations in the frame of the root, and do not depend on the bones' axes.

    Args:
        clip: captured motion with all these roles.

    Raises:
        FootfallError: a role is missing.
    """
    clip.skeleton.require_roles(RESPONSE_ROLES)
    yaws = root_track(clip).yaws
    columns = []
    for role in RESPONSE_ROLES:
        world = clip.world[1][:, clip.skeleton.joint(role)]
        in_root = multiply(rotation_about_up(-yaws), world)
        mean = mean_rotation(in_root)
        vectors = turns_between(in_root, np.broadcast_to(mean, in_root.shape))
        columns.append(scipy.ndimage.gaussian_filter1d(vectors, TUNING.sway * clip.rate, axis=0, mode="nearest"))
    return np.concatenate(columns, axis=1)


def learn_response(clips: Sequence[Clip]) -> BodyResponse:
    """Return a body response learned from clips, with the covariance of the rotations of the body's parts.

    Args:
        clips: captured motion; each clip varies about its own mean.

    Raises:
        FootfallError: there is no clip, or a clip lacks a part.
    """
    if not clips:
        raise FootfallError("There is no clip to learn from: name at least one clip")
    return BodyResponse(np.sum([_scatter(clip) for clip in clips], axis=0) / sum(map(len, clips)))


def _scatter(clip: Clip) -> Array:
    """Return the sum of products (3 P, 3 P) of a clip's rotation vectors."""
    variation = pose_variation(clip)
    return variation.T @ variation
