"""The demonstration federation follows the arithmetic of its report format."""

import csv
import io
import re
import tomllib
from collections import Counter
from datetime import date, timedelta

import pytest

from config.demo.calendar import quarters_frozen
from config.demo.federation import DemoFederation, DemoReport, build_federation
from config.demo.people import read_federations
from config.demo.tournaments import OLDEST_IN_YOUTH
from reporting.formats.detect import read_report
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.register.countries import country_code
from tests.formats.report_files import read_submission

TODAY = date(2026, 11, 20)
OTHER_DAYS = [date(2026, 10, 1), date(2027, 1, 1), date(2027, 2, 28), date(2028, 4, 16), date(2029, 7, 30)]
NAME = re.compile(r"[A-Za-z][A-Za-z' -]{1,16}")
RESULTS = {"2-0": (2, 0), "0-2": (0, 2), "1-1": (1, 1), "2x0": (2, 0), "0x2": (0, 2), "0x0": (0, 0)}
SECTIONS = re.compile(
    r"<section Info>\n(.*)</end info>\n"
    r"<section players>\n(.*)</end players>\n"
    r"<section results>\n(.*)</end results>\n",
    re.DOTALL,
)
INFO_KEYS = [
    "name", "played from", "played to", "type", "national championship", "women championship", "name of referee",
    "place", "country", "remarks", "winner",
]  # fmt: skip


class Read:
    """A report taken apart by hand, without the project's own reader."""

    def __init__(self, report: DemoReport) -> None:
        info, players, results = SECTIONS.fullmatch(report.content.decode("ascii")).groups()
        self.info = dict(line.split(" = ", 1) for line in info.splitlines())
        self.players = {int(line.split(",")[1]): line.split(",") for line in players.splitlines()}
        self.games = [
            (int(number), int(white), int(black), result)
            for number, white, black, result in (line.split(",") for line in results.splitlines())
        ]
        self.details = tomllib.loads(report.sidecar.decode())


@pytest.fixture(scope="module")
def federation() -> DemoFederation:
    return build_federation(seed=1, today=TODAY)


def all_reports(federation: DemoFederation) -> list[DemoReport]:
    quarters = [*federation.quarters, *federation.quarters_64]
    stories = [federation.overlooked, federation.late, federation.returned, federation.walk]
    return [report for quarter in quarters for report in quarter.reports] + [
        *federation.waiting,
        *stories,
        *federation.cup.reports,
    ]


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


@pytest.fixture(scope="module")
def many_reports() -> list[DemoReport]:
    """The reports of several seeds and days: pairing and arithmetic must hold for all of them."""
    return [
        report
        for seed, day in enumerate([TODAY, *OTHER_DAYS], start=1)
        for report in all_reports(build_federation(seed=seed, today=day))
    ]


def test_same_seed_and_day_same_bytes(federation):
    assert build_federation(seed=1, today=TODAY) == federation


def test_other_seed_other_people(federation):
    assert build_federation(seed=2, today=TODAY).register_csv != federation.register_csv


def test_counts(federation):
    register, opening = rows(federation.register_csv), rows(federation.opening_list_csv)
    assert len(register) == len({row["fmjd_id"] for row in register}) == 600
    assert len({row["federation"] for row in register}) == 25
    assert 0.17 < sum(row["sex"] == "W" for row in register) / 600 < 0.23
    assert len(opening) == 560
    assert {row["fmjd_id"] for row in opening} <= {row["fmjd_id"] for row in register}
    assert [12 <= len(quarter.reports) <= 16 for quarter in federation.quarters] == [True] * 3
    assert len(federation.waiting) == 4


def test_quarters_of_the_demonstration_day(federation):
    assert federation.opening_in_force == date(2026, 1, 1)
    assert [(quarter.closing, quarter.in_force) for quarter in federation.quarters] == [
        (date(2026, 3, 15), date(2026, 4, 1)),
        (date(2026, 6, 15), date(2026, 7, 1)),
        (date(2026, 9, 15), date(2026, 10, 1)),
    ]


def test_a_quarter_runs_until_the_scheduler_freezes_it():
    assert quarters_frozen(date(2026, 12, 22), 1)[0].in_force == date(2026, 10, 1)
    assert quarters_frozen(date(2026, 12, 23), 1)[0].in_force == date(2027, 1, 1)


def test_register_names_titles_and_ids(federation):
    register = rows(federation.register_csv)
    for row in register:
        assert NAME.fullmatch(row["last_name"])
        assert NAME.fullmatch(row["first_name"])
        assert 10000 <= int(row["fmjd_id"]) <= 99999
        assert row["title"] in {"", "GMI", "MI", "MF", "CMF", "GMIF", "MIF", "MFF", "CMFF"}
        assert not row["title"].endswith("FF") or row["sex"] == "W"
        assert re.fullmatch(r"(\d{4}(-\d\d-\d\d)?)?", row["born"])
    assert len({(row["first_name"], row["last_name"]) for row in register}) == 600


