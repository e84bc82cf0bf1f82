"""Labels of actions: detection, storage, correction, and the strip and overlay that show them."""
