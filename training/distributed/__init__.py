"""Devices, and process groups of several of them."""
