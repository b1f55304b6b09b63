"""What was played and ruled, entry by entry: sessions, results, signatures, penalties, appeals, deals of all tables."""

from tests.campaign.desk.parts import IN_PLAY, PLAYED, STEPS, TO_COME, Broken, Deal, Fine, Line, Session
from tests.campaign.desk.places import Places


class Results(Places):
    """Results after the entries so far, beside people and seats."""

    def __init__(self) -> None:
        super().__init__()
        self.fines: dict[int, Fine] = {}
        self.appeals: dict[int, Line] = {}
        self.deals: Line = {}

    def _players_sat(self, _: int, body: Line) -> None:
        """Who sat where is known better: deals, seats and byes are exchanged between people."""
        session = self.sessions[body["session"]]
        sat = {one["instead_of"]: one["player"] for one in body["seats"]}
        first, last = body["from_deal"], body.get("to_deal")
        for table in session.tables:
            for number, deal in table.deals.items():
                if first <= number <= (last or number):
                    deal.players = tuple(sat.get(one, one) for one in deal.players)
            if last is None:
                table.seats = [sat.get(one, one) for one in table.seats]
        came = {*sat.values()} - sat.keys()
        session.byes = [sat.get(one, one) for one in session.byes if one not in came]
        self._touch(body["session"])

    def _session_moved(self, entry: int, body: Line) -> None:
        session, step = self.sessions[body["session"]], body["trigger"]
        wanted, then = STEPS.get(step, (session.state, "awaiting_sign_off"))
        fits = session.state == wanted and (step != "reopen" or session.state in ("provisional", "under_appeal"))
        if not fits:
            raise Broken(f"entry {entry}: session {body['session']} is {session.state}, and takes the step {step}")
        session.state = then
        if sum(one.state in IN_PLAY for one in self.sessions.values()) > 1:
            raise Broken(f"entry {entry}: two sessions are in play")
        if step in ("start", "resume") and (gone := self.withdrawn & set(self._going_on(session))):
            raise Broken(f"entry {entry}: session {body['session']} runs, and players {gone} have withdrawn")
        if step == "sign_off" and not all(table.signed for table in session.tables):
            raise Broken(f"entry {entry} ends session {body['session']} before all tables have signed")
        waiting = [deal for table in session.tables for deal in table.deals.values() if not deal.approved]
        if step in ("sign_off", "publish", "finalise") and waiting:
            raise Broken(f"entry {entry}: {step} while results wait for a referee")
        if step == "finalise" and any(
            not one["decided"] for one in self.appeals.values() if one["session"] == body["session"]
        ):
            raise Broken(f"entry {entry} makes session {body['session']} final over an open appeal")

    def _going_on(self, session: Session) -> list[int]:
        """Who sits at a table that has neither signed nor played all its deals."""
        most = self.format["deals"]
        going_on = [table for table in session.tables if not table.signed and len(table.deals) < most]
        return [player for table in going_on for player in table.seats]

    def _result_recorded(self, entry: int, body: Line) -> None:
        table = self._table(body)
        if body["deal"] in table.deals:
            raise Broken(f"entry {entry} puts a result in the place of entry {table.deals[body['deal']].entry}")
        if table.signed or self.sessions[body["session"]].state not in IN_PLAY:
            raise Broken(f"entry {entry} adds a result to a table that has signed or does not play")
        table.deals[body["deal"]] = self._deal(entry, body, tuple(table.seats))

    def _result_corrected(self, entry: int, body: Line) -> None:
        table = self._table(body)
        table.deals[body["deal"]] = self._deal(entry, body, table.deals[body["deal"]].players)
        self._touch(body["session"])

    def _result_voided(self, entry: int, body: Line) -> None:
        deal = self._table(body).deals[body["deal"]]
        if deal.status != "live":
            raise Broken(f"entry {entry} voids a deal that is {deal.status}")
        deal.status, deal.approved = "voided", True
        self._touch(body["session"])

    def _deal_annulled(self, entry: int, body: Line) -> None:
        table = self._table(body)
        if table.signed:
            raise Broken(f"entry {entry} annuls a deal of a table that has signed")
        deal = self._deal(entry, body, tuple(table.seats))
        if body["rule"] == "replay":
            old = table.deals.pop(body["deal"], None)
            table.past += [one for one in (old, deal) if one is not None]
            for one in table.past:
                one.status = "annulled"
        elif body["deal"] in table.deals:
            raise Broken(f"entry {entry} annuls a deal that has the result of entry {table.deals[body['deal']].entry}")
        else:
            table.deals[body["deal"]] = deal

    def _deal(self, entry: int, body: Line, players: tuple[int, ...]) -> Deal:
        fines = sum(one["points"] for one in body["penalties"])
        return Deal(entry, players, tuple(body["points"]), fines, approved=body.get("approved", True))

    def _results_approved(self, entry: int, body: Line) -> None:
        for number in body["deals"]:
            deal = self._table(body).deals[number]
            if deal.approved:
                raise Broken(f"entry {entry} approves deal {number}, which did not wait")
            deal.approved = True

    def _results_confirmed(self, _: int, body: Line) -> None:
        for number in body["deals"]:
            self._table(body).deals[number]

    def _table_signed_off(self, entry: int, body: Line) -> None:
        table = self._table(body)
        if table.signed == body["signed"]:
            raise Broken(f"entry {entry}: the signature of table {body['table']} was {table.signed} already")
        if self.sessions[body["session"]].state not in IN_PLAY:
            raise Broken(f"entry {entry} signs in a session that is {self.sessions[body['session']].state}")
        table.signed = body["signed"]

    def _player_signed(self, entry: int, body: Line) -> None:
        table = self._table(body)
        if body["player"] not in table.seats or table.signed:
            raise Broken(f"entry {entry}: player {body['player']} has nothing to sign at table {body['table']}")
        now = [[number, deal.entry, deal.status] for number, deal in sorted(table.deals.items())]
        if [list(one) for one in body["results"]] != now:
            raise Broken(f"entry {entry}: player {body['player']} signs other results than those that stand")

    def _penalty_given(self, entry: int, body: Line) -> None:
        self.names[body["player"]]
        self.fines[entry] = Fine(body["player"], body["session"], body["name"], body["amount"])
        self._touch(body["session"])

    def _penalty_withdrawn(self, entry: int, body: Line) -> None:
        fine = self.fines[body["penalty"]]
        if fine.withdrawn:
            raise Broken(f"entry {entry} withdraws penalty {body['penalty']} a second time")
        fine.withdrawn = True
        self._touch(fine.session)

    def _appeal_filed(self, entry: int, body: Line) -> None:
        self.names[body["player"]]
        self.appeals[entry] = {**body, "decided": False}

    def _appeal_decided(self, entry: int, body: Line) -> None:
        appeal = self.appeals[body["appeal"]]
        if appeal["decided"]:
            raise Broken(f"entry {entry} decides appeal {body['appeal']} a second time")
        appeal["decided"] = True

    def _deals_committed(self, entry: int, body: Line) -> None:
        if self.deals:
            raise Broken(f"entry {entry} commits to other deals")
        if any(one.state not in TO_COME for one in self.sessions.values()):
            raise Broken(f"entry {entry} commits to deals after a session has begun")
        self.deals = {"shown": False, "taken": set(), "dealers": body["dealers"], "spares": body["spares"]}

    def _deal_replaced(self, entry: int, body: Line) -> None:
        if body["spare"] in self.deals["taken"] or self.deals["shown"]:
            raise Broken(f"entry {entry} takes deal {body['spare']} a second time, or after the deals were shown")
        self.deals["taken"].add(body["spare"])
        for table in self.sessions[body["session"]].tables:
            if body["deal"] in table.deals:
                raise Broken(f"entry {entry} replaces a deal that has the result of {table.deals[body['deal']].entry}")

    def _deals_revealed(self, entry: int, _: Line) -> None:
        wanted = range(1, self.format["sessions"] + 1)
        played = [number for number, one in self.sessions.items() if one.state in PLAYED]
        if self.deals["shown"] or len(played) < len(self.sessions) or not {*wanted} <= {*played}:
            raise Broken(f"entry {entry} shows deals that are still to be played, or were shown")
        self.deals["shown"] = True

    def _touch(self, number: int | None) -> None:
        """A session that was final can be appealed against again once something in it has changed."""
        if number is not None and self.sessions[number].state == "final":
            self.sessions[number].state = "under_appeal"
