"""Preview of a walk in the viewport while its path is edited: a ghost and its footprints."""
