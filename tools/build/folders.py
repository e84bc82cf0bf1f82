"""Folders of a checkout, and of its data."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENVS = ROOT / ".venvs"
WHEEL_CACHE = ROOT / ".cache" / "wheels"
DIST = ROOT / "dist"
SHARED = Path(os.environ.get("FOOTFALL_SHARED") or ROOT.parent / "shared")
"""Clips, objects and tools for real data; FOOTFALL_SHARED names another folder than the one beside this."""
HIDDEN = os.devnull
"""Value of FOOTFALL_SHARED that hides the shared data from tests."""


def is_shared_hidden() -> bool:
    """Return whether the environment hides the shared data, as on a machine without it."""
    return os.environ.get("FOOTFALL_SHARED") == HIDDEN
