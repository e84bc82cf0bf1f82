"""Training of quadrupeds: clips of animals, in place or travelling, become takes on one network skeleton."""
