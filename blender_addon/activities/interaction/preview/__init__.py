"""Preview of interactions: drawn over the scene, so that nothing in the file changes before they are baked."""
