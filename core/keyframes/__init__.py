"""Keyframe reduction: curves with few keys and a bounded error in meters."""
