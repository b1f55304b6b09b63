"""Kinds of cells by their signs: a number, a time, a mail address, or words that may be a name.

The kinds keep columns apart whose names nobody knows. No cell is changed by this.
"""

import re
from collections.abc import Iterable, Sequence

EMPTY, NUMBER, YEAR, DATE, TIME, MAIL, PHONE, LINK, YES_NO, CODE, MONEY, COUNTRY, SENTENCE, WORDS = (
    "empty", "number", "year", "date", "time", "mail", "phone", "link", "yes or no", "code", "money", "country",
    "sentence", "words",
)  # fmt: skip


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DAY = r"(\d{4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}日?|\d{1,2}[-/. ]\s?(\d{1,2}|[^\W\d]{3,9})[-/., ]\s?\d{2,4}\.?)"
_CLOCK = r"((AM|PM|上午|下午|午前|午後|오전|오후)\s?)?\d{1,2}[:.h]\d{2}([:.]\d{2}([.,]\d+)?)?(\s?([AP]\.?M\.?|Uhr|h))?"
_ZONE = r"(\s?(Z|UTC|GMT|[A-Z]{3,4}|(GMT|UTC)?[+-]\d{1,2}(:?\d{2})?))?"
_SHAPES = (
    (NUMBER, r"[-+#]?\d{1,3}([ ',.]\d{3})*([.,]\d+)?[.):%]?|[-+#]?\d+([.,]\d+)?[.):%]?"),
    (TIME, _CLOCK),
    (DATE, rf"{_DAY}([,T ]\s*{_CLOCK})?{_ZONE}"),
    (DATE, r"[^\W\d]{3,9}\.? \d{1,2},? \d{4}( " + _CLOCK + ")?"),
    (MAIL, r"(mailto:)?[^\s@]+@[^\s@]+\.[^\s@]+"),
    (LINK, r"(https?://|www\.)\S+"),
    (PHONE, r"(\+|00|\(0|0)[\d\s()/.-]{6,}\d|\d{3}[- ]\d{3,4}[- ]\d{4}"),
    (MONEY, r"[€$£¥₩]\s?\d[\d.,']*|\d[\d.,']*\s?([€$£¥₩元円원]|EUR|CHF|USD|GBP|PLN|zł|руб\.?|Fr\.?)"),
)
_YES_NO = _set("""
    herr frau mr mrs ms miss mr. mrs. ms. mme mlle m. sig. sig.ra sr. sra. srta. dhr. mevr. pan pani 先生 女士
    yes no y n true false x ✓ ✔ ☑ ☐ ja nein oui non si sì sí tak nie да нет nee j na n/a 是 否 有 无 無 不 はい
    いいえ 예 네 아니오 아니요 o 〇 ○ × m f w d male female männlich weiblich 男 女 남 여 м ж
""")
_COUNTRIES = _set("""
    AFG ALB ALG AND ANG ARG ARM AUS AUT AZE BAH BAN BEL BIH BLR BOL BRA BRN BUL CAM CAN CHE CHI CHN CMR COL CRC CRO
    CUB CYP CZE DEN DEU DNK DOM ECU EGY ENG ESP EST ETH FIN FRA GBR GEO GER GHA GRC GRE GUA HKG HRV HUN IDN INA IND
    IRI IRL IRN IRQ ISL ISR ITA JAM JOR JPN KAZ KEN KGZ KOR KSA KUW LAO LAT LBN LIE LIB LTU LUX LVA MAC MAD MAR MAS
    MDA MEX MGL MKD MLT MNE MNG MON MYS NED NEP NGR NIR NLD NOR NZL PAK PAN PAR PER PHI PHL POL POR PRK PRT PUR QAT
    ROU ROM RSA RUS SAU SCO SEN SGP SIN SLO SMR SRB SRI SUI SVK SVN SWE SYR THA TJK TPE TKM TUN TUR TWN UAE UGA UKR
    URU USA UZB VEN VIE VNM WAL ZAF AT AU BE BG BR BY CA CH CL CN CO CY CZ DE DK EE ES FI FR GB GR HK HR HU ID IE IL
    IN IS IT JP KR LI LT LU LV MO MX MY NL NO NZ PH PL PT RO RS RU SE SG SI SK TH TR TW UA UK US VN ZA
""")
_MOST_WORDS = 7
_MOST_LETTERS = 64
_NEARLY_ALL = 0.8
_LISTED = 0.6
"""Of codes that look like countries this share is one; associations have codes of their own."""


def kind_of(cell: str) -> str:
    """Return what a cell holds."""
    cell = " ".join(cell.split("\n"))
    if not cell:
        return EMPTY
    if re.fullmatch(r"(19[2-9]|20[0-4])\d", cell):
        return YEAR
    for kind, shape in _SHAPES:
        if re.fullmatch(shape, cell, re.IGNORECASE):
            # A telephone number may look like a number with spaces.
            is_phone = kind == NUMBER and re.fullmatch(r"0\d{8,}|\d{10,}", cell)
            return PHONE if is_phone else kind
    if cell.casefold() in _YES_NO:
        return YES_NO
    if not any(one.isalpha() for one in cell):
        return CODE
    if re.search(r"\d", cell):
        return CODE if " " not in cell else SENTENCE
    if len(cell) > _MOST_LETTERS or len(cell.split()) > _MOST_WORDS or re.search(r"[?!:@=]|\. \S+ \S+", cell):
        return SENTENCE
    return WORDS


def kind_of_column(cells: Iterable[str]) -> str:
    """Return what nearly all cells of a column hold; EMPTY without any, and WORDS where words are mixed with others."""
    told = [cell for cell in cells if cell]
    if not told:
        return EMPTY
    kinds = [kind_of(cell) for cell in told]
    if _are_countries(told):
        return COUNTRY
    for kind in dict.fromkeys(kinds):
        alike = (kind, YEAR) if kind == NUMBER else (kind,)
        if sum(one in alike for one in kinds) >= _NEARLY_ALL * len(kinds):
            return kind
    if kinds.count(WORDS) * 2 >= len(kinds):
        return WORDS
    return max((NUMBER, CODE, SENTENCE), key=kinds.count)


def are_distinct(cells: Sequence[str]) -> bool:
    """Say whether hardly any two cells are the same, as names are and clubs are not."""
    told = [cell.casefold() for cell in cells if cell]
    return len(set(told)) >= _NEARLY_ALL * len(told)


def are_whole_names(cells: Sequence[str]) -> bool:
    """Say whether most cells have a family and a given name: two words, or the signs of an East Asian name."""
    told = [cell for cell in cells if cell]
    return sum(len(cell.split()) > 1 or is_east_asian(cell) for cell in told) >= _LISTED * len(told) > 0


def is_east_asian(text: str) -> bool:
    """Say whether a text ends in a sign of Chinese, Japanese or Korean."""
    return bool(text) and bool(re.fullmatch(r"[\u3005\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
                                            r"\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]", text[-1]))  # fmt: skip


def _are_countries(cells: Sequence[str]) -> bool:
    shaped = [cell for cell in cells if re.fullmatch(r"[A-Z]{2,3}", cell)]
    listed = sum(cell in _COUNTRIES for cell in shaped)
    return len(shaped) >= _NEARLY_ALL * len(cells) and listed >= _LISTED * len(shaped)
