"""TRF26, FIDE's report file of 2026: what its lines say of the tournament, its points and its people."""

import pytest

from reporting.formats.detect import read_report
from reporting.rules.findings.finding_list import Severity
from reporting.rules.report import PointsScale
from tests.formats.report_files import FILES, TODAY, read_submission

GOOD = (FILES / "dyke-town-open-2026.trf").read_bytes().decode()
"""Eight players, seven rounds from 1 to 7 Nov 2026, 1-½-0, in TRF16."""


def with_lines(*lines, text=GOOD):
    """The file with more lines of the tournament, before its players."""
    return text.replace("102 Mara Linde\n", "\n".join(["102 Mara Linde", *lines, ""])).encode()


def codes(read):
    return [finding.code for finding in read.findings]


# 162: points


@pytest.mark.parametrize(
    "line",
    ["162  W 1.0    D 0.5    L 0.0", "162  W 1.0  D 0.5  L 0.0  P 1.0", "162  D 0.5", "162  w 1   d .5"],
)
def test_the_points_of_the_file_need_no_sums(line):
    read = read_report(with_lines(line))
    assert codes(read) == ["points-system-unreadable"] * (" .5" in line)
    assert (read.info.points, read.players[1].points_printed) == (PointsScale.HALVES, 9)


def test_other_points_than_those_of_draughts_are_not_compared():
    """3-1-0, as in football: number 2 has 3 wins and 3 draws, which are 9 points in 2-1-0."""
    read = read_report(with_lines("162  W 3.0    D 1.0    L 0.0"))
    (finding,) = read.findings
    assert (finding.code, finding.severity) == ("points-system-unknown", Severity.WARNING)
    assert finding.message.startswith(
        "The points column counts 3.0, 1.0 and 0.0 for a win, a draw and a loss."
    )
    assert {player.points_printed for player in read.players} == {None}
    assert (read.points_summed[2], read.info.points) == (9, None)


# The inputs


def test_a_round_robin_in_trf26_needs_no_details_of_its_own():
    """System, clock, tie-breaks and scale are in the file; 4800+30 seconds are 80 minutes and 30 seconds (R26)."""
    content = (FILES / "dyke-town-open-trf26.trf").read_bytes()
    submission = read_submission(
        content=content,
        sidecar=b'discipline = "100"\nannounced = 2026-10-01\nreceived = 2026-11-10\n',
        today=TODAY,
    )
    details = submission.details
    assert submission.read.format == "trf26"
    assert (details.system, details.time_control, details.seconds_for_60_moves) == (
        "round-robin", "80+30", 6600,
    )  # fmt: skip
    assert (details.standings, details.points) == (("SB", "DE"), PointsScale.HALVES)
    # Sonneborn-Berger of number 3: 3 + 1.25 + 2.25 + 2.25 + 3.5 = 12.25; of number 4: 1.5 + 3.5 + 3 + 4.5 = 12.5.
    (finding,) = submission.findings
    assert (finding.code, finding.severity) == ("places-contradict-tie-breaks", Severity.WARNING)


def test_a_swiss_with_all_tags_has_the_points_of_its_column():
    read = read_report((FILES / "nancy-open-trf26.trf").read_bytes())
    assert codes(read) == []
    # As printed: 3.0 3.5 5.5 4.5 4.5 3.5 4.5 3.5 5.5 7.0.
    assert [player.points_printed for player in read.players] == [6, 7, 11, 9, 9, 7, 9, 7, 11, 14]
    assert read.points_summed == {player.number: player.points_printed for player in read.players}
    info = read.info
    assert (info.system, info.time_control, info.standings) == ("swiss", "80+60", ("BH", "SB", "DE"))
    assert {piece.key for piece in read.unread} >= {"trf26-152", "trf26-172", "trf16-comment"}


