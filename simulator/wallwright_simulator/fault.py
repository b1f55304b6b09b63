"""One fault of the language: a frozen value whose class states the form of its line."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from . import forms


class FaultError(ValueError):
    """A fault that cannot be. The text says which line, what is wrong with it and what is allowed."""


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong. FaultError when a field is not what the form allows."""

    FORM: ClassVar[str]

    def __post_init__(self) -> None:
        try:
            forms.check(self.FORM, self._given())
        except forms.FormError as error:
            raise FaultError(f"{type(self).__name__}: {error}") from None

    def __str__(self) -> str:
        return forms.write(self.FORM, self._given())

    def _given(self) -> dict[str, Any]:
        """The fields that have not their default."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {field.name: values[field.name] for field in fields(self) if values[field.name] != field.default}
