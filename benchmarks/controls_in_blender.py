"""Script for Blender's Python: bakes a clip to every scripted rig and prints the results as a JSON list.

Arguments: a BVH file, its number of frames to use, and the number of measurements.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import bpy
import numpy as np

from footfall.benchmarks.scripted_rigs import RIGS
from footfall.benchmarks.scripted_rigs.measuring import assign, body_of, errors, in_hips, map_of
from footfall.blender_addon.animation.controls import solve_control_tracks
from footfall.blender_addon.animation.controls.control import plan_controls
from footfall.blender_addon.animation.controls.goals import ControlTargets
from footfall.blender_addon.animation.controls.poles import measure_bend, twist_angle
from footfall.blender_addon.animation.fcurve_io import read_rig
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.retarget import retarget
from footfall.core.rig.rig_map import RigMap

RATE = 30.0
EVERY = 10
"""Interval of the evaluated frames."""
BENT = 0.02


def measure(path: str, frames: int, passes: int) -> list[dict[str, Any]]:
    """Return one entry for every rig and limb mode."""
    source = read_bvh(path)
    result: list[dict[str, Any]] = []
    for name, make in RIGS.items():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        armature = make()
        rig_map = map_of(armature, name)
        clip = retarget(source, calibrate(source.skeleton, body_of(armature, rig_map))).resampled(RATE)
        clip = clip.cut(0, min(frames, len(clip)))
        for limbs in ("FK", "IK") if rig_map.ik else ("FK",):
            made = solve_control_tracks(armature, rig_map, clip, limbs, in_hips(clip))
            seconds = best(lambda: solve_control_tracks(armature, rig_map, clip, limbs, in_hips(clip)), passes)  # noqa: B023
            bound = best(lambda: assign(armature, made.tracks, len(clip)), passes)  # noqa: B023
            off = errors(armature, clip, range(0, len(clip), EVERY))
            result.append(
                {
                    "rig": name,
                    "limbs": limbs,
                    "bones": len(armature.pose.bones),
                    "frames": len(clip),
                    "seconds": seconds + bound,
                    "keys": bound,
                    "updates": made.evaluation_count,
                    "all": off.place(),
                    "trunk": off.place("hips", "spine", "spine_2", "spine_3", "neck", "head", "thigh", "upper_arm"),
                    "ends": off.place("foot", "toe", "hand"),
                    "ends_turn": off.turn("foot", "hand"),
                    "knees": off.place("shin", "forearm"),
                    "plane": planes(armature, rig_map, clip) if limbs == "IK" else None,
                    "warnings": list(made.warnings),
                }
            )
    return result


def best(action: Callable[[], object], passes: int) -> float:
    """Return the seconds of the fastest of several passes."""
    seconds: list[float] = []
    for _ in range(passes):
        start = perf_counter()
        action()
        seconds.append(perf_counter() - start)
    return min(seconds)


def planes(armature: bpy.types.Object, rig_map: RigMap, clip: Clip) -> float:
    """Return the largest angle, degrees, between the bend planes of the rig's limbs and the clip's, for bent limbs."""
    goals, worst = ControlTargets(read_rig(armature), clip), 0.0
    for pole in plan_controls(rig_map, clip.skeleton.roles, "IK").poles:
        bend = measure_bend(goals, pole)
        for frame in range(0, len(clip), EVERY):
            if bend.bend_ratio[frame] < BENT:
                continue
            bpy.context.scene.frame_set(1 + frame)
            posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
            first, knee = (
                goals.rig.to_world(np.array(posed[goals.bone(role)].head)) for role in (pole.upper, pole.middle)
            )
            worst = max(worst, float(np.degrees(np.abs(twist_angle(bend, [frame], first, knee)[0]))))
    return worst


print(json.dumps(measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))), flush=True)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
