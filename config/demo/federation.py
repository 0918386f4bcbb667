"""The demonstration federation: `load_demo --seed 1 --today DATE` loads what is built here.

Fictional people only. One random generator, so that the same seed and day give the same bytes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from random import Random

from config.demo.calendar import quarters_in_force
from config.demo.people import (
    NameGiver,
    build_people,
    opening_list_64,
    opening_list_csv,
    read_federations,
    register_csv,
    title_history,
)
from config.demo.records import DemoFederation, DemoQuarter, DemoReport, Person
from config.demo.report_file import write_report
from config.demo.tournaments import Organiser, Tournament

PUBLISHED_QUARTERS = 3

__all__ = ["DemoFederation", "DemoQuarter", "DemoReport", "build_federation"]


def build_federation(*, seed: int, today: date) -> DemoFederation:
    """The register, an opening list, three quarters to be published and the reports of the running one.

    Of 64 squares the last of the three quarters, to be calculated; the titles over the years.
    """
    rng = Random(seed)  # noqa: S311  (a demonstration, not a secret)
    federations = read_federations()
    names = NameGiver(rng)
    opening, *published = quarters_in_force(today, PUBLISHED_QUARTERS + 1)
    people = build_people(rng, federations, names, opening.closing)
    organiser = Organiser(rng, federations, people, names, today)
    quarters = tuple(
        DemoQuarter(quarter.closing, quarter.in_force, _written(organiser.quarter(quarter)))
        for quarter in published
    )
    running = organiser.waiting(published[-1].following())
    _forget_an_id(running, opening.in_force)
    *_, before_64, quarter_64 = published
    people_64 = opening_list_64(rng, people)
    on_64 = {person.fmjd_id: person for person in people_64}
    before_titles, titles = title_history(
        rng, [on_64.get(person.fmjd_id, person) for person in people], opening.closing
    )
    board_64 = Organiser(rng, federations, people_64, names, today).quarter(quarter_64, discipline="64")
    return DemoFederation(
        register_csv=register_csv(people),
        opening_list_csv=opening_list_csv(people),
        opening_in_force=opening.in_force,
        quarters=quarters,
        waiting=_written(running),
        register_before_titles_csv=before_titles,
        titles=titles,
        opening_list_64_csv=opening_list_csv(people_64),
        opening_64_in_force=before_64.in_force,
        quarter_64=DemoQuarter(quarter_64.closing, quarter_64.in_force, _written(board_64)),
    )


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
