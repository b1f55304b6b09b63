"""Builds the board's images: MicroPython with the firmware and the protocol inside, from Debian's packages."""
