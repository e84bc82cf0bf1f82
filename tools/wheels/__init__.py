"""Wheels of the extension's zips, checked for systems that this machine is not."""
