"""Where the program `wallwright` starts. Ctrl-C ends it without a word, also while its commands are being loaded."""

import sys

INTERRUPTED = 130
"""The exit code of a program that Ctrl-C has ended, as shells give it."""


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from ..system.private import keep_private
        from ..system.streams import set_up_streams

        keep_private()
        set_up_streams()
        from .program import run

        try:
            run()
        finally:
            # At the end of the interpreter nobody would be told that the output cannot be written.
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
