"""The ball in a clip: read from a file if it was captured, otherwise inferred from the motion of the hands."""
