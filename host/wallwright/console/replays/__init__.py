"""Finished deals in the console, step by step."""
