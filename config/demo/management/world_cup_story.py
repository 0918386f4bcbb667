"""The World Cup of the demonstration: what was declared, published and revised; places, medals and a title match."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from django.db.models import QuerySet
from django.utils import timezone

from config.demo.accounts import FEDERATION
from config.demo.management.open_work import announced_values
from config.demo.management.pools_story import People, accept
from config.demo.management.world_cup_season import REFEREE
from config.demo.records import CupSeason, DemoReport
from config.demo.tour.steps import POOL
from ratings.models import ListRow, RatingList
from reporting.models import ResultSet, Role
from reporting.reports.services.announce import announce_tournament
from titles.federations.fmjd.champions.services import enter_medal, find_title_match, record_title_match
from titles.federations.fmjd.championships.publication import key_of_list
from titles.federations.fmjd.championships.services.record_places import move_place, name_players
from titles.federations.fmjd.championships.services.save_championship import (
    ChampionshipValues,
    create_championship,
)
from titles.federations.fmjd.models import Championship, Publication, TitleMatchStep
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind
from titles.federations.fmjd.rules.world_cup.continents import CONTINENTS
from titles.federations.fmjd.world_cup.declarations.services import record_declaration
from titles.federations.fmjd.world_cup.events.services import approve_event, propose_event
from titles.federations.fmjd.world_cup.publications.kinds import PublicationKey
from titles.federations.fmjd.world_cup.publications.selectors import key_of_classification
from titles.federations.fmjd.world_cup.publications.steps import publish_by_command
from titles.rules.lifecycle import PlaceMove

LEFT = "The winner of Vilnius left before the closing ceremony: the referee corrected the report."
BULLETIN = "Bulletin of the federation, no. 12, page 4"
ORGANISER, AFRICA, EUROPE = 3, 4, 7
"""Items of Annex 17."""
PROPOSED = {
    "groups": "one",
    "prizes_open": [2000, 1400, 1000, 700, 600, 500, 400, 300, 200, 100],
    "prizes_women": [1000, 700, 500, 300, 200, 100],
    "system": "swiss",
    "rounds": 9,
    "tie_breaks": ["short", "plus", "baliakin", "full"],
    "referee": REFEREE,
    "referee_level": "fmjd",
    "entry_fee": Decimal(50),
    "regulations": "https://example.org/regulations",
}
"""The prizes are those of 5 stars (Annex 18 Appendix A): too low for 7."""


def tell_world_cup(cup: CupSeason, newest_in_force: date, people: People) -> None:
    """The classifications of last 31 December, one of them revised, and those of the newest list's day."""
    for year in range(cup.first_year, newest_in_force.year + 1):
        record_declaration(
            number=cup.declared,
            year=year,
            declared_on=date(year - 1, 12, 1),
            by=people[Role.TOURNAMENT_DIRECTOR],
        )
    year_end = date(timezone.localdate().year - 1, 12, 31)
    for day in sorted({year_end, newest_in_force}):
        for women in (False, True):
            _publish(key_of_classification("100", day, women=women), people)
    accept(_correcting(cup.corrected), people)
    _publish(key_of_classification("100", year_end, women=False), people, reason=LEFT)
    enter_champions(people)
    championship = name_half(people)
    for kind in (Publication.Kind.PARTICIPANTS, Publication.Kind.RESERVES):
        _publish(key_of_list(kind, championship.code), people)
    propose_events(people)


