"""Labels of actions: detection, storage, correction, and their strip and overlay."""
