"""The words of lines of a list that are about no player: titles, totals, and headings of those who wait for a place."""

import re
from collections import Counter
from collections.abc import Sequence

from .cells import Line
from .labels import CLUB, NUMBER, OTHER, label_of, plain

_HEADS = (OTHER, CLUB)


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TOTALS = _set("""
    total totals sum subtotal count summe gesamt gesamtzahl anzahl insgesamt zwischensumme somme nombre totale
    totali numero suma recuento cantidad totaal aantal som razem ogolem liczba lacznie итого всего итог количество
    сумма combined altogether 合计 合計 总计 總計 小计 小計 共计 共 计 計 总数 總數 人数 人數 参加者数 참가인원 합계
    총 총원 총인원 계 인원 summa antal antall yhteensa celkem pocet osszesen letszam soma toplam
""")
_COUNTED = _set("""
    general generale globale grand overall 参加者 参赛者 以上 players player people persons participants entries
    registered registrations names teilnehmer teilnehmende spieler personen meldungen anmeldungen joueurs inscrits
    personnes giocatori iscritti partecipanti jugadores inscritos personas spelers deelnemers graczy osob zawodnikow
    uczestnikow игроков участников человек чел 人 名 位 명 人参加 选手 選手 of der de di des du dei van the do zahl
""")
_TITLES = _set("""
    list liste lista elenco lijst of roster tournament turnier tournoi torneo toernooi turniej турнир список
    teilnehmerliste meldeliste starterliste anmeldeliste spielerliste startliste teilnehmerverzeichnis anmeldungen
    registrations entrants championship meisterschaft championnat campionato campeonato kampioenschap mistrzostwa
    чемпионат open cup pokal coupe coppa copa beker puchar кубок deelnemerslijst spelerslijst inschrijvingen
    inscriptions iscrizioni inscripciones zgloszenia 名单 名單 名簿 一览 一覧 选手名单 參賽名單 参赛名单 报名表
    報名表 参加者一覧 参加者名簿 選手一覧 大会 比赛 比賽 锦标赛 명단 대회 참가자명단 목록
""")
_WAITING = _set("""
    warteliste wartelist waitinglist waitlist reserve reserves reservelist reserveliste nachrucker listed attente
    listedattente remplacants listadattesa riserve listadeespera reservas suplentes wachtlijst reservelijst
    listarezerwowa rezerwa rezerwowi листожидания резерв запасные 候补 候補 补位 替补 キャンセル待ち 補欠 대기자
    대기 예비 withdrawn abgemeldet cancelled canceled annules
""")


def is_total(line: Line) -> bool:
    """Say whether a line counts those above: "Total, 4", "合计：4人", "4 players"."""
    is_total = False
    for cell in line.filled:
        told = re.findall(r"[^\W\d_]+", plain(cell))
        spread = [part for word in told for part in _parts(word)]
        has_number = bool(re.search(r"\d", cell))
        if not told and has_number:
            continue
        if not spread or not all(word in _TOTALS or word in _COUNTED for word in spread):
            return False
        # "4 players" and "Players: 4" count, "Player 4" is one of them.
        is_count = bool(re.match(r"\d", cell) or re.search(r"[:：]\s*\d", cell))
        is_total |= any(word in _TOTALS for word in spread) or (is_count and len(line.filled) == 1)
        if label_of(cell).kind == NUMBER and not any(word in _TOTALS for word in spread):
            return False
    return is_total


def title_words(told: str) -> set[str]:
    """Return the words of titles in a plain text."""
    found = {word for word in told.split() if word in _TITLES}
    return found | {word for word in _TITLES if not word.isascii() and word in told}


def headings_of(lines: Sequence[Line]) -> set[int]:
    """Return the numbers of lines that head those below them: "Class A", "Gruppe 2", "Club North" and "Club South"."""
    alone = [line for line in lines if len(line.filled) == 1]
    begun = Counter(plain(line.filled[0]).partition(" ")[0] for line in alone)
    heads = {
        line.number
        for line in alone
        for label in [label_of(line.filled[0])]
        for first in [plain(line.filled[0]).partition(" ")[0]]
        if (label.is_whole and label.kind in _HEADS) or (begun[first] > 1 and label_of(first).kind in _HEADS)
    }
    return heads if len(heads) * 2 < len(lines) else set()


def is_waiting_list(line: Line) -> bool:
    """Say whether a line says that those below it do not play, or not yet."""
    return len(line.filled) == 1 and plain(line.filled[0]).replace(" ", "") in _WAITING


def _parts(word: str) -> list[str]:
    """A word, or the words in a text that is written without blanks."""
    if word in _TOTALS or word in _COUNTED or word.isascii():
        return [word]
    for end in range(len(word) - 1, 0, -1):
        if word[:end] in _TOTALS or word[:end] in _COUNTED:
            return [word[:end], *_parts(word[end:])]
    return [word]
