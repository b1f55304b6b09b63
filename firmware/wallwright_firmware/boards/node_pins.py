"""The pins of a node's Pico, beside those of the line, which are the board's (`pins`). Nothing here touches hardware.

Up to four PN5180 share one SPI bus, each with a select and a busy of its own, for each antenna has its front end: at
26 kbit/s a tag's answer takes 4 ms, so that antennas which took turns at one would see a hand of tiles too late.
"""

PIN_SELECTS = (2, 3, 4, 5)
"""NSS of front ends 0 to 3, low while one is spoken to."""
PIN_BUSIES = (10, 11, 12, 13)
"""BUSY of each; pulled low, so that a front end which is not there never takes part."""
PIN_MISO, PIN_CLOCK, PIN_MOSI = 16, 18, 19
PIN_RESET = 17
"""RST of all front ends, low to reset."""
PIN_SDA, PIN_SCL = 20, 21
"""The display's I2C."""
PIN_LAMPS = (6, 7)
"""Lift lamp and dice lamp, high to light."""
PIN_ADDRESS = (26, 27)
"""Bridged to ground, each counts: 1 and 2."""
PIN_KEY = 28
"""The claim key, to ground."""