@pytest.mark.parametrize("day", [TODAY, *OTHER_DAYS])
def test_titles_of_the_years_end_in_those_of_the_register(day):
    federation = build_federation(seed=1, today=day)
    titles = {row["fmjd_id"]: row["title"] for row in rows(federation.register_before_titles_csv)}
    days = [registered.on for registered in federation.titles]
    assert days == sorted(set(days))
    assert federation.opening_in_force - days[-1] < timedelta(days=365)
    for registered in federation.titles:
        for row in rows(registered.register_csv):
            assert row["title"] not in {"", titles[row["fmjd_id"]]}
            titles[row["fmjd_id"]] = row["title"]
    assert titles == {row["fmjd_id"]: row["title"] for row in rows(federation.register_csv)}


def test_every_other_pool_has_an_opening_list_and_tournaments_after_it(federation):
    first, second, third, fourth = (date(2026, month, 1) for month in (1, 4, 7, 10))
    assert {pool.code: (pool.opening_in_force, *pool.lists_in_force) for pool in federation.pools} == {
        "fmjd-64": (second, third, fourth),
        "fmjd-100-rapidblitz": (first, second, third, fourth),
        "fmjd-64-rapidblitz": (second, third, fourth),
    }
    known = {row["fmjd_id"] for row in rows(federation.opening_list_csv)}
    for pool in federation.pools:
        assert {row["fmjd_id"] for row in rows(pool.opening_list_csv)} < known
    assert [quarter.in_force for quarter in federation.quarters_64] == [third, fourth]
    for quarter in [*federation.quarters, *federation.quarters_64]:
        minutes = [time_control_minutes(report) for report in quarter.reports]
        assert min(minutes) < 30 <= max(minutes)  # rapid-blitz and classical (R6)


def time_control_minutes(report: DemoReport) -> float:
    return (
        parse_time_control(tomllib.loads(report.sidecar.decode())["time_control"]).seconds_for_60_moves / 60
    )


def test_titles_are_in_line_with_strength(federation):
    rating = {row["fmjd_id"]: int(row["rating"]) for row in rows(federation.opening_list_csv)}
    titles: dict[str, list[int]] = {}
    for row in rows(federation.register_csv):
        titles.setdefault(row["title"], []).append(rating.get(row["fmjd_id"], 0))
    means = [sum(titles[title]) / len(titles[title]) for title in ("GMI", "MI", "MF", "CMF", "")]
    assert means == sorted(means, reverse=True)


def test_opening_list_has_every_kind_of_player(federation):
    closing = date(2025, 12, 15)
    opening = rows(federation.opening_list_csv)
    years_away = [(closing - date.fromisoformat(row["last_game"])).days / 365.25 for row in opening]
    assert min(years_away) >= 0
    assert sum(3 < years < 5 for years in years_away) >= 20
    assert sum(years > 5 for years in years_away) >= 15
    assert sum(int(row["games"]) < 25 for row in opening) >= 20
    assert all(int(row["games_3_years"]) <= int(row["games"]) for row in opening)
    assert {2299, 2300, 2301, 2349, 2350, 2351} <= {int(row["rating"]) for row in opening}
    assert all(row["reached_2300"] == "1" for row in opening if int(row["rating"]) >= 2300)
    assert any(row["reached_2300"] == "1" for row in opening if int(row["rating"]) < 2300)


def test_federations_have_the_codes_of_the_countries_file():
    for federation in read_federations().values():
        assert country_code(federation.code) == federation.code
        assert country_code(federation.iso2) == federation.code


# Of youth events, leagues and small fields; the day of a report of its own story.
KNOWN = {"game-missing", "few-rounds", "colours-uneven", "late-report"}


def test_the_product_s_checks_find_nothing_in_a_report_but_what_its_tournament_has(many_reports):
    """Points, places, pairings, colours, births, and what the details say of the file."""
    for report in many_reports:
        submission = read_submission(
            content=report.content, sidecar=report.sidecar, today=report.played_to + timedelta(days=14)
        )
        assert submission.details is not None, submission.findings
        assert {finding.key for finding in submission.findings} <= KNOWN, report.filename
        assert not read_report(report.content).unread


