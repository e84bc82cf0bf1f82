"""Runtimes: networks rolled out for batches of characters, and the decoder of their poses."""
