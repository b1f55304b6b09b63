"""Deals that show everything, in either of the two forms in which programs exchange them. It asks for no password."""

from ..system.strict_json import BadJson, read_json
from ..text_files import BadText, text_of
from ..words import told_by, words
from .deals import BadDeals, Deals
from .json_form import MARK, read_record
from .text import MAGIC, read_text


def read_deals(data: bytes) -> Deals:
    """Return the deals of JSON or text. BadDeals says what is wrong."""
    try:
        text = text_of(data)
    except BadText as error:
        raise BadDeals(told_by(error)) from error
    if text.startswith(MAGIC):
        return read_text(text)
    try:
        return read_record(read_json(text))
    except BadJson as error:
        problem = 'its first line is not "{magic}", and it is no JSON with "{mark}": {why}'
        raise BadDeals(words(problem, magic=MAGIC, mark=MARK, why=told_by(error))) from error
