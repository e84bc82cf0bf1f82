"""Takes in which both palms are moved onto an object: times of contact, and penetration of the body."""

from dataclasses import dataclass

import numpy as np

from ...core.motion import Clip
from ...core.motion.blending import smooth_falloff
from ...core.motion.rotations import Array
from ...core.scene.body_capsules import BodyCapsules
from ...core.scene.collider_pose import AnimatedCollider
from .take import TakeObject


@dataclass(frozen=True, slots=True)
class PalmFrames:
    """Frames of a take at which palms start to reach for an object, touch it, leave it, and are withdrawn."""

    reach_start: int
    grasp: int
    release: int
    reach_end: int

    def weights(self, count: int, reach_frames: int, margin: int = 0) -> Array:
        """Return the weights (F) with which palms are held on the object: 1 in contact, fading to 0 around it.

        Args:
            count: number F of frames.
            reach_frames: frames in which the palms approach, and in which they withdraw.
            margin: frames by which the contact is extended at both ends.
        """
        away = np.maximum(self.grasp - np.arange(count), np.arange(count) - self.release) - margin
        return smooth_falloff(np.clip(away / reach_frames, 0.0, 1.0))

    def shares(self, count: int) -> Array:
        """Return the weights (F), 0 to 1, of the action, which rise during the reach and fall during the withdrawal."""
        events = [self.reach_start, self.grasp, self.release, self.reach_end]
        return np.interp(np.arange(count), events, [0.0, 1.0, 1.0, 0.0])

    def contacts(self, count: int) -> Array:
        """Return the contacts (F, 5) of hips, hands and feet in a take in which only the palms touch the object."""
        contacts = np.zeros((count, 5))
        contacts[self.grasp : self.release + 1, 1:3] = 1.0
        return contacts


def body_penetration(clip: Clip, touched: TakeObject) -> float:
    """Return the largest depth, m, of a body, without hands and forearms, in the object that it touches."""
    body = BodyCapsules.from_skeleton(clip.skeleton)
    spheres = np.setdiff1d(np.arange(len(body.radii)), body.sphere_indices(("hand", "forearm")))
    moving = AnimatedCollider(touched.collider, touched.positions, touched.rotations)
    return float(body.sphere_penetrations(clip, moving, spheres).max())
