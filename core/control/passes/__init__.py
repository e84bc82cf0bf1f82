"""Passes over the poses of a clip that know no activity: depenetration, smoothing, ducking, gaze."""
