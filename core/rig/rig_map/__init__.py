"""Rig maps, which give an armature's bones by role: read, saved, matched by name, and converted to skeletons."""

from .body import body_skeleton, with_mapped_roles
from .file import load_rig_map, parse_rig_map, save_rig_map, shipped_rig_maps
from .rig_map import ControlSetting, IkFkSwitch, IkLimb, RigMap, TranslationBone, bind_rig_map, match_share

__all__ = [
    "ControlSetting",
    "IkFkSwitch",
    "IkLimb",
    "RigMap",
    "TranslationBone",
    "bind_rig_map",
    "body_skeleton",
    "load_rig_map",
    "match_share",
    "parse_rig_map",
    "save_rig_map",
    "shipped_rig_maps",
    "with_mapped_roles",
]
