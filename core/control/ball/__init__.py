"""The ball of a walking character: dribbled, picked up, passed, caught and shot."""
