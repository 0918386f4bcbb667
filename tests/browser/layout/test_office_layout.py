"""The office in each state of a quarter: every page without a barrier, on a phone and in the dark, never sideways."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Error

from ratings.federations.fmjd.models import FmjdListRow
from ratings.federations.fmjd.system import FmjdSystem
from ratings.models import Period, Pool, RatingList
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.correct_list import correct_list
from ratings.production.imports.import_list import import_list
from ratings.production.periods.freeze_period import freeze_and_calculate
from ratings.production.request_calculation import recalculate_period
from ratings.worker.progress import Progress
from reporting.log.audit import Actor
from reporting.models import Player, Report, Role, User
from reporting.reports.services.announce import announce_tournament
from reporting.reports.services.review import reject_report
from tests.browser.conftest import check_page
from tests.browser.test_office_story import (  # noqa: F401 (fixtures)
    PAGE,
    PUBLISHED,
    REASON,
    confirm_norms,
    officer,
    opened,
)
from tests.databases import as_worker, work_as_worker
from tests.editions import K_20
from tests.people import create_user
from titles.federations.fmjd.champions.services import enter_medal
from titles.federations.fmjd.championships.services.save_championship import (
    ChampionshipValues,
    create_championship,
)
from titles.federations.fmjd.models import Championship
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind
from titles.federations.fmjd.world_cup.publications.kinds import PublicationKey
from titles.federations.fmjd.world_cup.publications.steps import calculate_requested, request_publication

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season", "demonstration"),
]


def states(officer: User, opened: Period) -> Iterator[tuple[str, tuple[str, ...]]]:  # noqa: F811
    """The office in each of its states, and the pages there are then."""
    by = Actor(officer)
    with as_worker():
        director = create_user("d@example.org", "Dora", roles=[Role.TOURNAMENT_DIRECTOR])
        for name, days_ago in (("Harmattan Cup of a very long name indeed", 12), ("Winter Cup", -9)):
            ends = timezone.localdate() - timedelta(days=days_ago)
            values = {
                "name": name, "country": "SEN", "played_from": ends.isoformat(), "played_to": ends.isoformat(),
                "discipline": "100", "time_control": "80+30", "announced": "2026-09-20",
            }  # fmt: skip
            announce_tournament(values=values, by=Actor(director))
        waiting = Report.objects.filter(state="submitted", result_set__discipline="100").first()
        reject_report(report=waiting, reason="It was never played.", by=Actor(director))
        # A pool with an older opening list: its quarters since then wait for a confirmation.
        import_list(
            content=b"fmjd_id,rating,games\n13368,2400,100\n", pool=Pool.objects.get(code="fmjd-64"),
            in_force=date(2026, 1, 1), by=by,
            releaser=Actor(User.objects.get(email="releaser@office.invalid"), by_command=True),
        )  # fmt: skip
        create_championship(
            kind=Championship.Kind.WORLD_20,
            values=ChampionshipValues(
                place="Dakar", first_day=date(2027, 9, 28), council_day=date(2027, 7, 1), champion=13368
            ),
            by=Actor(director),
        )
        enter_medal(
            kind=ChampionshipKind.of("world-100-classic"), year=2025, place=1,
            player=Player.objects.get(numbers__fmjd=13368), source="Minutes of the board", by=Actor(director),
        )  # fmt: skip
        open_cup = PublicationKey(kind="classification", section="100", day=date(2026, 6, 30))
        publication = request_publication(key=open_cup, by=Actor(director))
        assert calculate_requested() == 1
    past = "/office/pools/fmjd-64/past-quarters/"
    replay = f"/office/pools/fmjd-100/replay/?rules={K_20.id}"
    compared = "/office/compare-rules/?pool=fmjd-100&lists=3&with=knsb-klassiek"
    yield (
        "open",
        ("/office/", compared, "/office/world-cup/?on=2026-12-31", "/office/world-cup/declarations/?year=2026",
         "/office/world-cup/publications/", f"/office/world-cup/publications/{publication.pk}/",
         "/office/champions/", "/office/champions/world-100-classic/2025/title-match/", "/office/championships/",
         "/office/championships/new/", "/office/championships/world-2027/",
         "/office/championships/world-2027/change/", PAGE, f"{PAGE}freeze/", f"{PAGE}preview/", PUBLISHED,
         f"{PUBLISHED}correct/", past, replay, "/office/pools/fmjd-64/opening/"),
    )  # fmt: skip
    with as_worker():
        run = freeze_and_calculate(period=opened, reason=REASON, by=by)
    progress = Progress(run)
    progress.begin("read")
    progress.end()
    progress.begin("calculate", of=640)
    yield "calculating", (PAGE,)
    work_as_worker()
    yield "draft", ("/office/", PAGE, f"{PAGE}differences/")
    with as_worker():
        draft = RatingList.objects.get(period=opened, state="ready")
        for anomaly in draft.anomalies.all():
            answer_anomaly(anomaly=anomaly, text="Checked.", by=by)
        confirm_norms(draft)
    yield "to be signed", (f"{PAGE}approve/",)
    with as_worker():
        row = FmjdListRow.objects.filter(list=draft).earliest("position")
        Player.objects.filter(pk=row.player_id).update(last_name="Wolfeschlegelsteinhausenbergerdorff")
        recalculate_period(period=opened, reason="A name was edited.", by=by)
    work_as_worker()
    yield "again", (PAGE, f"{PAGE}differences/?against=before")
    with as_worker():
        published = RatingList.objects.get(in_force="2026-10-01", state="published")
        correct_list(rating_list=published, reason="A game was typed wrongly.", later="revise", by=by)
    work_as_worker()
    yield "revision", (PUBLISHED, f"{PUBLISHED}differences/")


# Errors of the browser where a page reloaded itself meanwhile.
LOADED_ITSELF = (
    "net::ERR_ABORTED", "context was destroyed", "axe is not defined", "looks is not a function",
)  # fmt: skip


def looked_at(page: Any, path: str, state: str) -> None:
    """Check again where the page of a calculation reloaded itself during the check."""
    for last in (False, False, True):
        try:
            page.goto(path)
            return check_page(page, state, opened=True)
        except Error as error:
            if last or not any(words in str(error) for words in LOADED_ITSELF):
                raise
    return None


def test_no_barrier_and_never_sideways(
    window: Callable[..., Any],
    officer: User,  # noqa: F811
    opened: Period,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(FmjdSystem, "editions", (*FmjdSystem.editions, K_20))
    page = window(officer)
    page.goto("/office/")
    for state, paths in states(officer, opened):
        for path in paths:
            looked_at(page, path, state)
    assert page.console_errors == []
