"""Data sets, torch networks and the trainer; runs in a Python of its own, never inside Blender."""

import os

# Before torch is imported: its threads shall sleep while they wait for each other. If they spin, as they do by default,
# and another program (Blender, say) needs a core, training becomes ten times slower, not half as fast.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
