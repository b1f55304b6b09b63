"""What is taken home from a tournament: its papers as CSV, XLSX and JSON, and a backup of its journal.

People who do not work at the event get what everybody may see. A file is made whole before its first byte is sent.
"""

import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, BackgroundTasks, Request, Response
from fastapi.responses import FileResponse, HTMLResponse

from ...backup.archive import back_up, backup_name
from ...errors import BadName
from ...event.sheets import FILES, PAPERS
from ...words import words
from ..guard import Asking, Here
from ..people.access import audience_of, may_use
from ..problems import NotDone
from ..texts import PAPER_NAMES
from .views import page

FORMS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/x-ndjson",
}
"""What a browser is told of a file, by its ending."""

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/event/papers")
def papers_page(request: Request, site: Here, asking: Asking) -> Response:
    """What can be downloaded, and how a backup is restored."""
    may_back_up = may_use(asking.role, "GET", "/event/backup")
    values: dict[str, Any] = {"papers": PAPER_NAMES, "may_back_up": may_back_up, "witnessing": site.witnessing}
    return page(request, "papers.html", asking, event=site.event.view, **values)


@router.get("/event/papers/{paper}")
def paper_file(paper: str, site: Here, asking: Asking) -> Response:
    """One paper, `standings.csv` for example."""
    name, _, form = paper.rpartition(".")
    if name not in PAPERS or form not in FORMS:
        known = ", ".join(PAPERS)
        problem = "there is no paper {name}; there are {known}, each as .csv, .xlsx and .json"
        raise BadName(words(problem, name=repr(paper), known=known))
    audience = audience_of(asking.role)
    rows = site.event.ask(lambda desk: PAPERS[name](desk.state, audience))
    return Response(FILES[form](name, rows), headers=_kept_as(paper), media_type=FORMS[form])


@router.get("/event/backup")
def backup_file(site: Here, _: Asking) -> Response:
    """The event's journal, checked entry by entry, as one file that `wallwright event restore` takes."""
    folder: Path | None = None
    try:
        folder = Path(mkdtemp(prefix="wallwright-"))
        target = folder / "event.backup"
        made = back_up(site.event.place, target)
        size = target.stat().st_size
    except OSError as error:
        _remove(folder)
        problem = "the backup cannot be made ({why}); free some space on the server's disk"
        raise NotDone(words(problem, why=str(error.strerror))) from error
    except BaseException:
        _remove(folder)
        raise
    headers = {**_kept_as(backup_name(made.event or "", site.now_ms())), "content-length": str(size)}
    afterwards = BackgroundTasks()
    afterwards.add_task(_remove, folder)
    return FileResponse(target, headers=headers, media_type="application/zip", background=afterwards)


def _kept_as(name: str) -> dict[str, str]:
    """How a browser is told a file's name (RFC 6266), in ASCII too for old ones."""
    plain = name.encode("ascii", "ignore").decode().strip(" -")
    said = f'attachment; filename="{plain}"'
    return {"content-disposition": said if plain == name else f"{said}; filename*=UTF-8''{quote(name, safe='')}"}


def _remove(folder: Path | None) -> None:
    if folder is not None:
        shutil.rmtree(folder)
