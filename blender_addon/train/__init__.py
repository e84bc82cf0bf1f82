"""Training from inside Blender: clips, runs, the training environment, curves and previews."""
