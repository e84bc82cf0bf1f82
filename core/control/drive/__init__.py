"""Live driving of characters: wishes at each frame, poses with held feet, and the drive as a path."""
