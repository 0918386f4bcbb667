"""Tournament details: read, checked, completed by the report file, and printed as a table."""

import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from reporting.federations.fmjd.details import FmjdDetails
from reporting.federations.fmjd.models import ResultSetDetails
from reporting.federations.iccf.models import ResultSetDetails as IccfResultSetDetails
from reporting.federations.registry import all_report_rules
from reporting.formats.tournament_details.reader import details_from_values
from reporting.formats.tournament_details.sidecar import read_details, without_private_details
from reporting.models import ResultSet
from reporting.reports.forms import TournamentDetailsForm, form_groups, private_group
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.known_details import (
    details_of,
    details_reference,
    known_details,
    private_details,
)
from reporting.rules.details.merge_tournament_details import complete_details
from reporting.rules.details.shared_details import NationalChampionship, System
from reporting.rules.findings.finding_list import Severity
from reporting.rules.report import ReportedInfo
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS

ROOT = Path(__file__).parents[2]
NEEDED = 'discipline = "100"\ntime_control = "80+30"\n'
KEYS = (
    "name place country played_from played_to rating_system discipline time_control "
    "minutes_for_60_moves session system official "
    "national_championship women_only youth veterans announced referee referee_level received admit corrects "
    "different_tournament number players newcomers rounds competition council_approved rating_service_paid "
    "world_cup_stars world_cup_groups absent_from_closing standings unplayed "
    "encoding points part fide_processed kind level delivery registered "
    "shared_places round_scores plus_draws decided_ties "
    "referee_contacts referee_languages assistant_referees sponsors special_cases"
)


def details(text=""):
    read, findings = read_details((NEEDED + text).encode())
    assert findings == ()
    return read


def finding_of(text):
    read, findings = read_details(text.encode())
    assert read is None
    assert len(findings) == 1
    return findings[0]


def test_form_and_api_have_exactly_the_declared_details():
    assert set(known_details()) == set(KEYS.split())


def test_the_reference_page_is_printed_from_the_declarations():
    assert (ROOT / "docs/reference/tournament-details.md").read_text(encoding="utf-8") == details_reference()


def test_every_detail_is_in_the_table_with_its_article():
    rows = [line.split("|") for line in details_reference().split("\n") if line.startswith("| `")]
    assert [row[1].strip(" `") for row in rows] == [detail.name for detail in known_details().values()]
    assert all(cell.strip() for row in rows for cell in row[1:-1])


def test_the_page_lists_exactly_the_keys_that_a_sidecar_may_have():
    page = (ROOT / "docs/reference/tournament-details.md").read_text(encoding="utf-8")
    keys = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    used = {rules.system: details_of(rules.details) for rules in all_report_rules()}
    assert set(keys) == {name for names in used.values() for name in names}
    of_fmjd = [key for key in keys if key in used["fmjd"]]
    _, findings = details_from_values(dict.fromkeys(of_fmjd, object()))
    assert "detail-unknown" not in {finding.code for finding in findings}
    assert finding_of(NEEDED + "nokey = 1").expected.split(", ") == of_fmjd


def test_every_detail_of_the_form_has_a_label_and_every_private_one_is_in_the_private_group():
    asked = [name for _, names in (*form_groups(), private_group()) for name in names]
    form = TournamentDetailsForm(values={}, asked=(*form_groups(), private_group()))
    assert len(asked) == len(set(asked))
    # Those of another federation are asked where its system is chosen.
    assert set(asked) - set(form.fields) == {
        "part", "fide_processed", "kind", "level", "delivery", "received", "registered",
    }  # fmt: skip
    assert all(field.label for field in form.fields.values())
    assert set(private_group()[1]) == {detail.name for detail in known_details().values() if detail.private}


PRIVATE = (
    'referee_contacts = "pieter@example.org, +32 400"\nreferee_languages = "Dutch, English"\n'
    'assistant_referees = "Ines Marlow"\nsponsors = "Riverside Bank"\n'
    'special_cases = "Round 3: the clock had stopped.\\nRound 5: late."\n'
)


def test_private_details_are_read_and_removed_from_a_sidecar():
    read = details(PRIVATE)
    assert (read.referee_contacts, read.referee_languages) == (
        "pieter@example.org, +32 400",
        "Dutch, English",
    )
    assert (read.assistant_referees, read.sponsors) == ("Ines Marlow", "Riverside Bank")
    assert read.special_cases == "Round 3: the clock had stopped.\nRound 5: late."
    assert read_details(without_private_details((NEEDED + PRIVATE).encode()))[0] == details()
    assert without_private_details(b"sponsors = Riverside") == b""


