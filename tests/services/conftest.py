"""A small office of our own: a register, an opening list and reports, each made through the services."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

import pytest
from django.conf import settings
from django.utils import timezone

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.federations.fmjd.recompute import recompute
from ratings.models import Pool, RatingList
from ratings.production.imports.import_list import import_list
from ratings.production.run_period import run_period
from ratings.publishing.verification.verify_lists import verify_lists
from reporting.log.audit import Actor
from reporting.log.invariants.registry import broken_invariants, invariants
from reporting.models import Player, Report, Role, User
from reporting.register.services.import_register import import_register
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.review import accept_report, people_to_decide
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from reporting.rules.findings.finding_list import Severity
from tests.databases import built_on
from tests.pages.published.published_pages import pass_closing_date
from tests.people import create_user
from tests.services.correction_helpers import (
    APRIL,
    JULY,
    MAY,
    SPRING,
    TWO_WINS,
    opened,
    published_files_by_list,
    ratings,
)
from tests.services.report_helpers import OPENING

REGISTER_HEADER = "fmjd_id,last_name,first_name,federation,sex,born,title"
# A weekend of the quarter that closes on 15 March 2026.
FIRST_DAY, LAST_DAY = date(2026, 2, 6), date(2026, 2, 8)


def word(number: int) -> str:
    """A name for a number, in letters: 0 is Aa, 27 is Bb."""
    return chr(ord("A") + number // 26 % 26) + chr(ord("a") + number % 26)


def said_of_people(report: Report, one_person: bool) -> dict[str, bool]:
    """The same answer to each question about two of one name, birth and country."""
    opened = open_report(report.pk)
    questions = people_to_decide(opened.report, opened.submission, opened.matching)
    return {question.key: one_person for question in questions}


@dataclass(frozen=True)
class Newcomer:
    """A player of a report who is not in the register."""

    first_name: str
    last_name: str
    country: str = "NED"
    born: str = "01/02/2001"
    sex: str = "M"


@dataclass
class Office:
    officer: Actor
    releaser: Actor
    importer: Actor
    referee: Actor
    director: Actor
    names: dict[int, tuple[str, str]] = field(default_factory=dict)

    def newcomer(self, first_name: str, last_name: str, **details: str) -> Newcomer:
        return Newcomer(first_name, last_name, **details)

    def register(self, *numbers: int, sex: str = "M") -> None:
        """Players with these FMJD-IDs, with names of their own, of NED."""
        lines = [REGISTER_HEADER]
        for number in numbers:
            self.names[number] = (f"Given{word(number).lower()}", f"Family{word(number).lower()}")
            first, last = self.names[number]
            lines.append(f"{number},{last},{first},NED,{sex},1990,")
        import_register(content="\n".join(lines).encode(), by=self.officer)

    def opening(self, lines: str, *, in_force: date = date(2026, 1, 1), pool: str = "fmjd-100") -> RatingList:
        """An opening list from `fmjd_id rating games …` lines, header first; players are registered as needed."""
        rows = [line.split() for line in lines.strip().splitlines()]
        if unknown := [int(row[0]) for row in rows[1:] if int(row[0]) not in self.names]:
            self.register(*unknown)
        content = "\n".join(",".join("" if cell == "-" else cell for cell in row) for row in rows)
        return import_list(
            content=content.encode(),
            pool=Pool.objects.get(code=pool),
            in_force=in_force,
            by=self.officer,
            releaser=self.releaser,
        )

    def report_file(self, name, players, results, played_from=FIRST_DAY, played_to=LAST_DAY) -> bytes:
        """A report in the form of Annex 9 art. 11. `results` are `round white black result`, numbers from 1."""
        points: defaultdict[int, int] = defaultdict(int)
        games = [line.split() for line in results]
        for _, white, black, result in games:
            points[int(white)] += int(result[0])
            points[int(black)] += int(result[2])
        lines = [
            "<section Info>", f"name = {name}", f"played from = {played_from:%d/%m/%Y}",
            f"played to = {played_to:%d/%m/%Y}", "type = OTHER", "national championship = N",
            "women championship = N", "name of referee = Piet Fluit", "place = Utrecht", "country = NED",
            "remarks = <remark></end remark>", "winner = ", "</end info>", "<section players>",
        ]  # fmt: skip
        for number, who in enumerate(players, start=1):
            if isinstance(who, Newcomer):
                lines.append(
                    f"0,{number},,0,{points[number]},{who.first_name},{who.last_name},{who.country},{who.born},{who.sex}"
                )
            else:
                first, last = self.names.get(who, ("Unknown", "Person"))
                lines.append(f"{who},{number},,0,{points[number]},{first},{last},NED,,")
        lines += [
            "</end players>",
            "<section results>",
            *(",".join(game) for game in games),
            "</end results>",
        ]
        return ("\n".join(lines) + "\n").encode()

    def details(self, played_from=FIRST_DAY, played_to=LAST_DAY, **details: str) -> bytes:
        """The tournament details: announced in time, received the day after, 120 minutes for 60 moves (100 %)."""
        details = {
            "discipline": '"100"',
            "time_control": '"120+0"',
            "announced": date.fromordinal(played_from.toordinal() - 30).isoformat(),
            "received": date.fromordinal(played_to.toordinal() + 1).isoformat(),
        } | details
        return "".join(f"{name} = {value}\n" for name, value in details.items() if value is not None).encode()

    def upload(
        self, name, players, results, *, played_from=FIRST_DAY, played_to=LAST_DAY, by=None, **details
    ):
        return upload_report(
            content=self.report_file(name, players, results, played_from, played_to),
            filename=f"{name}.txt",
            sidecar=self.details(played_from, played_to, **details),
            by=by or self.referee,
        )

    def comments(self, uploaded) -> dict[int, str]:
        return {
            place: "so it is"
            for place, finding in enumerate(uploaded.matching.findings)
            if finding.severity is Severity.WARNING
        }

    def submit(self, name, players, results, **details) -> Report:
        by = details.get("by") or self.referee
        uploaded = self.upload(name, players, results, **details)
        return submit_report(report=uploaded.report, comments=self.comments(uploaded), by=by)

    def accept(
        self,
        name,
        players,
        results,
        *,
        admitted_reason="",
        different_because="another weekend of the same few players",
        one_person: bool | None = None,
        **details,
    ) -> Report:
        report = self.submit(name, players, results, **details)
        return accept_report(
            report=report,
            by=self.officer,
            same_person={} if one_person is None else said_of_people(report, one_person),
            admitted_reason=admitted_reason,
            different_because=different_because,
        )

    def run(
        self, in_force: date = date(2026, 4, 1), *, pool: str = "fmjd-100", publish: bool = True
    ) -> RatingList:
        # A period is frozen from the day after its closing date on; only the demonstration freezes before.
        if in_force > timezone.localdate() and not settings.DEMO:
            pass_closing_date(Pool.objects.get(code=pool), in_force)
        return run_period(
            pool=Pool.objects.get(code=pool),
            in_force=in_force,
            by=self.officer,
            releaser=self.releaser,
            reason="a test",
            publish=publish,
        )

    def row(self, rating_list: RatingList, fmjd_id: int) -> FmjdListRow:
        return FmjdListRow.objects.get(list=rating_list, register_number=fmjd_id)

    def changes(self, rating_list: RatingList, fmjd_id: int) -> list[FmjdChange]:
        """The player's changes in that list, in order."""
        changes = FmjdChange.objects.filter(list=rating_list, player__numbers__fmjd=fmjd_id)
        return list(changes.order_by("sequence"))


