"""What can go wrong with a board's firmware: each error says what is on the board now, and how to go on.

    WallwrightError
    ├── BadInput          Unsigned, OlderImage, BadSignature, BadBoardKey, BadBackup
    └── BoardError        NoLoader, SeveralLoaders, NotCopied, NotBack, AnotherFirmware, CannotUpdate

The exit code of BoardError is that of a port: the board is not where it should be, or not what it should be.
"""

from ..errors import BadInput, WallwrightError

BY_HAND = "hold BOOTSEL while you plug its USB in, and give `wallwright board flash`"
SAFE = "the chip's own loader cannot be lost"


class Unsigned(BadInput):
    """No key that is trusted here has signed the image."""

    def __init__(self, path: str, found: str) -> None:
        super().__init__(
            f"{path} {found}; an update over the link wants one by the project's key or your own: if you trust this "
            f"image, sign it with `wallwright board keys sign {path}`"
        )


class BadSignature(BadInput):
    """The file of signatures beside an image is not one, or a signature in it is not of this image."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path}: {problem}; take image and signatures from one place, or delete this file and sign the image anew"
        )


class OlderImage(BadInput):
    """The board has a newer firmware than the image is."""

    def __init__(self, image: str, board: str) -> None:
        super().__init__(
            f"the board has firmware {board}, the image is {image}, which is older: it may not read what the board has "
            "stored; give --older if you mean it"
        )


class BadBoardKey(BadInput):
    """A key for images cannot be made, read, or found; the message says which."""


class BadBackup(BadInput):
    """A file is no backup of a board, was changed, or is of another one."""


class BoardError(WallwrightError):
    """A board is not where, or not what, it should be after it was to be flashed."""


class NoLoader(BoardError):
    """No board is in its loader, as far as this machine shows; the message draws how to bring one there."""


class SeveralLoaders(BoardError):
    """More than one board is in its loader, and nothing says which is meant."""

    def __init__(self, folders: list[str]) -> None:
        super().__init__(
            f"{len(folders)} boards are in their loaders ({', '.join(folders)}), and nothing tells which is which; "
            "unplug all but one, or name one with --folder"
        )


class NotCopied(BoardError):
    """The loader did not take the image."""

    def __init__(self, folder: str, problem: str) -> None:
        super().__init__(
            f"{folder}: {problem}. The board has no whole firmware now; {SAFE}: unplug its USB, then {BY_HAND}"
        )


class NotBack(BoardError):
    """The board has got the image, or part of it, and nothing answers at its host port."""

    def __init__(self, port: str, seconds: int, problem: str) -> None:
        super().__init__(
            f"{port}: the board did not come back within {seconds} s ({problem}). Look at the port and its cable, "
            f"switch the table off and on, then `wallwright board info --port {port}`. If nothing answers still, its "
            f"firmware is not whole; {SAFE}: {BY_HAND}"
        )


class AnotherFirmware(BoardError):
    """A board came back, and it does not run the image."""

    def __init__(self, port: str, problem: str) -> None:
        super().__init__(
            f"{port}: {problem}. Is that port the one of the board that was flashed? If it is, {BY_HAND} once more"
        )


class CannotUpdate(BoardError):
    """A board cannot be updated over its link; nothing was changed on it."""

    def __init__(self, port: str, problem: str) -> None:
        super().__init__(f"{port}: {problem}; nothing was changed")
