"""What is wrong with the values of a request: which field, and what is expected of it, in words for any language."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..words import Listed, Named, Words, told_by, words

FIELDS: Final = (
    "amount", "answer", "appeal", "body", "by", "club", "corrects", "data", "deal", "deals", "entry", "into", "lang",
    "minutes", "name", "of", "out", "password", "penalty", "player", "points", "reason", "record", "role", "ruling",
    "session", "table", "tables", "text", "token", "version", "versions", "words",
)  # fmt: skip
"""Fields that a language has a name for, under "field.name"."""

_EXPECTED: Final = {
    "missing": words("it is missing"),
    "extra_forbidden": words("there is no such field; leave it out"),
    "string_type": words("it has to be a text"),
    "string_pattern_mismatch": words("it is not written like this"),
    "int_type": words("it has to be a whole number"),
    "int_parsing": words("it has to be a whole number"),
    "int_from_float": words("it has to be a whole number"),
    "bool_type": words("it has to be true or false"),
    "bool_parsing": words("it has to be true or false"),
    "list_type": words("it has to be a list"),
    "tuple_type": words("it has to be a list"),
    "dict_type": words("it has to be an object with fields"),
    "model_type": words("it has to be an object with fields"),
    "model_attributes_type": words("it has to be an object with fields"),
}


def mistakes(errors: Sequence[Mapping[str, Any]]) -> Listed:
    """Return what pydantic's errors say, one sentence for each."""
    return Listed(tuple(_mistake(error) for error in errors), "; ")


def _mistake(error: Mapping[str, Any]) -> Words:
    if error["type"] == "json_invalid":
        return words("this cannot be read; it has to be JSON, and not too deep")
    path = error["loc"][1:] or ("body",)
    return words(
        "{field}: {why}", field=Listed(tuple(Named("field", str(part)) for part in path), "."), why=_why(error)
    )


def _why(error: Mapping[str, Any]) -> Words | Listed:
    limits = error.get("ctx", {})
    match error["type"]:
        case "string_too_long":
            return words("it has {limit} characters at the most", limit=limits["max_length"])
        case "string_too_short":
            return words("it has {limit} characters at least", limit=limits["min_length"])
        case "too_long":
            return words("it has {limit} entries at the most", limit=limits["max_length"])
        case "too_short":
            return words("it has {limit} entries at least", limit=limits["min_length"])
        case "greater_than_equal":
            return words("it is {limit} or more", limit=limits["ge"])
        case "less_than_equal":
            return words("it is {limit} or less", limit=limits["le"])
        case "literal_error":
            return words("it is one of {known}", known=limits["expected"].replace(" or ", ", "))
        case "value_error" if isinstance(limits.get("error"), Exception):
            return told_by(limits["error"])
        case kind:
            return _EXPECTED.get(kind, words("it cannot be used ({why})", why=error["msg"]))
