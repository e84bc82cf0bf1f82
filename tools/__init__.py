"""Tools for developers, which are not part of the product."""
