"""Rig maps: which bone of an armature plays which role; read, saved, matched by name, and made into a skeleton."""

from .body import body_skeleton, mapped
from .file import load_rig_map, parse, save_rig_map, shipped
from .rig_map import Carrier, IkLimb, RigMap, Setting, Switch, bound, matches

__all__ = [
    "Carrier",
    "IkLimb",
    "RigMap",
    "Setting",
    "Switch",
    "body_skeleton",
    "bound",
    "load_rig_map",
    "mapped",
    "matches",
    "parse",
    "save_rig_map",
    "shipped",
]
