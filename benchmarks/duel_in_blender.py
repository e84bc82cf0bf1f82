"""Script for Blender's Python: bakes a duel with keys, and again after a change of its last beat; prints JSON.

``frames`` counts those of one character; ``seconds`` is the time of the bake, ``again`` of the update, and ``slice`` of
the update's longest slice without control for Blender's windows, before it writes keys; all are CPU times of the
process.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
from time import process_time

import bpy

import footfall
from footfall.benchmarks.duels import PLACES_M, beats_of
from footfall.blender_addon.activities.interaction.properties import EFFECTOR_ROLES
from footfall.blender_addon.activities.shot.operators import SLICE_FRAMES, shot_bake
from footfall.core.features.locomotion import FEATURE_RATE_HZ


def add_duel() -> list[bpy.types.Object]:
    """Add two characters with the beats of the first duel; return the characters."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    footfall.register()
    scene, pair = bpy.context.scene, []
    scene.render.fps = round(FEATURE_RATE_HZ)
    for place in PLACES_M:
        bpy.ops.footfall.add_character()
        bpy.context.object.location = (*place, 0.0)
        pair.append(bpy.context.object)
    bpy.context.view_layer.update()
    characters = dict(zip("AB", pair, strict=True))
    effectors = {role: item for item, role in EFFECTOR_ROLES.items()}
    for one in beats_of(0):
        beat = characters[one.striker].footfall.interaction_tasks.add()
        beat.type, beat.partner, beat.has_end, beat.end_frame = "fight", characters[one.receiver], True, one.frame
        beat.part, beat.effector, beat.side, beat.answer = one.part, effectors[one.effector], one.side, one.answer
    return pair


def timed_bake(again: bool) -> float:
    """Return the seconds of a bake, or of an update."""
    start = process_time()
    (bpy.ops.footfall.update_bake if again else bpy.ops.footfall.bake_shot)()
    return process_time() - start


def longest_slice() -> float:
    """Return the longest time between two steps of the work, seconds."""
    longest, last = 0.0, process_time()
    bake = shot_bake(bpy.context.object, bpy.context, again=True)
    while bake.advance(SLICE_FRAMES):
        now = process_time()
        longest, last = max(longest, now - last), now
    return longest


def measured() -> dict[str, float]:
    """Return the numbers."""
    pair = add_duel()
    seconds = timed_bake(again=False)
    first, last = pair[0].animation_data.action.frame_range
    beats = pair[0].footfall.interaction_tasks
    beats[-1].answer = "dodge" if beats[-1].answer != "dodge" else "hit"
    again = timed_bake(again=True)
    beats[-1].part = "head" if beats[-1].part != "head" else "chest"
    return {"frames": round(last - first) + 1, "seconds": seconds, "again": again, "slice": longest_slice()}


print(json.dumps(measured()), flush=True)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
