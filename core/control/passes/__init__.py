"""Passes over the poses of a clip, independent of the activity: depenetration, smoothing, ducking, gaze."""
