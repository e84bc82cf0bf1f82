"""A walk as it would be baked, in the viewport, while its path is edited: a ghost and its footprints."""
