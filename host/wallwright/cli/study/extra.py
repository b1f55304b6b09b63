"""What studies compute with, which a plain install has not."""

from importlib.util import find_spec

from ...errors import BadInput

EXTRA = ("numpy", "scipy", "matplotlib", "distributed")


def need_extra() -> None:
    """BadInput says how to install what is missing."""
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        raise BadInput(f"a study needs {', '.join(missing)}: pip install 'wallwright[study]'")
