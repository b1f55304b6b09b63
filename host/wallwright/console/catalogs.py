"""The catalogs of gettext: what a language has for an English text.

A language is `locale/LOCALE/LC_MESSAGES/wallwright.po`, which translators edit; `make messages` puts new texts into it.
A wheel has it compiled, as wallwright.mo. A checkout has no compiled file, which could be out of date: there Babel
compiles the catalog when the language is first asked for.
"""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

LOCALES: Final = {"zh": "zh_Hans"}
"""Languages by the names that pages have for them; English is that of the texts."""
_FOLDER: Final = Path(__file__).with_name("locale")


@cache
def catalog(language: str) -> NullTranslations:
    """Return the texts of a language; those that it lacks come back in English."""
    if language not in LOCALES:
        return NullTranslations()
    folder = _FOLDER / LOCALES[language] / "LC_MESSAGES"
    compiled = folder / "wallwright.mo"
    return GNUTranslations(BytesIO(compiled.read_bytes() if compiled.exists() else _compiled(folder / "wallwright.po")))


def _compiled(source: Path) -> bytes:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    made = BytesIO()
    with source.open("rb") as file:
        write_mo(made, read_po(file))
    return made.getvalue()
