"""Sixty reports as programs write them: made from the formats' specifications, right ones and ones with one fault.

TRF16 and TRF26 by FIDE's columns, toernooibase with both of its headers. Nothing is written by the product; the points
of each player are counted while the results are drawn.
"""

import random
from dataclasses import dataclass, field

import pytest

from reporting.rules.findings.finding_list import Severity
from tests.formats.report_files import TODAY, read_submission

FIRST = [
    "Aart", "Bea", "Cor", "Dina", "Edo", "Fenna", "Gijs", "Hilde", "Ivo", "Janna", "Kees", "Loes", "Menno",
    "Nel", "Otto", "Petra", "Rik", "Saar", "Teun", "Uschi",
]  # fmt: skip
LAST = [
    "Aldervoort", "Brinkvang", "Castelluna", "Duvallon", "Ezenkwo", "Feldrups", "Goverdink", "Harukawa",
    "Isebrandt", "Jorritsveld", "Korvaal", "Lindmarsh", "Moerdijken", "Nieuwstal", "Oldewey", "Pruisvaart",
    "Quakkel", "Roelvink", "Sternbach", "Torenvliet",
]  # fmt: skip
COUNTRIES = ["NED", "BEL", "FRA", "LAT", "LTU", "POL", "GER", "ITA", "CMR", "SEN"]
NO_ERROR: list[str] = []


@dataclass
class Drawn:
    """A tournament: rounds of pairs (white, black, points of each in 2-1-0, played), byes as pairs with 0."""

    seed: int
    players: int
    system: str
    rounds: list[list[tuple[int, int, int, int, bool]]] = field(default_factory=list)

    @property
    def points(self):
        sums = dict.fromkeys(range(1, self.players + 1), 0)
        for white, black, won, lost, _ in (game for games in self.rounds for game in games):
            sums[white] += won
            if black:
                sums[black] += lost
        return sums

    @property
    def places(self):
        ranked = sorted(self.points.items(), key=lambda item: (-item[1], item[0]))
        return {number: place for place, (number, _) in enumerate(ranked, start=1)}

    def cells(self, number):
        """For each round the opponent, the colour, own points, the opponent's, and whether it was played."""
        for games in self.rounds:
            for white, black, won, lost, played in games:
                if number == white:
                    yield black, "w", won, lost, played
                elif number == black:
                    yield white, "b", lost, won, played