# 192 and 092: the system


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("Individual: Swiss-System", "swiss"), ("FIDE (Dutch) System", "swiss"),
        ("Schweizer System, 7 Runden", "swiss"), ("Système suisse", "swiss"), ("Zwitsers", "swiss"),
        ("Швейцарская система", "swiss"), ("Individual: Double Round Robin", "round-robin"),
        ("All-play-all", "round-robin"), ("Rundenturnier", "round-robin"), ("Tournoi toutes rondes", "round-robin"),
        ("Круговой", "round-robin"), ("Team: Swiss-System", "teams"), ("Mannschafts-Rundenturnier", "teams"),
        ("Командный турнир", "teams"), ("Knockout", "other"), ("Swiss, then a round robin", ""),
        ("Steam engines", ""), ("7 rounds", ""),
    ],
)  # fmt: skip
def test_a_system_is_recognised_by_its_words(text, system):
    read = read_report(GOOD.replace("Individual: Swiss-System", text).encode())
    assert read.info.system == system
    assert ("trf16-system" in {piece.key for piece in read.unread}) is not system


@pytest.mark.parametrize(
    ("code", "system"),
    [
        ("FIDE_DUTCH_2026", "swiss"), ("FIDE_BURSTEIN_BAKU", "swiss"), ("FIDE_DOUBLESWISS", "swiss"),
        ("CUSTOM_SWISS", "swiss"), ("BERGER_ROUNDROBIN_G2", "round-robin"),
        ("FIDE_DOUBLEROUNDROBIN", "round-robin"), ("FIDE_TEAM_TYPEA_MP_GP", "teams"),
        ("BERGER_TEAM_ROUNDROBIN", "teams"), ("CUSTOM_TEAM_SWISS", "teams"), ("FIDE_SCHEVENINGEN", "teams"),
        ("CUSTOM_KNOCKOUT", "other"),
    ],
)  # fmt: skip
def test_the_code_of_line_192_counts_before_the_words_of_line_092(code, system):
    assert read_report(with_lines(f"192 {code}")).info.system == system
    before = GOOD.replace("092 Individual: Swiss-System\n", f"192 {code}\n092 Individual: Swiss-System\n")
    assert read_report(before.encode()).info.system == system


def test_an_unknown_code_leaves_the_words():
    read = read_report(with_lines("192 HOUSE_RULES"))
    assert read.info.system == "swiss"
    assert "trf26-system" in {piece.key for piece in read.unread}


# 222: the clock in seconds


@pytest.mark.parametrize(
    ("code", "control"),
    [
        ("5400+30", "90+30"),  # 90'+30"
        ("900+10", "15+10"),
        ("1500", "25"),
        ("2730+5", "45.5+5"),
        ("40/6000+30:900+30", "100/40+15+30@1"),  # 100' for 40 moves + 15' + 30" from move 1
        ("40/6000+30:20/3000+30:1500+30", "100/40+50/20+25+30@1"),
        ("45/5400:1800+30", "90/45+30+30@46"),
        ("40/7200:3600", "120/40+60"),
        ("W300-B300", "5"),
        ("W300-B240", ""),  # other times for Black
        ("905+10", ""),  # 15 min 5 s have no notation here
        ("40/6000+30:900+10", ""),  # the seconds change
        ("15+10 min", ""),
        ("5400+30:900", ""),  # a period without moves before the last one
    ],
)
def test_the_times_of_line_222_are_seconds(code, control):
    read = read_report(with_lines("122 two hours", f"222 {code}"))
    assert read.info.time_control == control
    assert ("trf26-time-control" in {piece.key for piece in read.unread}) is not bool(control)


@pytest.mark.parametrize("lines", [("122 90+30", "222 900+10"), ("222 900+10", "122 90+30")])
def test_line_222_counts_before_line_122(lines):
    assert read_report(with_lines(*lines)).info.time_control == "15+10"


def test_a_long_time_of_line_222_is_in_its_own_unit():
    """36000 seconds are 600 minutes by the format (R26); 600 in line 122 may be seconds."""
    for line, found in (("222 36000", 0), ("122 600", 1)):
        submission = read_submission(content=with_lines(line), sidecar=b'discipline = "100"\n', today=TODAY)
        assert submission.details.time_control == "600"
        assert [finding.code for finding in submission.findings].count("time-control-long") == found


# 142, 202, 212


