"""A ball that goes along on a walk: dribbled, picked up, passed, caught and shot."""
