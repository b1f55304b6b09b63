"""What is done about a bug in one part of the console: it is told loudly, and the other parts go on."""

import traceback

import structlog

log = structlog.get_logger("wallwright.console")


def tell_bug(where: str) -> None:
    """Log the exception that is being handled. Whatever log was chosen, this is in it."""
    log.critical("a bug of this program; please report it", where=where, trace=traceback.format_exc())
