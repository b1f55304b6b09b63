"""The PostgreSQL server of the tests: where its programs are missing, tests that need it fail and say what to do.

A journal that is kept on two databases has to be tested on both.
"""

from wallwright.chaos.server import Server, running_server

__all__ = ["Server", "running_server"]
