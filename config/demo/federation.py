"""The demonstration federation: `load_demo --seed 1 --today DATE` loads what is built here.

Fictional people only. One random generator, so that the same seed and day give the same bytes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from random import Random

from config.demo.calendar import Quarter, quarters_frozen
from config.demo.management.world_cup_season import build_cup
from config.demo.people import (
    PLAYERS_64_RAPID,
    PLAYERS_RAPID,
    NameGiver,
    build_people,
    opening_list_64,
    opening_list_csv,
    opening_list_rapid,
    read_federations,
    register_csv,
    title_history,
)
from config.demo.records import DemoFederation, DemoPool, DemoQuarter, DemoReport, Person
from config.demo.report_file import write_report
from config.demo.tournaments import Organiser, Tournament

PUBLISHED_QUARTERS = 3
WALK_ENDED = timedelta(days=3)  # before today
RETURNED_ENDED = timedelta(days=6)
LATE_ENDED = timedelta(days=14)  # a week more than R11 allows

__all__ = ["DemoFederation", "DemoQuarter", "DemoReport", "build_federation"]


def build_federation(*, seed: int, today: date) -> DemoFederation:
    """The register, an opening list, three quarters to be published and the reports of the running one.

    Of 64 squares the last two of the three quarters; opening lists of all other pools; the titles over the years; the
    reports of the stories.
    """
    rng = Random(seed)  # noqa: S311  (a demonstration, not a secret)
    federations = read_federations()
    names = NameGiver(rng)
    opening, *published = quarters_frozen(today, PUBLISHED_QUARTERS + 1)
    people = build_people(rng, federations, names, opening.closing)
    organiser = Organiser(rng, federations, people, names, today)
    quarters = tuple(
        DemoQuarter(quarter.closing, quarter.in_force, _written(organiser.quarter(quarter)))
        for quarter in published
    )
    running = organiser.waiting(published[-1].following())
    _forget_an_id(running, opening.in_force)
    before_64, *quarters_64 = published
    people_64 = opening_list_64(rng, people)
    on_64 = {person.fmjd_id: person for person in people_64}
    before_titles, titles = title_history(
        rng, [on_64.get(person.fmjd_id, person) for person in people], opening.closing
    )
    organiser_64 = Organiser(rng, federations, people_64, names, today)
    latest_64 = organiser_64.quarter(quarters_64[-1], "64 latest")
    played_64 = (organiser_64.quarter(quarters_64[0], "64 earlier"), latest_64)
    pools = (
        _pool("fmjd-64", people_64, [before_64, *quarters_64]),
        _pool(
            "fmjd-100-rapidblitz",
            opening_list_rapid(rng, people, PLAYERS_RAPID),
            [opening, *published],
        ),
        _pool(
            "fmjd-64-rapidblitz",
            opening_list_rapid(rng, people_64, PLAYERS_64_RAPID),
            [before_64, *quarters_64],
        ),
    )
    overlooked = organiser.single("overlooked", published[1].closing - timedelta(days=20))
    late = replace(organiser.single("late", today - LATE_ENDED), received=today)
    _forget_an_id([late], opening.in_force)
    return DemoFederation(
        register_csv=register_csv(people),
        opening_list_csv=opening_list_csv(people),
        opening_in_force=opening.in_force,
        quarters=quarters,
        waiting=_written(running),
        register_before_titles_csv=before_titles,
        titles=titles,
        quarters_64=tuple(
            DemoQuarter(quarter.closing, quarter.in_force, _written(tournaments))
            for quarter, tournaments in zip(quarters_64, played_64, strict=True)
        ),
        pools=pools,
        overlooked=write_report(overlooked),
        late=write_report(late),
        returned=write_report(organiser.single("returned", today - RETURNED_ENDED)),
        walk=write_report(_with_typing_error(organiser.single("walk", today - WALK_ENDED))),
        cup=build_cup(federations, people, published[-1].closing),
    )


def _pool(code: str, people: list[Person], quarters: list[Quarter]) -> DemoPool:
    opening, *others = (quarter.in_force for quarter in quarters)
    return DemoPool(code, opening_list_csv(people), opening, tuple(others))


def _with_typing_error(tournament: Tournament) -> Tournament:
    """One first name differs from the register by a letter: the warning that the visitor comments on (R21).

    Not the winner's, which is in the file twice: that would be a second warning.
    """
    entrants = tournament.entrants
    index = 3 if entrants[3].name != tournament.winner else 4
    entrants[index] = replace(
        entrants[index], first_name=f"{entrants[index].first_name}{entrants[index].first_name[-1]}"
    )
    return tournament


def _written(tournaments: list[Tournament]) -> tuple[DemoReport, ...]:
    return tuple(
        sorted((write_report(tournament) for tournament in tournaments), key=lambda report: report.filename)
    )


def _forget_an_id(tournaments: list[Tournament], born_before: date) -> None:
    """One report lacks the FMJD-ID of a registered player: the look-alike warning of R21 and R24."""
    for tournament in tournaments:
        entrants = tournament.entrants
        for index in range(len(entrants) - 1, -1, -1):
            if _is_forgettable(entrants[index], born_before):
                entrants[index] = replace(entrants[index], fmjd_id=0)
                return


def _is_forgettable(person: Person, born_before: date) -> bool:
    return bool(person.fmjd_id) and person.birth_known == "day" and person.birthday < born_before