def small_office(*, by_command: bool = True) -> Office:
    """The office with its two people; where the database has them already, with its players too."""

    def of(email: str) -> Actor:
        command = User.objects.get(email=f"{email}@office.invalid")
        if by_command:
            return Actor(command, by_command=True)
        return Actor(create_user(f"{email}@web.example", command.name, roles=command.roles))

    def person(name: str, role: Role) -> Actor:
        email = f"{name.lower()}@example.org"
        return Actor(User.objects.filter(email=email).first() or create_user(email, name, roles=[role]))

    players = Player.objects.exclude(numbers__fmjd=None).values_list(
        "numbers__fmjd", "first_name", "last_name"
    )
    return Office(
        of("officer"), of("releaser"), of("importer"), person("Referee", Role.REFEREE),
        person("Director", Role.TOURNAMENT_DIRECTOR), {number: (first, last) for number, first, last in players},
    )  # fmt: skip


@pytest.fixture
def office(request, db) -> Office:
    """Commands act for it, or persons where a test connects as the web: it does nothing in a command's name."""
    role = request.node.get_closest_marker("database_role")
    return small_office(by_command=role is None or role.args[0] != "web")


# --- lists that many tests begin with, built once


@built_on("empty")
def three_players() -> None:
    """An opening list of 11, 12 and 13, each with 2000 and 100 games."""
    small_office().opening(OPENING)


