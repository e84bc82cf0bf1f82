"""The ball of a clip: read if it was captured, else inferred from the motion of the hands."""
