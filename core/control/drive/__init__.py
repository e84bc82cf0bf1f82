"""Live driving of characters: a driver's wishes at each frame, poses with held feet, and recorded drives as paths."""
