"""Training of quadrupeds: from clips of animals, in place or travelling, to takes on one network skeleton."""
