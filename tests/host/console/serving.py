"""A place's console on a port of this machine, for a browser."""

import threading
from typing import Any

from tests.host.console.hall import Place
from tests.host.fleet.served import until
from wallwright.console.listening import Listening
from wallwright.console.server import Server


class Serving:
    """The place's console on a port of this machine, which can be stopped and started again."""

    def __init__(self, place: Place, **settings: Any) -> None:
        self.place = place
        self.port = 0
        self._settings = settings
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._server = Server(self.place.site, Listening("127.0.0.1", self.port, **self._settings))
        self.port = self._server.port
        self._thread = threading.Thread(target=self._server.serve_until_told)
        self._thread.start()
        until(lambda: self._server.started)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()