def name_half(people: People) -> Championship:
    """A championship of next year, its champion that of the medals: named in part, three answered."""
    officer, today = people[Role.RATING_OFFICER], timezone.localdate()
    first_day = date(today.year + 1, 9, 12)
    others = _best()[1:]
    championship = create_championship(
        kind=Championship.Kind.WORLD_20,
        values=ChampionshipValues(
            place="Abidjan",
            organiser="Federation of Ivory Coast",
            first_day=first_day,
            council_day=first_day - timedelta(days=45),
        ),
        by=officer,
    )
    africans, europeans = (
        [row for row in others if CONTINENTS.get(row.federation) == continent]
        for continent in ("africa", "europe")
    )
    for item, rows in ((AFRICA, africans[:4]), (EUROPE, europeans[:2]), (ORGANISER, europeans[2:3])):
        name_players(
            championship=championship,
            item=item,
            numbers=[row.register_number for row in rows],
            on=today - timedelta(days=9),
            by=officer,
        )
    for row, move in (
        (africans[0], PlaceMove.CONFIRM),
        (africans[1], PlaceMove.DECLINE),
        (europeans[0], PlaceMove.CONFIRM),
    ):
        move_place(
            championship=championship, player=row.player, move=move, on=today - timedelta(days=2), by=officer
        )
    return championship


def enter_champions(people: People) -> None:
    """The medals of two earlier world championships, and the title match after the second: refused once, played."""
    officer, kind = people[Role.RATING_OFFICER], ChampionshipKind("world", "100", "classic")
    year = timezone.localdate().year - 1
    first, second, third, fourth = (row.player for row in _best()[:4])
    for of, medallists in ((year - 2, (second, first, third)), (year, (first, third, fourth))):
        for place, player in enumerate(medallists, start=1):
            enter_medal(
                kind=kind,
                year=of,
                place=place,
                source=BULLETIN,
                player=player,
                federation=player.federation,
                by=officer,
            )
    match = find_title_match(kind, year)
    assert match is not None  # noqa: S101 (just entered)
    assert match.pair is not None  # noqa: S101 (three medals)
    record_title_match(
        kind=kind,
        year=year,
        move=TitleMatchStep.Move.REFUSE,
        player=match.pair[1],
        on=date(year, 10, 3),
        reason="No sponsor by the day that the Council set.",
        by=officer,
    )
    record_title_match(
        kind=kind,
        year=year,
        move=TitleMatchStep.Move.PLAY,
        player=first,
        result="15–9",
        on=date(year, 12, 18),
        by=officer,
    )


def propose_events(people: People) -> None:
    """Two World Cup events to come, proposed with their announcements: one approved, one waits for the director."""
    official, director = people[Role.NATIONAL_OFFICIAL], people[Role.TOURNAMENT_DIRECTOR]
    today = timezone.localdate()
    for name, place, stars, days_ahead in (
        ("Hague Dunes Open", "The Hague", 5, 150),
        ("Zwolle Hanseatic Open", "Zwolle", 7, 240),
    ):
        first_day = today + timedelta(days=days_ahead)
        days = {"played_from": first_day, "played_to": first_day + timedelta(days=6)}
        tournament = announce_tournament(
            values=announced_values(name, place, FEDERATION, **days) | {"time_control": "80+60"}, by=official
        )
        proposal = propose_event(
            tournament=tournament,
            values=PROPOSED | {"stars": stars, "regulations_on": today},
            seen=0,
            by=official,
        )
        if stars == 5:
            approve_event(proposal=proposal, by=director)


def _publish(key: PublicationKey, people: People, *, reason: str = "") -> None:
    publish_by_command(
        key=key,
        reason=reason,
        by=people[Role.TOURNAMENT_DIRECTOR],
        releaser=people[Role.RELEASING_OFFICER],
    )


def _correcting(corrected: DemoReport) -> DemoReport:
    """The report with the code of the tournament that it corrects."""
    code = ResultSet.objects.get(name=corrected.name).code
    return DemoReport(
        corrected.filename,
        corrected.content,
        corrected.sidecar + f'corrects = "{code}"\n'.encode(),
        corrected.name,
        corrected.played_from,
        corrected.played_to,
    )


def _best() -> QuerySet[ListRow]:
    """The rows of the newest list, the best player first."""
    published = RatingList.objects.filter(pool__code=POOL, state=RatingList.State.PUBLISHED)
    newest = published.latest("in_force", "revision")
    return newest.rows.select_related("player", "list__pool").order_by("position")
