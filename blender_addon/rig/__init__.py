"""The rig map of an armature: detection, presets, validation, and reading clips through it."""
