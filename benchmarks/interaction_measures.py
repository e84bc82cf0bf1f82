"""Quality of interactions among objects: penetration of the body into them, and foot skate."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.refine.collision_mask import HANDLING_ROLES
from ..core.control.refine.interaction_refinement import RefinedInteraction
from ..core.features.interaction import CONTACT_JOINTS
from ..core.labelling.contacts.sensor_tracks import sensor_tracks
from ..core.labelling.presets import BIPED_PRESET
from ..core.motion import Clip
from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.roles import FOOT_CONTACTS
from ..core.motion.rotations import Array
from ..core.scene.body_capsules import BodyCapsules
from ..core.scene.interaction_object import animated_collider
from ..core.scene.object_fitting import palm_positions


def penetration_depths(refined: RefinedInteraction, sequencer: InteractionSequencer) -> Array:
    """Return the largest depth of a body inside each object (F, T), meters.

    Hands that hold an object are ignored for that object.
    """
    clip, body = refined.clip, BodyCapsules.from_skeleton(refined.clip.skeleton)
    found = np.zeros((len(clip), len(sequencer.objects)))
    handled = np.array([role.partition(".")[0] in HANDLING_ROLES for role in body.roles])
    for number in range(len(sequencer.objects)):
        placed = animated_collider([now[number] for now in refined.objects])
        inside = body.bone_penetrations(clip, placed)
        held = _handled_frames(sequencer, number, len(clip))
        inside[held[:, None] & handled] = 0.0
        found[:, number] = inside.max(axis=1)
    return found


def _handled_frames(sequencer: InteractionSequencer, object_index: int, frame_count: int) -> NDArray[np.bool_]:
    """Return whether (F) an object is, or is soon, held in a hand."""
    frames = np.zeros(frame_count, dtype=bool)
    margin = round(sequencer.model.rate)
    for index, errand in enumerate(sequencer.tasks):
        if errand.object_index != object_index or errand.action not in ("carry", "open", "push", "lean"):
            continue
        about = [event.frame for event in sequencer.events if event.task_index == index and event.kind != "began"]
        began = [event.frame for event in sequencer.events if event.task_index == index and event.kind == "began"]
        if errand.action == "open" and began:
            about += [began[0], frame_count]
        if about:
            frames[max(min(about) - margin, 0) : max(about) + margin] = True
    return frames


def palm_gaps(refined: RefinedInteraction, object_index: int, start: int, stop: int) -> Array:
    """Return the gaps (N, 2), meters, of both palms' middles from the surface of a held object in a frame range.

    A palm inside counts with its depth.
    """
    placed = animated_collider([now[object_index] for now in refined.objects])
    gaps = []
    for track in palm_positions(refined.clip):
        local = placed.to_local(track)[start:stop]
        gaps.append(np.maximum(placed.collider.distances(local), placed.collider.penetration_depths(local)))
    return np.stack(gaps, axis=-1)


def arm_depth(refined: RefinedInteraction, object_index: int, stop: int) -> float:
    """Return the largest depth of hands and forearms inside an object before a frame, meters."""
    body = BodyCapsules.from_skeleton(refined.clip.skeleton)
    arms = [number for number, role in enumerate(body.roles) if role.partition(".")[0] in HANDLING_ROLES]
    placed = animated_collider([now[object_index] for now in refined.objects])
    return float(body.bone_penetrations(refined.clip, placed)[:stop, arms].max(initial=0.0))


def skate_speeds(refined: RefinedInteraction, level_ground_clip: Clip | None = None) -> Array:
    """Return the speeds (N) of locked feet, m/s, one number per frame and contact."""
    clip = refined.clip
    points = sensor_tracks(clip, BIPED_PRESET, level_ground_clip)
    speed = np.linalg.norm(np.diff(points[..., :2], axis=0), axis=-1) * clip.rate
    held = refined.contacts[:, [CONTACT_JOINTS.index(joint) for joint in FOOT_CONTACTS]] > CONTACT_THRESHOLD
    return speed[held[1:] & held[:-1]]


def cut_interaction(refined: RefinedInteraction, start: int, stop: int) -> RefinedInteraction:
    """Return a range of frames of a refined interaction."""
    return replace(
        refined,
        clip=refined.clip.cut(start, stop),
        objects=refined.objects[start:stop],
        contacts=refined.contacts[start:stop],
        actions=refined.actions[start:stop],
        phase=refined.phase[start:stop],
    )
