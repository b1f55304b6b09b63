"""Deals that show everything, in either of the two forms in which programs exchange them. It asks for no password."""

from ..system.strict_json import BadJson, read_json
from ..words import told_by, words
from .deals import BadDeals, Deals
from .json_form import MARK, read_record
from .text import MAGIC, read_text


def read_deals(data: bytes) -> Deals:
    """Return the deals of JSON or text. BadDeals says what is wrong."""
    try:
        if data.startswith(MAGIC.encode()):
            return read_text(data.decode())
        return read_record(read_json(data))
    except UnicodeDecodeError as error:
        raise BadDeals(words("it is no UTF-8 text (byte {number})", number=error.start + 1)) from error
    except BadJson as error:
        problem = 'its first line is not "{magic}", and it is no JSON with "{mark}": {why}'
        raise BadDeals(words(problem, magic=MAGIC, mark=MARK, why=told_by(error))) from error
