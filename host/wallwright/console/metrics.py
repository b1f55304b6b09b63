"""What Prometheus reads at /metrics: how the tables are, what has happened, what was asked. No person, no player."""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..link.reports import EVENT_NAMES
from .guard import UNSAFE, Site
from .hall.desk import Desk, Happening
from .hall.model import HallView

ACTS = "/api/v1/event"


class Metrics:
    """The counters of one console, and the state of its tables at the moment of reading."""

    def __init__(self, site: Site) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(_Tables(site))
        self._events = Counter("wallwright_events", "Events of tables.", ("table", "event"), registry=self.registry)
        self._requests = Histogram(
            "wallwright_request_seconds",
            "Requests answered, by path and status; all acts at the event are one.",
            ("method", "path", "status"),
            registry=self.registry,
        )

    def count(self, _: HallView, happenings: tuple[Happening, ...]) -> None:
        """Count what has happened; a listener of the desk."""
        for one in happenings:
            if one.table is not None and one.kind in EVENT_NAMES:
                self._events.labels(one.table, one.kind).inc()

    def answered(self, method: str, path: str, status: int, took_s: float) -> None:
        """Count a request by its path's template. What people do at the event is one path, for everybody reads this:
        a penalty or a correction would be known before its session is published.
        """
        if method in UNSAFE and path.startswith(ACTS):
            path = ACTS
        self._requests.labels(method, path, str(status)).observe(took_s)

    def text(self) -> bytes:
        """Return everything in Prometheus' text format."""
        return generate_latest(self.registry)


class _Tables(Collector):
    def __init__(self, site: Site) -> None:
        self._site = site

    def collect(self) -> Iterable[Metric]:
        """Return the gauges."""
        desk: Desk = self._site.desk
        view = desk.view
        rows = (
            ("connected", "Whether the table is connected.", lambda table: table.is_connected),
            ("fault", "Whether the table stands still with a fault.", lambda table: table.fault is not None),
            ("needs_somebody", "Whether the table needs somebody.", lambda table: table.attention is not None),
            ("deals", "Deals since the table's counter began.", lambda table: table.deal),
            ("events_waiting", "Events that the journal does not have yet.", lambda table: table.waiting),
            ("events_lost", "Events lost since the start.", lambda table: table.lost),
            ("heard_seconds", "Age of the last status.", lambda table: (view.at_ms - table.heard_ms) / 1000),
        )
        for name, text, value in rows:
            family = GaugeMetricFamily(f"wallwright_table_{name}", text, labels=["table"])
            for table in view.tables:
                family.add_metric([table.name], float(value(table)))
            yield family
        yield GaugeMetricFamily(
            "wallwright_journal_works", "Whether the journal takes entries.", value=view.journal_problem is None
        )
        yield GaugeMetricFamily(
            "wallwright_backups_work", "Whether backups come and are whole.", value=view.backup_problem is None
        )
        yield GaugeMetricFamily("wallwright_viewers", "Open event streams.", value=self._site.feed.viewers)
