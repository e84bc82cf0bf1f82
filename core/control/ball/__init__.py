"""A ball along a walk: dribbled, picked up, passed, caught and shot."""