@pytest.mark.parametrize("name", ["referee_contacts", "special_cases"])
def test_a_finding_about_a_private_detail_does_not_repeat_it(name):
    finding = finding_of(f'{NEEDED}{name} = "{"pieter@example.org " * 200}"')
    assert (finding.code, finding.field) == ("detail-too-long", name)
    assert finding.found == "line 3, column 1: 3,799 characters"


def test_shared_places_are_groups_in_order():
    assert details('shared_places = ["7 - 9", "2-3"]').shared_places == ((2, 3), (7, 9))
    read = details('shared_places = ["2-3"]')
    assert [read.place_of(printed) for printed in (None, 1, 2, 3, 4)] == [None, 1, 2, 2, 4]


def test_points_of_rounds_plus_draws_and_decided_ties():
    read = details(
        'round_scores = ["12-0", "9 - 3"]\nplus_draws = ["3: 4-7", "5.2:2 - 9"]\ndecided_ties = ["7-3", "12 - 4-9"]'
    )
    assert read.counting.round_scores == ((12, 0), (9, 3))
    assert read.counting.plus_draws == ((3, 1, 4, 7), (5, 2, 2, 9))  # without a session: game 1
    assert read.counting.decided_ties == ((7, 3), (12, 4, 9))
    assert details('round_scores = ["3-0", "1-1"]').round_scores == ((3, 0), (1, 1))


@pytest.mark.parametrize(
    ("more", "holds"), [("", True), ("women_only = true", False), ('youth = "juniors"', False)]
)
def test_the_order_of_annex_17_is_that_of_the_world_championship(more, holds):
    assert details(f'competition = "world-championship"\n{more}').counting.is_world_championship is holds


def test_tie_breaks_and_methods_without_points_of_rounds_contradict_them():
    findings = read_details(
        (
            NEEDED + 'round_scores = ["3-0", "1-1"]\nstandings = ["short", "tpr"]\nunplayed = "draw-self"'
        ).encode()
    )[1]
    assert [(each.code, each.field, each.found.split(": ")[1]) for each in findings] == [
        ("details-contradict", "standings", "tpr"),
        ("details-contradict", "unplayed", "draw-self"),
    ]


def test_the_discipline_and_a_time_are_required():
    _, findings = read_details(b"")
    assert [(finding.code, finding.field) for finding in findings] == [
        ("detail-missing", "discipline"),
        ("detail-missing", "time_control"),
    ]


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ('time_control = "80+30"', 6600),
        ('time_control = "90/45+30+30@46"', 7650),
        ("minutes_for_60_moves = 110", 6600),
        ("minutes_for_60_moves = 127.5", 7650),
        ('time_control = "80+30"\nminutes_for_60_moves = 110', 6600),
    ],
)
def test_the_time_is_worked_out_to_seconds_for_sixty_moves(time, seconds):
    read, findings = read_details(f'discipline = "64"\n{time}'.encode())
    assert findings == ()
    assert read.seconds_for_60_moves == seconds


def test_every_kind_of_detail_is_read():
    read = details(
        'name = "Open"\ncountry = "rdf"\nplayed_from = 2026-01-02\nplayed_to = "2026-01-03"\nnumber = 7\n'
        'system = "round-robin"\nofficial = true\nyouth = "hopes"\nworld_cup_stars = 5\n'
        'rounds = [2026-01-02, 2026-01-03]\nstandings = ["plus"]\n[players]\n7 = 11285\n12 = 14302\n'
    )
    assert (read.name, read.country, read.number, read.official) == ("Open", "RUS", 7, True)
    assert (read.played_from, read.played_to) == (date(2026, 1, 2), date(2026, 1, 3))
    assert (read.system, read.youth, read.discipline) == (System.ROUND_ROBIN, "hopes", "100")
    assert (read.rounds, read.standings) == ((date(2026, 1, 2), date(2026, 1, 3)), ("plus",))
    assert (dict(read.players), read.world_cup_stars) == ({7: 11285, 12: 14302}, 5)


