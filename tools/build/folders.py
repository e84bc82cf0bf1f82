"""Folders of a checkout, and of the data beside it."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENVS = ROOT / ".venvs"
WHEEL_CACHE = ROOT / ".cache" / "wheels"
DIST = ROOT / "dist"
SHARED = Path(os.environ.get("FOOTFALL_SHARED") or ROOT.parent / "shared")
"""Clips, objects and tools that real data needs; FOOTFALL_SHARED names another folder than the one beside this."""
HIDDEN = os.devnull
"""FOOTFALL_SHARED where tests are to find no shared data."""


def is_shared_hidden() -> bool:
    """Return whether the environment hides the shared data, as on a machine that has none."""
    return os.environ.get("FOOTFALL_SHARED") == HIDDEN
