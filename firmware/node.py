"""What a node starts; see `boards/node.py`."""

from wallwright_firmware.boards.node import main

main()
