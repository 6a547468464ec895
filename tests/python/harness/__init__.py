"""Checks that run for a moment with the tests, and at length by hand."""
