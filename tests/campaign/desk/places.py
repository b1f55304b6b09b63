"""Who plays and who sits where, entry by entry: lists, lots, seats, substitutes, winners who move on."""

from tests.campaign.desk.parts import IN_PLAY, TO_COME, Broken, Line, Session, Table


class Places:
    """People and seats after the entries so far; one method for each kind of entry that changes them."""

    def __init__(self) -> None:
        self.format: Line = {}
        self.names: dict[int, str] = {}
        self.stand_ins: set[int] = set()
        self.withdrawn: set[int] = set()
        self.draws: dict[str, Line] = {}
        self.sessions: dict[int, Session] = {}
        self.units: dict[int, str] = {}

    def _table(self, body: Line) -> Table:
        session: Session = self.sessions[body["session"]]
        return session.tables[int(body["table"]) - 1]

    def _players_imported(self, entry: int, body: Line) -> None:
        listed = body["roster"]["players"]
        before = {number: name for number, name in self.names.items() if number not in self.stand_ins}
        now = {one["number"]: one["name"] for one in listed if not one["stand_in"]}
        if now != before:
            self.withdrawn = set()
        self.names = {one["number"]: one["name"] for one in listed}
        self.stand_ins = {one["number"] for one in listed if one["stand_in"]}
        seated = {one for session in self.sessions.values() for one in (*session.seated(), *session.byes)}
        if self.sessions and (now != before or seated - self.names.keys()):
            raise Broken(f"entry {entry}: after seats were drawn a list is taken that has other players")

    def _player_added(self, entry: int, body: Line) -> None:
        if body["number"] in self.names:
            raise Broken(f"entry {entry} gives {body['name']} the number of {self.names[body['number']]}")
        self.names[body["number"]] = body["name"]
        if body["stand_in"]:
            self.stand_ins.add(body["number"])

    def _player_renamed(self, entry: int, body: Line) -> None:
        if self.names[body["player"]] != body["old_name"]:
            raise Broken(f"entry {entry} renames {self.names[body['player']]}, whom it calls {body['old_name']}")
        self.names[body["player"]] = body["name"]

    def _player_privacy(self, _: int, body: Line) -> None:
        self.names[body["player"]]

    def _player_withdrawn(self, entry: int, body: Line) -> None:
        if body["player"] in self.withdrawn:
            raise Broken(f"entry {entry}: player {body['player']} had withdrawn already")
        self.withdrawn.add(body["player"])
        for session in self.sessions.values():
            if session.state in TO_COME and body["player"] in session.byes:
                session.byes.remove(body["player"])

    def _player_returned(self, _: int, body: Line) -> None:
        self.withdrawn.remove(body["player"])

    def _draw_committed(self, entry: int, body: Line) -> None:
        self._check_open(entry, body["stage"])
        if here := [number for number, _ in body["players"] if number in self.withdrawn]:
            raise Broken(f"entry {entry} draws for players {here}, who have withdrawn")
        before = self.draws.get(body["stage"])
        stands = before if before is None or before["drawn"] else before["before"]
        self.draws[body["stage"]] = {**body, "drawn": False, "before": stands}

    def _draw_withdrawn(self, entry: int, body: Line) -> None:
        draw = self.draws.pop(body["stage"])
        if draw["drawn"]:
            raise Broken(f"entry {entry} withdraws a commitment that was revealed")
        if draw["before"] is not None:
            self.draws[body["stage"]] = draw["before"]

    def _draw_revealed(self, entry: int, body: Line) -> None:
        draw = self.draws[body["stage"]]
        if draw["drawn"]:
            raise Broken(f"entry {entry} reveals a draw a second time")
        draw["drawn"] = True
        if sorted(body["lots"]) != sorted(number for number, _ in draw["players"]):
            raise Broken(f"entry {entry} draws lots for others than those it was committed for")

    def _seats_planned(self, entry: int, body: Line) -> None:
        self._check_open(entry, body["stage"])
        lots = {number for number, _ in self.draws[body["stage"]]["players"]}
        for number, planned in enumerate(body["sessions"], body["first"]):
            self.sessions[number] = Session([Table(list(four)) for four in planned["tables"]], list(planned["byes"]))
            if {*self.sessions[number].seated(), *planned["byes"]} != lots:
                raise Broken(f"entry {entry}: session {number} seats others than those for whom lots were drawn")

    def _check_open(self, entry: int, stage: str) -> None:
        """Seats of a stage are drawn while none of its sessions has been opened."""
        last = self.format["sessions"]
        for number, session in self.sessions.items():
            if (number > last) == (stage == "final") and session.state != "planned":
                raise Broken(f"entry {entry} draws seats for session {number}, which is {session.state}")

    def _table_added(self, entry: int, body: Line) -> None:
        session = self.sessions[body["session"]]
        if session.state not in TO_COME:
            raise Broken(f"entry {entry} adds a table to session {body['session']}, which is {session.state}")
        session.tables.append(Table(list(body["players"])))
        session.byes = [one for one in session.byes if one not in body["players"]]

    def _player_substituted(self, entry: int, body: Line) -> None:
        session, table = self.sessions[body["session"]], self._table(body)
        if table.seats[body["seat"]] != body["out"]:
            raise Broken(f"entry {entry}: player {body['out']} does not sit on seat {body['seat']}")
        if table.signed or session.state not in (*TO_COME, *IN_PLAY):
            raise Broken(f"entry {entry} gives a seat to somebody else after the table has signed")
        if body["in"] in self.withdrawn:
            raise Broken(f"entry {entry} seats player {body['in']}, who has withdrawn")
        table.seats[body["seat"]] = body["in"]
        session.byes = [one for one in session.byes if one != body["in"]]

    def _winners_moved(self, entry: int, body: Line) -> None:
        tables = self.sessions[body["session"]].tables
        for one in body["moves"]:
            if tables[one["table"] - 1].seats[one["seat"]] != one["player"]:
                raise Broken(f"entry {entry} moves player {one['player']} from a seat that is somebody else's")
        for one in body["moves"]:
            tables[one["to_table"] - 1].seats[one["to_seat"]] = one["player"]

    def _event_created(self, entry: int, body: Line) -> None:
        if self.format:
            raise Broken(f"entry {entry} begins a second event")
        self.format = body["format"]

    def _table_bound(self, _: int, body: Line) -> None:
        self.units.pop(body["table"], None)
        if body["unit"] is not None:
            if body["unit"] in self.units.values():
                raise Broken(f"board {body['unit']} stands at two tables")
            self.units[body["table"]] = body["unit"]
