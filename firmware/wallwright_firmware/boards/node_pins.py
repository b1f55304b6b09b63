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
PIN_MOUTH_SELECT = 0
"""NSS of the front end at the drum's mouth, of a node with parts that sort; its other pins are those of the others."""
PIN_MOUTH_BUSY = 1
PIN_PARTS_LATCH = 15
"""Of the registers of the parts that sort (`nodes/parts.py`): RCLK of the 74HC595s and SH/LD of the 74HC165."""
PIN_PARTS_ENABLE = 22
"""OE of the 74HC595s, low to drive; 4.7 k pull it up, so that a node without a program drives nothing."""
