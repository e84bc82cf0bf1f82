"""Runtimes: roll-outs of networks for batches of characters, and the decoder of their poses."""
