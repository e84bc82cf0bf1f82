"""A run's controller so far, walking in the viewport: drawn over the scene, so that nothing in the file changes."""