def test_fewer_rounds_than_the_file_says_are_a_warning():
    assert codes(read_report(with_lines("142 7"))) == []
    (finding,) = read_report(with_lines("142 9")).findings
    assert (finding.code, finding.severity, finding.found) == ("round-count-differs", Severity.WARNING, "9")
    read = read_report(with_lines("142 nine"))
    assert (codes(read), read.unread[0].key) == ([], "trf26-round-count")


@pytest.mark.parametrize(
    ("lines", "taken"),
    [
        (("202 BH/C1,BH,SB",), ("BH/C1", "BH", "SB")), (("212 PTS,DE,WIN",), ("DE", "WIN")),
        (("202 BH", "212 PTS,SB"), ("BH",)), (("212 PTS,SB", "202 BH"), ("BH",)), (("202 EDET/P,BH",), ()),
    ],
)  # fmt: skip
def test_the_tie_breaks_of_the_file_complete_the_details(lines, taken):
    sidecar = b'discipline = "100"\ntime_control = "80+30"\n'
    submission = read_submission(content=with_lines(*lines), sidecar=sidecar, today=TODAY)
    assert submission.details.standings == taken
    found = [finding for finding in submission.findings if finding.code == "tie-breaks-unknown"]
    assert [(one.severity, one.asked_detail) for one in found] == [(Severity.NOTE, "standings")] * (not taken)
    own = read_submission(
        content=with_lines(*lines), sidecar=sidecar + b'standings = ["short"]\n', today=TODAY
    )
    assert own.details.standings == ("short",)
    assert "tie-breaks-unknown" not in codes(own)


# 162: byes and absences


def byes(*cells, total, line=""):
    """Number 1 alone has these cells of ten columns, and this total; number 2 has nothing."""
    lines = ["012 Small Open", *filter(None, [line])]
    for number, points, own in ((1, total, cells), (2, "0.0", ())):
        lines.append(
            f"001 {number:>4} m    {'Aabel, Ann':<33}      NED             {'':10} {points:>4} {number:>4}  "
            + "".join(f"{cell:<10}" for cell in own)
        )
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("line", "total", "points"),
    [
        ("162  W 1.0    D 0.5    P 1.0", "1.0", [2]),
        ("162  W 1.0    D 0.5    P 0.5", "0.5", [1]),
        ("162  W 1.0    D 0.5    P 0.0", "0.0", []),
        ("162  W 2.0    D 1.0", "2.0", [2]),
        ("162  W 2.0    D 1.0    P 1.0", "1.0", None),  # in 2-1-0 a bye of one point is none of both
    ],
)
def test_a_bye_by_the_pairing_gives_the_points_of_line_162(line, total, points):
    read = read_report(byes("0000 - U", total=total, line=line))
    if points is None:
        assert codes(read) == ["half-point-bye"]
        return
    assert codes(read) == []
    assert [game.white_points for game in read.games] == points
    assert read.players[0].points_printed == read.points_summed[1]


def test_points_for_absence_are_no_points_of_a_game():
    """Half a point for each of two absences: 1.0 in the column, and no results."""
    read = read_report(byes("0000 - Z", "0000 - -", total="1.0", line="162  W 1.0    D 0.5    A 0.5"))
    assert [finding.code for finding in read.findings if finding.severity is Severity.ERROR] == []
    assert (read.players[0].points_printed, read.games) == (None, ())


@pytest.mark.parametrize("line", ["BBW  3.0", "BBD  0.0", "BBU  0.5", "XXS W=3.0 D=1.0"])
def test_a_line_of_a_program_that_sets_points_is_a_warning(line):
    (finding,) = [one for one in read_report(with_lines(line)).findings if one.severity is Severity.WARNING]
    assert (finding.code, finding.case, finding.found) == ("points-not-read", "program", line)


def test_the_usual_points_of_a_program_are_no_finding():
    assert codes(read_report(with_lines("BBW  1.0", "BBD  0.5", "BBL  0.0", "XXR 7"))) == [
        "points-scale-taken"
    ]


# 240: byes


