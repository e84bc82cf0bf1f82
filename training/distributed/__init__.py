"""Devices, and process groups of several processes."""
