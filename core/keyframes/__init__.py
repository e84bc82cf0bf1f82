"""Keyframe reduction: curves with few keys, which move no point of the body by more than a bound in meters."""
