"""Passes over a clip's poses that do not depend on the activity: depenetration, smoothing, ducking and gaze."""
