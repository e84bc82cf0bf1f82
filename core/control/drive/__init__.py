"""Characters that are driven live: wishes at each frame, poses with held feet, and what was driven as a path."""
