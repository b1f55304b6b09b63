"""Firmware of a Wallwright table; the same files run on the board, in a MicroPython VM and under CPython."""
