"""How well somebody does what they do among things: how deep they are inside them, and how their feet slide."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.refine.collision_mask import HANDLING_ROLES
from ..core.control.refine.interaction_refinement import RefinedInteraction
from ..core.features.interaction import CONTACTS
from ..core.labelling.contacts.sensor_tracks import tracks_of
from ..core.labelling.presets import BIPED
from ..core.motion import Clip
from ..core.motion.roles import JOINTS
from ..core.motion.rotations import Array
from ..core.scene.body_capsules import BodyCapsules
from ..core.scene.interaction_object import animated_collider


def depths(performed: RefinedInteraction, play: InteractionSequencer) -> Array:
    """How deep a body is inside each thing (F, T) at most, metres; hands that hold something are not counted there."""
    clip, body = performed.clip, BodyCapsules.from_skeleton(performed.clip.skeleton)
    found = np.zeros((len(clip), len(play.objects)))
    handled = np.array([role.partition(".")[0] in HANDLING_ROLES for role in body.roles])
    for number in range(len(play.objects)):
        placed = animated_collider([now[number] for now in performed.objects])
        inside = body.bone_penetrations(clip, placed)
        held = _held(play, number, len(clip))
        inside[held[:, None] & handled] = 0.0
        found[:, number] = inside.max(axis=1)
    return found


def _held(play: InteractionSequencer, number: int, count: int) -> NDArray[np.bool_]:
    """Whether (F) a thing is, or is about to be, in somebody's hands."""
    frames = np.zeros(count, dtype=bool)
    margin = round(play.model.rate)
    for index, errand in enumerate(play.tasks):
        if errand.object_index != number or errand.action not in ("carry", "open"):
            continue
        about = [event.frame for event in play.events if event.task_index == index and event.kind != "began"]
        began = [event.frame for event in play.events if event.task_index == index and event.kind == "began"]
        if errand.action == "open" and began:
            about += [began[0], count]
        if about:
            frames[max(min(about) - margin, 0) : max(about) + margin] = True
    return frames


def skate(performed: RefinedInteraction, standing: Clip | None = None) -> Array:
    """How fast (N) feet slide that are held, metres a second, one number for each frame and contact."""
    clip = performed.clip
    points = tracks_of(clip, BIPED, standing)
    speed = np.linalg.norm(np.diff(points[..., :2], axis=0), axis=-1) * clip.rate
    held = performed.contacts[:, [CONTACTS.index(joint) for joint in JOINTS]] > 0.5
    return speed[held[1:] & held[:-1]]


def cut(performed: RefinedInteraction, start: int, stop: int) -> RefinedInteraction:
    """A part of what was performed."""
    return replace(
        performed,
        clip=performed.clip.cut(start, stop),
        objects=performed.objects[start:stop],
        contacts=performed.contacts[start:stop],
        actions=performed.actions[start:stop],
        phase=performed.phase[start:stop],
    )