@built_on("empty")
def two_records() -> None:
    """An opening list of 2025: 11, 12 and 13, and 21, the second record of 11, with 40 games."""
    small_office().opening(f"{OPENING}\n21 2000 40", in_force=date(2025, 1, 1))


@built_on("two_records")
def april_of_21() -> None:
    """With the list of April 2025 too, on which 21 has beaten 12 twice: 2015 and 1985."""
    office = small_office()
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    assert ratings(office.run(APRIL), 21, 12) == (2015, 1985)


@built_on("empty")
def opening_list() -> None:
    """Six equal players."""
    opened(small_office())


@built_on("opening_list")
def april_list() -> None:
    """With the Spring: 11 beats 12 twice, 2015 and 1985."""
    office = small_office()
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    assert ratings(office.run(APRIL), 11, 12) == (2015, 1985)


@built_on("april_list")
def july_list() -> None:
    """With the May too: 13 beats 14 twice."""
    office = small_office()
    office.accept("May", [13, 14], TWO_WINS, **MAY)
    assert ratings(office.run(JULY), 11, 12, 13, 14) == (2015, 1985, 2015, 1985)


@pytest.fixture
def lists_that_follow(office: Office, _database_of_its_own: None) -> Iterator[None]:
    """At the end of the test every published list follows from the database, and from the published files alone.

    The data follow every rule then, too.
    """
    yield
    assert [difference for found in verify_lists(recalculate=True) for difference in found.differences] == []
    assert recompute(published_files_by_list()).different == []
    assert list(map(str, broken_invariants(invariants()))) == []


@pytest.fixture
def three_players_shared(db: None) -> None:
    """The test begins with that opening list."""


@pytest.fixture
def two_records_shared(db: None) -> None:
    """The test begins with that opening list."""


@pytest.fixture(name="april_of_21")
def _april_of_21(transactional_db: None, _database_of_its_own: None) -> RatingList:
    """A copy of the database with the list that is returned."""
    return RatingList.objects.get(in_force=APRIL)


@pytest.fixture(name="opening_list")
def _opening_list(transactional_db: None, _database_of_its_own: None) -> None:
    """A copy of the database with the opening list."""


@pytest.fixture(name="april_list")
def _april_list(transactional_db: None, _database_of_its_own: None) -> tuple[RatingList, Report]:
    """A copy with the list of April too: that list, and the report of the Spring."""
    return RatingList.objects.get(in_force=APRIL), Report.objects.get()


@pytest.fixture(name="july_list")
def _july_list(transactional_db: None, _database_of_its_own: None) -> tuple[RatingList, RatingList]:
    """A copy with the list of July too: both lists."""
    return RatingList.objects.get(in_force=APRIL), RatingList.objects.get(in_force=JULY)
