"""Interaction takes for training, composed of captured and generated motion, and data sets of them."""