@pytest.mark.parametrize(
    ("line", "found", "known"),
    [
        ('standings = ["short", "solkoff-truncated"]', "solkoff-truncated", TIE_BREAKS),
        ('unplayed = "elo"', "elo", METHODS),
    ],
)
def test_an_unknown_tie_break_or_method_is_an_error_that_names_the_known_ones(line, found, known):
    finding = finding_of(line + "\n" + NEEDED)
    assert (finding.code, finding.field) == ("detail-unreadable", line.partition(" ")[0])
    assert (finding.found, finding.expected) == (f"line 1, column 1: {found}", ", ".join(known))


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ('standings = ["short", "full", "plus"]\nunplayed = "virtual"', "full, plus"),
        ('standings = ["wins", "boards"]\nsystem = "round-robin"', "boards"),
    ],
)
def test_tie_breaks_that_the_method_or_the_system_does_not_define_are_an_error(lines, found):
    finding = finding_of(lines + "\n" + NEEDED)  # R60c; Annex 3 art. 5.11.2
    assert (finding.code, finding.field) == ("details-contradict", "standings")
    assert finding.found == f"line 1, column 1: {found}"


def test_an_unknown_detail_is_an_error_that_names_the_known_ones():
    finding = finding_of(NEEDED + "tempo = 5")
    assert (finding.code, finding.field, finding.line) == ("detail-unknown", "tempo", None)
    assert finding.found == "line 3, column 1: tempo"
    assert finding.expected == ", ".join(details_of(FmjdDetails))


WRONG = [
    'discipline = "10x10"', "discipline = 100", 'time_control = "eighty"', "time_control = 80",
    "minutes_for_60_moves = true", "minutes_for_60_moves = 0", "minutes_for_60_moves = nan",
    "minutes_for_60_moves = 1e400", "minutes_for_60_moves = 0.001", "name = 5", 'name = "a \\u202e b"',
    'name = "hidden \\u202E"', 'country = "ZZ"', "played_from = 0001-01-01", "played_from = 9999-12-31",
    "received = 2101-01-01", 'announced = "1899-12-31"', "rounds = [2026-01-02, 9999-12-31]",
    "rounds = [" + "2026-01-02, " * 100 + "]", "number = 1000000", 'played_from = "2 January"',
    'played_from = "2026-02-30"', "played_from = 2026-01-02T10:00:00", 'official = "yes"', "official = 1",
    "number = 0", "number = 1.5", "number = true", "number = 0x" + "f" * 5000, 'system = "swis"', 'youth = "old"',
    "world_cup_stars = 4", "rounds = 2026-01-02", "rounds = [1]", 'standings = "plus"', "standings = [1]",
    'shared_places = "2-3"', "shared_places = [2]", 'shared_places = ["2-99999"]', 'shared_places = ["3-2"]',
    'shared_places = ["2-2"]', 'shared_places = ["2-3", "3-4"]', 'round_scores = "3-0"', "round_scores = [3]",
    'round_scores = ["0-3"]', 'round_scores = ["1-1"]', 'round_scores = ["1-1", "3-0"]', 'round_scores = ["3-0"]',
    'plus_draws = ["4-7"]', 'plus_draws = ["3: 4-4"]', 'plus_draws = ["3: 4-7", "3: 7-4"]', 'decided_ties = ["7"]',
    'decided_ties = ["7-7"]', 'decided_ties = ["7-3", "3-4"]', "special_cases = 3", 'special_cases = "a\\u0000b"',
    "players = [1]", "players = {0 = 11285}", 'players = {7 = "11285"}', "players = {7 = 0}", 'players = {"١" = 5}',
]  # fmt: skip


@pytest.mark.parametrize("line", WRONG)
def test_a_value_of_the_wrong_kind_is_an_error_that_names_the_field(line):
    key = line.partition(" ")[0]
    remaining = [other for other in NEEDED.split("\n") if other.partition(" ")[0] != key]
    if key == "minutes_for_60_moves":
        remaining = ['discipline = "100"']
    finding = finding_of("\n".join([line, *remaining]))
    assert finding.code == "detail-unreadable"
    assert (finding.severity, finding.field) == (Severity.ERROR, key)
    assert finding.found.startswith("line 1, column 1: ")
    assert finding.expected


LENGTHS = {
    "name": 80, "place": 60, "referee": 60, "time_control": 40, "session": 40, "admit": 2000, "corrects": 80,
    "referee_contacts": 200, "referee_languages": 100, "assistant_referees": 500, "sponsors": 300,
    "different_tournament": 2000,
}  # fmt: skip


