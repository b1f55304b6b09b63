"""What a role sees of a hall where an event is played: a screen hangs there for all, and shows no result early."""

from collections.abc import Sequence
from dataclasses import replace

from .guard import Site
from .hall.desk import Happening
from .hall.model import HallView, TableView
from .people.access import audience_of

OF_DEALS = ("tracked", "question", "disputed", "to_declare", "wall_revealed", "wall_part")
"""What happens that tells of the course of a deal which is over."""


def shown_hall(site: Site, role: str, view: HallView) -> HallView:
    """Return the hall as that role may see it."""
    if site.book is None:
        return view
    return replace(view, tables=tuple(shown_table(site, role, table) for table in view.tables))


def shown_table(site: Site, role: str, table: TableView) -> TableView:
    """Likewise one table: without what it has so far and questions about its deals, where these are not published."""
    if site.book is None:
        return table
    audience, play = audience_of(role), table.play
    if play is not None and not site.book.may_see_totals(audience):
        play = replace(play, points=None, last=None)
    deals = tuple(one for one in table.deals if site.book.may_see_deal(audience, one.unit, one.deal))
    return replace(table, play=play, deals=deals)


def shown_happenings(site: Site, role: str, view: HallView, happenings: Sequence[Happening]) -> tuple[Happening, ...]:
    """Return those of the happenings that the role may know of."""
    book, audience = site.book, audience_of(role)
    if book is None:
        return tuple(happenings)
    unit_of = {table.name: table.unit or "" for table in view.tables}
    return tuple(
        one
        for one in happenings
        if one.kind not in OF_DEALS
        or book.may_see_deal(audience, one.fields.get("unit", unit_of.get(one.table or "", "")), one.fields["deal"])
    )
