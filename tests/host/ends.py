"""The other ends of ports, in a test's hands."""

import os
import socket
import tty


class Pty:
    """A pseudo-terminal whose master this test holds."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.name = os.ttyname(self.slave)

    def hang_up(self) -> None:
        for handle in (self.master, self.slave):
            if handle >= 0:
                os.close(handle)
        self.master = self.slave = -1


def address(server: socket.socket) -> str:
    """Return the port that a host opens."""
    return f"socket://127.0.0.1:{server.getsockname()[1]}"