def test_every_text_has_a_longest_length_and_the_database_holds_it():
    longest = {
        detail.name: detail.max_length
        for detail in known_details().values()
        if detail.kind in (Kind.TEXT, Kind.TIME_CONTROL, Kind.TIME_CONTROLS)
    }
    assert longest == LENGTHS
    of_model = {field.name: field for field in ResultSet._meta.get_fields()}
    assert not of_model.keys() & set(private_details())  # what is private stays in the sidecar
    for name in LENGTHS.keys() - {"admit", "corrects", "different_tournament", *private_details()}:
        column = of_model[name]
        assert getattr(column, "base_field", column).max_length == longest[name], name


def test_every_choice_fits_into_the_database():
    tables = (ResultSetDetails, IccfResultSetDetails, ResultSet)
    of_model = {field.name: field for table in tables for field in table._meta.fields}
    for detail in known_details().values():
        # The two choices for the reading itself stay next to the file.
        if detail.kind is Kind.CHOICE and detail.name not in ("encoding", "points"):
            assert max(map(len, detail.choices)) <= of_model[detail.name].max_length, detail.name
    assert max(map(len, TIE_BREAKS)) <= of_model["standings"].base_field.max_length
    assert max(map(len, METHODS)) <= of_model["unplayed"].max_length


def text_of(key, length):
    """A line of the sidecar with a text of this many characters, and the text."""
    control = "+".join(["10/10"] * 6) + "+" + "10".rjust(length - 36)
    text = control if key in ("time_control", "session") else "x" * length
    if key == "session":
        return f'{key} = ["{text}", "5+3"]', (text, "5+3")
    return f'{key} = "{text}"', text


@pytest.mark.parametrize(("key", "longest"), LENGTHS.items())
def test_a_text_of_the_longest_length_is_read_and_one_longer_is_an_error(key, longest):
    remaining = [line for line in NEEDED.split("\n") if not line.startswith(key)]
    line, text = text_of(key, longest)
    read, findings = read_details("\n".join([line, *remaining]).encode())
    assert findings == ()
    assert getattr(read, key) == text
    finding = finding_of("\n".join([text_of(key, longest + 1)[0], *remaining]))
    assert (finding.code, finding.field, finding.severity) == ("detail-too-long", key, Severity.ERROR)
    said = "characters" if key in private_details() else "characters: "
    assert finding.found.startswith(f"line 1, column 1: {longest + 1:,} {said}")
    assert key not in private_details() or text not in finding.found
    assert finding.expected == f"at most {longest:,} characters"


def test_the_reference_page_has_the_lengths():
    assert "| `name` | Name | text, at most 80 characters |" in details_reference()
    assert '| `standings` | Order of tie-breaks | list of `"solkoff"`, `"median"`, ' in details_reference()
    assert '| `unplayed` | Unplayed games in tie-breaks | one of `"face-value"`, ' in details_reference()
    assert "| `time_control` | Time control | time control, at most 40 characters |" in details_reference()


def test_a_finding_names_the_largest_number():
    assert finding_of(NEEDED + "number = 1000000").expected == "a whole number from 1 to 999,999"


def test_details_with_a_byte_order_mark_are_read():
    read, findings = read_details(b"\xef\xbb\xbf" + NEEDED.encode())
    assert findings == ()
    assert read.discipline == "100"
    _, (finding,) = read_details(b'\xef\xbb\xbfname = "caf\xe9"')
    assert finding.found.startswith("line 1, column 12")


def test_two_times_that_differ_contradict_each_other():
    finding = finding_of(NEEDED + "minutes_for_60_moves = 100")
    assert (finding.code, finding.field, finding.expected) == (
        "details-contradict", "minutes_for_60_moves", "110 min",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b'discipline = "100\n', "line 1, column 18"), (b"discipline = 100x", "line 1, column 17"),
        (b'name = "caf\xe9"', "line 1, column 12"), (b"a = " + b"[" * 20_000, "line 1, column 1: "),
        (b"a = " + b"9" * 5_000, "line 1, column 1: "), (b"a = 1e99999999999999999999", "line 1, column 1: "),
        (b"#" * 64_001, "64,001 bytes"),
    ],
)  # fmt: skip
def test_details_that_are_not_toml_are_one_finding(content, where):
    read, (finding,) = read_details(content)
    assert read is None
    assert (finding.code, finding.field) == ("details-unreadable", "details")
    assert finding.found.startswith(where)


def test_all_faults_of_the_details_are_reported_at_once():
    _, findings = read_details(b'discipline = "12"\nofficial = 1\nfoo = 2\n')
    assert {finding.field for finding in findings} == {"discipline", "official", "foo", "time_control"}


