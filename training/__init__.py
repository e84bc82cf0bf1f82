"""Data sets, torch networks and the trainer; runs in its own Python, never inside Blender."""

import os

# Before the import of torch: its waiting threads have to sleep. By default they spin; if another program such as
# Blender then needs a core, training becomes ten times slower instead of two times.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
