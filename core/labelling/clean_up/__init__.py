"""Clean-up of clips before labeling: gaps, missing feet, treadmills."""
