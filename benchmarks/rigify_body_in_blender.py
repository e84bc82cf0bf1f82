"""Script for Blender's Python: prints the body of a generated Rigify rig as JSON."""
# pyright: reportMissingImports=false

import json
from dataclasses import asdict
from typing import Any

import bpy
import numpy as np

from footfall.benchmarks.scripted_rigs.generated import rigify
from footfall.benchmarks.scripted_rigs.measuring import body_of, map_of


def plain(value: Any) -> Any:
    """Return an array as a list, and anything else as it is."""
    return value.tolist() if isinstance(value, np.ndarray) else value


bpy.ops.wm.read_factory_settings(use_empty=True)
rig = rigify()
print(json.dumps({name: plain(value) for name, value in asdict(body_of(rig, map_of(rig, "rigify"))).items()}))