def test_a_bye_of_line_240_fills_a_round_without_a_cell():
    """Number 2 is absent in round 7 by the cells; line 240 gives half a point, which its total has."""
    absent = GOOD.replace(
        "4.5    1     7 w =     1 b 1     8 w 1     3 w =     4 b 0     5 w 1     6 b =",
        "4.5    1     7 w =     1 b 1     8 w 1     3 w =     4 b 0     5 w 1          ",
    )
    absent = absent.replace("1 b 1     2 w =\n", "1 b 1           \n")
    absent = absent.replace("3.5    5     3 b 1", "3.0    5     3 b 1")
    read = read_report(with_lines("240 H 007 0002", text=absent))
    assert codes(read) == []
    assert read.players[1].points_printed == read.points_summed[2] == 9
    assert [(game.white, game.black, game.white_points) for game in read.games if game.is_pause] == [
        (2, 0, 1)
    ]


@pytest.mark.parametrize(
    ("line", "code", "unread"),
    [
        ("240 H 003 0002", "bye-differs", None),  # has a game there
        ("240 F 008 0002", None, "trf26-coming-bye"),
        ("240 X 003 0002", "record-unreadable", "trf26-record"),
        ("240 H 00x 0002", "record-unreadable", "trf26-record"),
    ],
)
def test_a_line_240_that_cannot_be_used(line, code, unread):
    read = read_report(with_lines(line))
    assert codes(read) == [code] * bool(code)
    assert (unread is None) or unread in {piece.key for piece in read.unread}
    assert read.points_summed[2] == 9


# 250, 299


def test_fictitious_points_are_not_in_the_points():
    read = read_report(with_lines("250      01.0 001 003 0001 0004"))
    assert codes(read) == []
    assert "trf26-250" in {piece.key for piece in read.unread}
    assert read.players[1].points_printed == 9


@pytest.mark.parametrize(
    ("line", "total", "said"),
    [
        # A penalty of half a point; 4.5 from the games.
        ("299         -0.5   000    2", "4.0", "Line 299 gives −0.5 points to 2."),
        ("299          1.0   003    2", "5.5", "Line 299 gives 1.0 points to 2 in round 3."),
        # Each of the three wins of number 2 counts 0.5 instead of 1.
        ("299 W        0.5          2", "3.0", "Line 299 gives 0.5 points to 2."),
        # The win of round 3 counts 1.5.
        ("299 W        1.5   003    2", "5.0", "Line 299 gives 1.5 points to 2 in round 3."),
    ],
)
def test_points_given_apart_are_told_and_the_total_is_right_with_them(line, total, said):
    read = read_report(with_lines(line, text=GOOD.replace(" 4.5    1     7", f" {total}    1     7")))
    (finding,) = read.findings
    assert (finding.code, finding.severity) == ("points-apart", Severity.WARNING)
    assert finding.message.startswith(said)
    assert (read.players[1].points_printed, read.points_summed[2]) == (None, 9)
    # The other totals are compared as always, and so is a total that is wrong with these points too.
    assert read.players[0].points_printed == 5
    wrong = read_report(with_lines(line))
    assert wrong.players[1].points_printed == 9


def test_a_line_299_that_cannot_be_read_is_a_warning():
    for line in ("299 Q        1.0   003    2", "299          1.2   003    2", "299          1.0   003"):
        assert codes(read_report(with_lines(line))) == ["record-unreadable"]


# Teams


TEAMS = """\
012 Team Cup
192 FIDE_TEAM_ROUNDROBIN
082 2
001    1 m    Aabel, Ann                             NED             1980/01/01  2.0    1     3 w 1  0000 - +
001    2 m    Bosch, Bea                             NED             1980/01/01  0.5    3     4 b =  0000 - Z
001    3 m    Claes, Cor                             BEL             1980/01/01  0.0    4     1 b 0  0000 - Z
001    4 m    Dierickx, Dan                          BEL             1980/01/01  0.5    2     2 w =  0000 - -
310   1 Amstel                           AMS     2400    2.0    2.5   1     1    2
310   2 Brabo                            BRA     2300    0.0    0.5   2     3    4
"""


