"""The firmware inside a real MicroPython, one poll at a time, in lockstep with the simulated world."""

from .app import VmApp, VmFailure, VmMemory

__all__ = ["VmApp", "VmFailure", "VmMemory"]
