"""A real report, the whole way by the office's commands: register, opening list, report, quarter, changes.

With the Ouagadougou Open 2022 where the samples are installed, and always with a fictional file of the same kind.
The tournament details have what the export lacks: dates, place and time control.
"""

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.models import RatingList
from reporting.formats.detect import read_report
from reporting.models import Entry, Game, LogEntry, Player, Report, ResultSet

FICTIONAL = Path(__file__).parent.parent / "files" / "kaba-tougan-2025.csv"

DETAILS = """
name = "{name}"
place = "{place}"
country = "{country}"
played_from = 2022-11-19
played_to = 2022-11-27
discipline = "100"
time_control = "80+30"
system = "swiss"
official = true
announced = 2022-09-01
received = 2022-11-28
referee = "Not printed in the export"
referee_level = "fmjd"
admit = "Some players left before the last round."
rounds = [{rounds}]
"""

# The export prints no numbers of games, so each printed letter gets the least that earns it (R12): A has 30 games,
# 50 from 2300 on; B fewer than 30 with a game in the last three years; C no game for five years.
GAMES = {"A": 30, "B": 20, "C": 20}
LAST_GAME = {"A": "2022-09-10", "B": "2022-09-10", "C": "2016-09-10"}


@pytest.fixture(params=["ouagadougou", "fictional"])
def report_file(request, tmp_path):
    """A folder with the export under a short name, and what its printed columns say."""
    if request.param == "ouagadougou":
        source = request.getfixturevalue("samples") / "draughts-arbiter-2022-ouagadougou.csv"
        details = {"name": "Ouagadougou Open 2022", "place": "Ouagadougou", "country": "BFA"}
    else:
        source = FICTIONAL
        details = {"name": "Fictional Open 2022", "place": "Nowhere", "country": "BFA"}
    reports = tmp_path / "reports"
    reports.mkdir()
    report = reports / "open.csv"
    report.write_bytes(source.read_bytes())
    read = read_report(report.read_bytes())
    days = ", ".join(f"2022-11-{19 + day:02d}" for day in range(read.rounds))
    report.with_suffix(".toml").write_text(DETAILS.format(**details, rounds=days))
    return report


def tables_of(report, folder):
    """Register and opening list from the printed columns; players without a printed rating are on no list."""
    read = read_report(report.read_bytes())
    register, ratings = [], []
    for number, player in enumerate(read.players, start=10_001):
        register.append(
            [number, player.last_name, player.first_name, player.federation, "", "", player.title]
        )
        if player.rating_printed:
            letter = player.category_printed
            games = 50 if letter == "A" and player.rating_printed >= 2300 else GAMES[letter]
            recent = 0 if letter == "C" else games
            ratings.append([number, player.rating_printed, games, LAST_GAME[letter], recent])
    write(
        folder / "register.csv",
        ["fmjd_id", "last_name", "first_name", "federation", "sex", "born", "title"],
        register,
    )
    write(folder / "list.csv", ["fmjd_id", "rating", "games", "last_game", "games_3_years"], ratings)
    return read


def write(path, header, rows):
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def exported(capfdbinary, *arguments):
    capfdbinary.readouterr()
    call_command("export_list", "fmjd-100", *arguments)
    return capfdbinary.readouterr().out