def test_a_win_without_an_opponent_is_points_without_a_game_in_a_file_of_teams():
    read = read_report(TEAMS.encode())
    assert codes(read) == []
    assert read.info.system == "teams"
    assert [(game.white, game.black, game.result, game.played) for game in read.games if game.round == 2] == [
        (1, 0, "2-0", False)
    ]
    assert read.points_summed == {1: 4, 2: 1, 3: 0, 4: 1}
    # In a file of players it asks, as before.
    alone = read_report(byes("0000 - +", total="1.0"))
    assert [finding.code for finding in alone.findings if finding.severity is Severity.ERROR] == [
        "cell-unreadable"
    ]


def test_the_place_of_a_player_is_the_rank_of_the_team():
    """R52a: an equal place is one team."""
    assert [player.place for player in read_report(TEAMS.encode()).players] == [1, 1, 2, 2]
    shared = TEAMS.replace("0.5   2     3    4", "0.5   1     3    4")
    read = read_report(shared.encode())
    assert codes(read) == ["team-rank-shared"]
    assert {player.place for player in read.players} == {None}


def test_records_of_teams_make_it_a_competition_of_teams():
    read = read_report(TEAMS.replace("192 FIDE_TEAM_ROUNDROBIN\n", "").encode())
    assert (read.info.system, codes(read)) == ("teams", [])


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("320  1.0  2.0 001 002", "points-not-read",
         "The match points and game points of a team’s bye are not used."),
        ("362 TW 3.0    TD 1.0    TL 0.0", "points-not-read", "These match points are not used."),
        ("299 W  3.0          001    1", "points-not-read",
         "Line 299 changes match points or game points of teams."),
        ("362 TW 2.0    TD 1.0    TL 0.0", "", ""), ("300 002   1   2    2    1", "", ""),
        ("330 +- 002   1   2", "", ""), ("352 WBWB", "", ""), ("240 H 002    1", "", ""),
        ("802   1 AMS      2.0    2.5    2 w  1.5 ", "", ""),
        ("013 Amstel                           1    2", "", ""),
    ],
)  # fmt: skip
def test_what_has_an_effect_on_points_and_is_not_read_is_a_warning_that_says_so(line, code, said):
    read = read_report(TEAMS.encode() + line.encode() + b"\n")
    assert codes(read) == [code] * bool(code)
    assert all(
        finding.message.startswith(said) and finding.severity is Severity.WARNING for finding in read.findings
    )
    assert read.points_summed == {1: 4, 2: 1, 3: 0, 4: 1}


def test_a_member_whom_no_line_has_is_a_warning():
    read = read_report(TEAMS.replace("2     3    4", "2     3    9").encode())
    (finding,) = read.findings
    assert (finding.code, finding.found) == ("team-member-unknown", "9")


# National records


def test_a_national_record_completes_sex_birth_and_number():
    name = f"{'Aldervoort, Piet':<33}      NED             "
    text = GOOD.replace(f"   1 m    {name}1971/03/02", f"   1      {name}          ")
    record = f"NED    1 m    {'Aldervoort, Pieter':<33} 1850 GRO {'48711':>11} 1971/03/02"
    read = read_report((text + record + "\n").encode())
    player = read.players[0]
    assert codes(read) == []
    assert (player.sex, player.born.isoformat(), player.name) == ("M", "1971-03-02", "Aldervoort, Piet")
    assert (player.rating_printed, player.local_id, player.fmjd_id) == (None, "", None)
    assert player.other_numbers == {"NED": 48711}
    assert "trf26-national-rating" in {piece.key for piece in read.unread}
    text = read_report((text + record.replace("48711", "A4871") + "\n").encode())
    assert (text.players[0].other_numbers, "trf26-national" in {piece.key for piece in text.unread}) == (
        {},
        True,
    )
    # What the player's own line says counts.
    other = record.replace("1971/03/02", "1970/01/01").replace(" m ", " w ", 1)
    assert read_report((GOOD + other + "\n").encode()).players[0].born.isoformat() == "1971-03-02"


def test_a_national_record_of_nobody_is_a_warning():
    read = read_report((GOOD + "NED    9 m    Somebody, Else\n").encode())
    (finding,) = read.findings
    assert (finding.code, finding.found) == ("national-record-unknown", "9")
