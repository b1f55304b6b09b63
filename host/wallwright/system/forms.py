"""The decoders of forms, which are structs of msgspec: each is made once, by one thread at a time.

msgspec 0.22 works out a struct when something is first read by it. A thread that reads by it meanwhile finds half of
it, and the process ends with a segmentation fault. So whoever reads by a form asks here.
"""

from threading import Lock
from typing import Any, TypeVar

import msgspec
from msgspec.json import Decoder

T = TypeVar("T")
_making = Lock()
_made: dict[Any, Decoder[Any]] = {}


def decoder_of(form: type[T]) -> Decoder[T]:
    """Return what reads JSON by a form; it raises msgspec's errors."""
    found = _made.get(form)
    if found is None:
        with _making:
            found = _made[form] = Decoder(form)
    return found


def convert(value: Any, form: type[T]) -> T:
    """Return the struct that a JSON value is by a form. ValidationError of msgspec when it is none."""
    decoder_of(form)
    return msgspec.convert(value, form)
