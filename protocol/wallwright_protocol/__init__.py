"""The wire between a Wallwright table and its host: one definition for MicroPython and CPython."""
