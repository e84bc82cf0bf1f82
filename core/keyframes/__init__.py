"""Keyframe reduction: curves with few keys whose error stays within a bound in meters."""