def test_what_no_check_asks_of_a_report(many_reports):
    """No second meeting or pause, places without a gap, plain remarks, no one too old for a youth event."""
    for report in many_reports:
        read = Read(report)
        assert re.fullmatch(r"<remark> [A-Za-z0-9 ,.;:'-]+ </end remark>", read.info["remarks"])
        if youth := read.details["youth"]:
            oldest = report.played_from.year - OLDEST_IN_YOUTH[youth]
            assert all(int(fields[8][-4:]) >= oldest for fields in read.players.values()), report.filename
        places = Counter(int(fields[3]) for fields in read.players.values())
        assert set(places) in ({0}, set(range(1, len(places) + 1))), report.filename
        assert bool(read.info["winner"]) == (set(places) != {0})
        if read.details["system"] != "teams":
            assert set(places.values()) == {1}, report.filename
            met = Counter(frozenset(game[1:3]) for game in read.games if game[2])
            assert set(met.values()) == {1}, report.filename
        pauses = Counter(white for _, white, black, _ in read.games if not black)
        assert read.details["system"] != "swiss" or set(pauses.values()) <= {1}, report.filename


def test_colours_are_balanced(many_reports):
    for report in many_reports:
        read = Read(report)
        balance = Counter()
        for _, white, black, result in read.games:
            if black and "x" not in result:
                balance[white] += 1
                balance[black] -= 1
        allowed = {"swiss": 3, "round-robin": 2, "teams": 10}[read.details["system"]]
        assert max(abs(value) for value in balance.values()) <= allowed, report.filename


def test_files_sort_by_last_day_and_have_names_of_their_own(federation):
    reports = all_reports(federation)
    assert len({report.filename for report in reports}) == len(reports)
    assert len({report.name for report in reports}) == len(reports)
    for group in [*(quarter.reports for quarter in federation.quarters), federation.waiting]:
        assert [report.filename for report in group] == sorted(report.filename for report in group)
        assert [report.played_to for report in group] == sorted(report.played_to for report in group)


@pytest.mark.parametrize("today", [TODAY, *OTHER_DAYS])
def test_tournaments_belong_to_their_quarter(today):
    federation = build_federation(seed=3, today=today)
    closings = [quarter.closing for quarter in federation.quarters]
    assert federation.quarters[-1].in_force <= today
    previous = federation.opening_in_force - timedelta(days=10)
    for quarter in federation.quarters:
        assert all(previous < report.played_to <= quarter.closing for report in quarter.reports)
        previous = quarter.closing
    assert len(federation.waiting) == 4
    assert all(closings[-1] < report.played_to <= today - timedelta(days=3) for report in federation.waiting)
    for report in all_reports(federation):
        details = Read(report).details
        is_late = report == federation.late
        assert details["received"] <= today
        assert (details["received"] > report.played_to + timedelta(days=7)) == is_late
        assert details["announced"] <= report.played_from - timedelta(days=14)
    spanning = [
        report
        for quarter in federation.quarters
        for report in quarter.reports
        if report.played_from < quarter.in_force.replace(day=1)
        and report.played_from.month != report.played_to.month
    ]
    assert spanning


def test_players_agree_with_the_register(federation):
    register = {row["fmjd_id"]: row for row in rows(federation.register_csv)}
    newcomers = 0
    for report in all_reports(federation):
        read = Read(report)
        for fmjd_id, _, _, _, _, first, last, _, born, sex in read.players.values():
            if fmjd_id == "0":
                newcomers += 1
                continue
            row = register[fmjd_id]
            if report != federation.walk:  # has one typing error, for the visitor to comment on
                assert (row["first_name"], row["last_name"]) == (first, last)
            assert born in ("", "{2}/{1}/{0}".format(*[*row["born"].split("-"), "", ""]))
            assert sex in ("", row["sex"])
            assert not read.details["women_only"] or row["sex"] == "W"
    assert 20 <= newcomers <= 90


def test_no_player_plays_in_two_places_on_one_day(federation):
    played = set()
    for report in all_reports(federation):
        read = Read(report)
        for day in set(read.details["rounds"]):
            for fmjd_id in {fields[0] for fields in read.players.values()} - {"0"}:
                assert (day, fmjd_id) not in played
                played.add((day, fmjd_id))


def test_the_season_has_every_kind_of_report(federation):
    reads = [Read(report) for report in all_reports(federation)]
    assert {read.details["system"] for read in reads} == {"swiss", "round-robin", "teams"}
    assert len({read.details["time_control"] for read in reads}) >= 8
    for key in ("women_only", "youth", "veterans", "official"):
        assert any(read.details[key] for read in reads), key
    results = Counter(result for read in reads for *_, result in read.games)
    assert results["2x0"] + results["0x2"] > 10
    assert any(black == 0 for read in reads for _, _, black, _ in read.games)
    played = results["2-0"] + results["0-2"] + results["1-1"]
    assert 0.35 < results["1-1"] / played < 0.65


def test_one_waiting_report_lacks_the_id_of_a_registered_player(federation):
    register = {(row["first_name"], row["last_name"]) for row in rows(federation.register_csv)}
    forgotten = [
        fields
        for report in federation.waiting
        for fields in Read(report).players.values()
        if fields[0] == "0" and (fields[5], fields[6]) in register
    ]
    assert len(forgotten) == 1
