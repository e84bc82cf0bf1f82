"""Data sets, torch networks and the trainer; runs in a Python of its own, never inside Blender."""

import os

# Before torch is imported: its threads have to sleep while they wait for each other. By default they spin; if another
# program such as Blender then needs a core, training becomes ten times slower instead of two times.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
