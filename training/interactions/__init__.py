"""Training takes of interactions, composed of captured and generated motion, and their data sets."""
