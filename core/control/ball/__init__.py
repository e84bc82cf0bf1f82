"""A ball that is dribbled, picked up, passed, caught and shot along a walk."""
