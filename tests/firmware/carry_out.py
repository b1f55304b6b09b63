"""Requests that a test hands to the firmware itself, without a link."""

from wallwright_firmware.app import App


def carry_out(app: App, message: int, payload: bytes) -> tuple[int, bytes]:
    """Execute a request, call after call; return its code and the reply's payload."""
    while (done := app.commands.execute(message, payload)) is None:
        pass
    return done