def test_values_of_a_form_are_read_the_same_way():
    read, findings = details_from_values(
        {"discipline": "100", "minutes_for_60_moves": 110, "played_from": date(2026, 1, 2)}
    )
    assert findings == ()
    assert (read.minutes_for_60_moves, read.played_from) == (Decimal(110), date(2026, 1, 2))


INFO = ReportedInfo(
    name="Riverside  Open", played_from=date(2026, 1, 2), played_to=date(2026, 1, 9), system="swiss",
    national_championship=False, women_championship=True, referee="Pieter Ostrava", place="Ghent", country="be",
    country_code="BEL",
    positions={"name": (2, 8), "played_to": (4, 13), "women_championship": (7, 22), "system": (5, 8)},
)  # fmt: skip


def test_what_the_details_leave_out_comes_from_the_file():
    merged, findings = complete_details(details(), INFO)
    assert findings == ()
    assert (merged.name, merged.played_to, merged.system) == (
        "Riverside  Open", date(2026, 1, 9), System.SWISS,
    )  # fmt: skip
    assert (merged.country, merged.referee, merged.place) == ("BEL", "Pieter Ostrava", "Ghent")
    assert (merged.women_only, merged.national_championship) == (True, NationalChampionship.NO)


def test_other_case_and_spaces_are_no_difference():
    _, findings = complete_details(
        details('name = "riverside open"\ncountry = "BEL"\nsystem = "swiss"\n'), INFO
    )
    assert findings == ()


def test_a_difference_is_a_warning_at_the_line_of_the_file_and_the_details_count():
    merged, findings = complete_details(details("played_to = 2026-01-10\nwomen_only = false\n"), INFO)
    assert merged.played_to == date(2026, 1, 10)
    assert [(finding.code, finding.line, finding.column, finding.field) for finding in findings] == [
        ("details-differ", 4, 13, "played_to"),
        ("details-differ", 7, 22, "women_only"),
    ]
    assert {finding.severity for finding in findings} == {Severity.WARNING}


def test_the_file_names_finals_only_so_its_no_does_not_deny_a_qualification():
    merged, findings = complete_details(details('national_championship = "qualification"'), INFO)
    assert (findings, merged.national_championship) == ((), NationalChampionship.QUALIFICATION)
    _, findings = complete_details(details('national_championship = "final"'), INFO)
    assert [finding.field for finding in findings] == ["national_championship"]


def test_women_only_and_a_championship_that_neither_names_are_no():
    merged, _ = complete_details(details(), ReportedInfo())
    assert (merged.women_only, merged.national_championship) == (False, NationalChampionship.NO)


# --- sessions


def test_a_session_has_the_time_controls_of_the_games_of_a_round():
    read, findings = read_details(b'discipline = "100"\nsession = ["80+30", "15+5", "5+3"]\n')
    assert findings == ()
    assert read.session == ("80+30", "15+5", "5+3")
    # 80 min + 60 x 30 s = 110 min; 15 min + 60 x 5 s = 20 min; 5 min + 60 x 3 s = 8 min (R6): the most time first.
    assert read.seconds_of_games == (6600, 1200, 480)
    assert read.seconds_for_60_moves == 6600


def test_a_tournament_without_session_has_one_time_for_its_games():
    assert details().seconds_of_games == (6600,)


@pytest.mark.parametrize(
    ("session", "found"),
    [
        ('"80+30, 15+5"', "80+30, 15+5"),  # a text, no list
        ('["80+30"]', "80+30"),  # one game is no session
        ('["80+30", 15]', "15"),
        ('["80+30", "soon"]', "soon"),
        ('["80+30", ""]', ""),
        (str(["5+3"] * 10), "5+3"),  # TOML takes these quotes too
    ],
)
def test_a_session_that_cannot_be_read_is_an_error(session, found):
    finding = finding_of(f'discipline = "100"\nsession = {session}')
    assert (finding.code, finding.field, finding.severity) == ("detail-unreadable", "session", Severity.ERROR)
    assert found in finding.found


def test_an_empty_session_is_none():
    assert details("session = []").session == ()


def test_players_absent_from_the_closing_are_tournament_numbers_each_once():
    assert details("absent_from_closing = [4, 12]\n").absent_from_closing == (4, 12)
    assert details('world_cup_groups = "separate"\n').world_cup_groups == "separate"
    for value in ("[4, 4]", "[0]", '["4"]', "4", "[true]"):
        assert finding_of(NEEDED + f"absent_from_closing = {value}").field == "absent_from_closing"
