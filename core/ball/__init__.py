"""The ball of a clip: read where it was captured, inferred from the motion of hands where it was not."""