def drawn(seed):
    """A round robin by the circle, or as many rounds of it as a Swiss has; a player too many has a pause."""
    chance = random.Random(seed)  # noqa: S311 (the same files each time)
    players = chance.choice([8, 9, 10, 12, 13, 14])
    system = chance.choice(["swiss", "round-robin"])
    seats = list(range(1, players + 1)) + [0] * (players % 2)
    tournament = Drawn(seed, players, system)
    for turn in range(len(seats) - 1 if system == "round-robin" else 7):
        games = []
        for one, other in zip(seats[: len(seats) // 2], reversed(seats[len(seats) // 2 :]), strict=True):
            white, black = (one, other) if (turn + one) % 2 else (other, one)
            if 0 in (one, other):
                games.append((one or other, 0, 2, 0, False))
            elif chance.random() < 0.04:
                games.append((white, black, *chance.choice([(2, 0), (0, 2)]), False))
            else:
                games.append((white, black, *chance.choice([(2, 0), (1, 1), (1, 1), (0, 2)]), True))
        tournament.rounds.append(games)
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return tournament


def name(seed, number):
    return LAST[(seed + number) % len(LAST)], FIRST[(seed * 3 + number) % len(FIRST)]


LETTERS = {(2, 0, True): "1", (1, 1, True): "=", (0, 2, True): "0", (2, 0, False): "+", (0, 2, False): "-"}


def trf(tournament, *, lines=(), halves=True, teams=False, extra=None):
    """The file by the columns of FIDE's specification; `extra` are printed points beyond those of the games."""
    seed, rounds = tournament.seed, len(tournament.rounds)
    head = [
        f"012 Dyke Cup {seed}",
        "022 Dyke Town",
        "032 NED",
        "042 2026/11/01",
        f"052 2026/11/{min(rounds, 14):02}",
        f"062 {tournament.players}",
        "102 Mara Linde",
        *lines,
    ]
    body = []
    for number, points in tournament.points.items():
        last, first = name(seed, number)
        printed = (points / 2 if halves else points) + (extra or {}).get(number, 0)
        text = (
            f"001 {number:>4} {'mw'[number % 2]}{['', 'MI', 'MF'][number % 3]:>3} {last + ', ' + first:<33} "
            f"{2000 + number:>4} {COUNTRIES[number % 10]:<3} {'':>11} {1950 + number}/05/{number:02} "
            f"{printed:>4.1f} {(number + 1) // 2 if teams else tournament.places[number]:>4}  "
        )
        for against, colour, won, lost, played in tournament.cells(number):
            letter = "+" if teams else "U"
            text += (
                f"0000 - {letter}  "
                if not against
                else f"{against:>4} {colour} {LETTERS[won, lost, played]}  "
            )
        body.append(text.rstrip())
    return head, body


def trf26(seed):
    """A file of TRF26 with tags that depend on the seed: scale, system, clock, byes, points apart, national records."""
    tournament = drawn(seed)
    halves = seed % 4 != 3
    code = {"swiss": "FIDE_DUTCH_2026", "round-robin": "BERGER_ROUNDROBIN_G1"}[tournament.system]
    lines = [
        f"142 {len(tournament.rounds)}",
        "152 W",
        f"192 {code}",
        f"222 {['4800+60', '45/5400:1800+30'][seed % 2]}",
    ]
    lines += ["182 Some program 3.1", "172 NED FIDON"] if seed % 2 else ["202 BH/C1,BH,SB"]
    if not halves:
        lines.append("162  W 2.0    D 1.0    L 0.0")
    elif seed % 5 == 0:
        lines.append("162  W 1.0    D 0.5    L 0.0    A 0.0    P 1.0")
    extra = {}
    if seed % 6 == 1:
        extra[2] = 0.5 if halves else 1
        lines.append(f"299        {extra[2]:>5.1f}   000    2")
    if seed % 6 == 2:
        lines.append("250      01.0 001 003 0001 0004")
        lines.append("260 001 002    1    3")
    head, body = trf(tournament, lines=lines, halves=halves, extra=extra)
    if seed % 3 == 0:
        last, first = name(seed, 1)
        body.append(f"NED    1 w    {last + ', ' + first:<33} 1850 GRO {4711:>11} 1951/05/01")
    return tournament, "\r\n".join([*head, *body, ""]), extra


def trf16(seed):
    tournament = drawn(seed)
    system = {"swiss": "Individual: Swiss-System", "round-robin": "Individual: Round-Robin"}[
        tournament.system
    ]
    days = "".join(f"26/11/{min(turn, 14):02}  " for turn in range(1, len(tournament.rounds) + 1))
    lines = [f"092 {system}", "112 Ivo Deputy", "122 80+60", f"132{'':88}{days}".rstrip(), "### a comment"]
    head, body = trf(tournament, lines=lines, halves=seed % 4 != 3)
    return tournament, "\n".join([*head, *body, ""]), {}


def toernooibase(seed):
    """Players by place; a cell names the opponent by place. Today's header has FMJD-IDs, the older one numbers."""
    tournament = drawn(seed)
    places = tournament.places
    numbers = {place: number for number, place in places.items()}
    rounds = ";".join(f"R{turn}" for turn in range(1, len(tournament.rounds) + 1))
    is_new = seed % 2 == 0
    columns = (
        f"Pl;FMJD-id;Title;Name;Cn;{rounds};Pt;" if is_new else f"Pl;Sno;p2;Title;Name;Cn;rating;{rounds};Pt "
    )
    text = [
        f";Dyke Cup {seed};" if is_new else f"; Dyke Cup {seed}",
        f";https://toernooibase.example/opvraag/standen.php?kl=46&Id={seed}",
        ";Berger rooster",
        ";fill in FMJD-report",
        columns,
    ]
    for place in range(1, tournament.players + 1):
        number = numbers[place]
        last, first = name(seed, number)
        cells = [
            "2/0" if not against else f"{won if played else '-'}/{places[against]}{colour}"
            for against, colour, won, lost, played in tournament.cells(number)
        ]
        front = (
            [str(place), str(30000 + number), "", f"{first} {last}", COUNTRIES[number % 10].lower()[:2]]
            if is_new
            else [f" {place}", f" {number}", " 0", "", f"{first} {last}", "nl", ""]
        )
        front[4 if is_new else 5] = "nl"
        text.append(";".join([*front, *cells, str(tournament.points[number])]) + ";" * is_new)
    return tournament, "\n".join([*text, ""]), {}


WRITERS = [trf26, trf26, toernooibase, trf16, toernooibase]
SEEDS = range(1, 61)
DETAILS = {
    trf26: "",
    trf16: 'time_control = "80+60"\n',
    toernooibase: 'time_control = "80+60"\nplayed_from = 2026-11-01\nplayed_to = 2026-11-09\nplace = "Dyke Town"\n'
    'country = "NED"\nreferee = "Mara Linde"\nsystem = "other"\n',
}


def written(seed):
    writer = WRITERS[seed % len(WRITERS)]
    tournament, text, extra = writer(seed)
    details = 'discipline = "100"\nannounced = 2026-10-01\nreferee_level = "national"\n' + DETAILS[writer]
    return writer, tournament, text, details, extra


def errors(text, details):
    submission = read_submission(content=text.encode(), sidecar=details.encode(), today=TODAY)
    return submission, [finding.code for finding in submission.findings if finding.severity is Severity.ERROR]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_right_file_is_read_without_a_refusal_and_with_the_right_points(seed):
    writer, tournament, text, details, extra = written(seed)
    submission, found = errors(text, details)
    read = submission.read
    by_number = {player.number: player for player in read.players}
    assert found == NO_ERROR
    expected = tournament.points
    if writer is toernooibase and seed % 2 == 0:  # the place is the number
        expected = {tournament.places[number]: points for number, points in expected.items()}
    assert read.points_summed == expected
    for number, points in expected.items():
        assert by_number[number].points_printed == (None if number in extra else points)
    played = sum(game[4] for games in tournament.rounds for game in games)
    assert sum(game.played for game in read.games) == played


def with_line(text, begins, edit):
    lines = text.split("\n")
    place = next(place for place, line in enumerate(lines) if line.startswith(begins))
    lines[place] = edit(lines[place])
    return "\n".join(lines)


def other_total(line):
    printed = float(line[80:84]) + 5
    return f"{line[:80]}{printed:>4.1f}{line[84:]}"


def other_result(line):
    return f"{line[:98]}{'0' if line[98] == '1' else '1'}{line[99:]}"


FAULTS_OF_TRF = [
    ("points-differ", lambda text: with_line(text, "001    1 ", other_total)),
    ("date-unknown", lambda text: text.replace("1953/05/03", "1953/02/30")),
    ("country-unknown", lambda text: with_line(text, "001    4 ", lambda line: f"{line[:53]}QQQ{line[56:]}")),
    ("cell-unreadable", lambda text: with_line(text, "001    1 ", lambda line: f"{line[:98]}?{line[99:]}")),
    ("columns-shifted", lambda text: with_line(text, "001    1 ", lambda line: f"{line[:30]} {line[30:]}")),
    ("cells-disagree", lambda text: with_line(text, "001    2 ", other_result)),
    ("name-missing", lambda text: with_line(text, "001    2 ", lambda line: f"{line[:14]}{'':33}{line[47:]}")),
]  # fmt: skip


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if WRITERS[seed % len(WRITERS)] is not toernooibase])
def test_a_fault_in_a_trf_is_exactly_its_finding(seed):
    writer, _, text, details, _ = written(seed)
    code, spoil = FAULTS_OF_TRF[seed % len(FAULTS_OF_TRF)]
    wrong = spoil(text)
    assert wrong != text
    if code == "points-differ" and writer is trf16 and seed % 4 != 3:
        # No scale fits all totals, so the one of most is proposed (decision 0090).
        code = "points-scale-differs"
    assert set(errors(wrong, details)[1]) == {code}


def in_cells(line, place, edit):
    cells = line.split(";")
    cells[place] = edit(cells[place])
    return ";".join(cells)


FAULTS_OF_TOERNOOIBASE = [
    ("points-differ", lambda line, new: in_cells(line, -2 if new else -1, lambda total: str(int(total) + 5))),
    ("cell-unreadable", lambda line, new: in_cells(line, 5 if new else 7, lambda _: "9/9x")),
    ("country-unknown", lambda line, new: in_cells(line, 4 if new else 5, lambda _: "qq")),
    ("points-unreadable", lambda line, new: in_cells(line, -2 if new else -1, lambda _: "many")),
]


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if WRITERS[seed % len(WRITERS)] is toernooibase])
def test_a_fault_in_a_toernooibase_is_exactly_its_finding(seed):
    _, _, text, details, _ = written(seed)
    code, spoil = FAULTS_OF_TOERNOOIBASE[seed // 2 % len(FAULTS_OF_TOERNOOIBASE)]
    new = seed % 2 == 0
    # A total decides a forfeit, so it is the line of a player without one.
    row = next(line for line in text.split("\n")[5:] if line and "-/" not in line)
    wrong = text.replace(row, spoil(row, new))
    assert set(errors(wrong, details)[1]) == {code}