@pytest.mark.django_db(transaction=True)
def test_a_report_goes_from_file_to_explained_list_by_command(report_file, tmp_path, capfdbinary):
    read = tables_of(report_file, tmp_path)
    call_command("import_register", str(tmp_path / "register.csv"))
    call_command("import_list", str(tmp_path / "list.csv"), "--in-force", "2022-10-01")
    call_command("check_report", str(report_file))
    call_command("import_reports", str(report_file.parent), "--accept")

    # All players were found in the register, none is new, and all points are as printed.
    report = Report.objects.get()
    assert report.state == Report.State.ACCEPTED
    assert Player.objects.count() == len(read.players)
    assert Entry.objects.count() == len(read.players)
    points = dict.fromkeys((player.number for player in read.players), 0)
    for game in Game.objects.select_related("white", "black"):
        for entry, gained in ((game.white, game.white_points), (game.black, game.black_points)):
            if entry is not None:
                points[entry.number] += gained
    assert points == {player.number: player.points_printed for player in read.players}

    # Every letter printed is the one the opening list works out (R12).
    letters = dict(FmjdListRow.objects.values_list("name", "category"))
    printed = {player.name: player.category_printed for player in read.players if player.rating_printed}
    assert letters == printed

    call_command("run_period", "fmjd-100", "--in-force", "2023-01-01")
    published = RatingList.objects.get(in_force="2023-01-01")
    assert published.state == RatingList.State.PUBLISHED
    assert published.by_command
    assert published.approved_by.email != published.published_by.email
    assert published.previous_sha256 == RatingList.objects.get(is_opening=True).sha256

    # What a player gains between two lists is the sum of the changes shown, or the provisional value (R9).
    changes = list(csv.DictReader(io.StringIO(exported(capfdbinary, "--changes").decode())))
    rows = list(csv.DictReader(io.StringIO(exported(capfdbinary).decode())))
    gained = {change["fmjd_id"]: change for change in changes}
    assert gained
    for row in rows:
        change = gained.get(row["fmjd_id"])
        if change is None:
            assert row["change"] == "0"
            continue
        after = int(change["after"].replace(".", ""))
        assert int(row["rating"]) == (after + 5_000) // 10_000
        if change["method"] == "change":
            before = int(row["rating"]) - int(row["change"])
            assert after == before * 10_000 + int(change["delta"].replace(".", ""))
            assert change["development"] == "60"  # 80' + 60 × 30" = 110 minutes: from 90 and under 120 (R6)
    assert json.loads(exported(capfdbinary, "--format", "json"))["sha256"] == published.sha256

    # Each act is in the audit log, marked as made by command.
    acts = set(LogEntry.objects.values_list("action", "by_command"))
    assert {
        ("register.import", True), ("list.import_opening", True), ("report.upload", True), ("report.submit", True),
        ("report.accept", True), ("period.freeze", True), ("list.calculate", True), ("list.approve", True),
        ("list.publish", True),
    } <= acts  # fmt: skip

    # A second submission of the same bytes and a second run of a published quarter change nothing.
    call_command("import_reports", str(report_file.parent), "--accept")
    assert ResultSet.objects.count() == 1
    with pytest.raises(CommandError, match="already_published"):
        call_command("run_period", "fmjd-100", "--in-force", "2023-01-01")
    assert RatingList.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_the_winner_of_ouagadougou_gains_what_the_regulation_gives_by_hand(samples, tmp_path):
    """Start number 2, rated 2339, won the open with 14 points of 18.

    The printed ratings of the nine opponents, round by round: 2100, 2153, 2283, 2117, 2227, 2271, 2254, 2367, 2294.
    All games were played.
      sum = 2100+2153+2283+2117+2227+2271+2254+2367+2294 = 20066;  Rc = 20066 / 9 = 2229,5556
      d = 2339 − 2229,5556 = 109,4444, between D(64) = 102,40 and D(65) = 110,11
      Pe = 64 + (109,4444 − 102,40) / (110,11 − 102,40) = 64 + 7,0444 / 7,71 = 64 + 0,91368 → 64,9137
      We = 64,9137 × 2 × 9 / 100 = 11,684466 → 11,6845
      K = 10 (the list of 1 Oct 2022 shows 2339); 80' + 30" = 110 minutes: 60 %
      ΔR = 0,5 × 10 × 0,60 × (14 − 11,6845) = 3 × 2,3155 = 6,9465
      Rn = 2339 + 6,9465 = 2345,9465 → 2346
    """
    report = tmp_path / "reports" / "open.csv"
    report.parent.mkdir()
    report.write_bytes((samples / "draughts-arbiter-2022-ouagadougou.csv").read_bytes())
    report.with_suffix(".toml").write_text(
        DETAILS.format(name="Ouagadougou Open 2022", place="Ouagadougou", country="BFA", rounds="")
    )
    tables_of(report, tmp_path)
    call_command("import_register", str(tmp_path / "register.csv"))
    call_command("import_list", str(tmp_path / "list.csv"), "--in-force", "2022-10-01")
    call_command("import_reports", str(report.parent), "--accept")
    call_command("run_period", "fmjd-100", "--in-force", "2023-01-01")
    winner = Entry.objects.get(number=2).player
    change = FmjdChange.objects.get(player=winner)
    assert (change.own_e4, change.opponents_sum, change.games, change.points) == (23_390_000, 20_066, 9, 14)
    assert (change.average_e4, change.expected_percentage_e4) == (22_295_556, 649_137)
    assert (change.expected_score_e4, change.k, change.development) == (116_845, 10, 60)
    assert (change.delta_e4, change.after_e4) == (69_465, 23_459_465)
    row = FmjdListRow.objects.get(list__in_force="2023-01-01", player=winner)
    assert (row.rating, row.change, row.period_games, row.games) == (2346, 7, 9, 59)
