"""From one skeleton to another."""
