"""Phases that are learned: conditioning and the periodic autoencoder."""
