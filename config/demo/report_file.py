"""Writing a tournament as the referee would: the report of Annex 9 art. 11 and its tournament details."""

from __future__ import annotations

import json
import re
from datetime import date

from config.demo.pairings import PAUSE
from config.demo.records import DemoReport, Person
from config.demo.tournaments import Tournament

TYPES = {"swiss": "SWISS", "round-robin": "ROUND", "teams": "TEAMS", "other": "OTHER"}


def write_report(tournament: Tournament) -> DemoReport:
    """The report with a file name that sorts by the last day."""
    event = tournament.event
    slug = re.sub(r"[^a-z0-9]+", "-", event.name.lower()).strip("-")
    return DemoReport(
        filename=f"{tournament.dates[-1].isoformat()}-{slug}.txt",
        content=_content(tournament).encode("ascii"),
        sidecar=_sidecar(tournament).encode("ascii"),
        name=event.name,
        played_from=tournament.dates[0],
        played_to=tournament.dates[-1],
    )


def _day(day: date) -> str:
    return f"{day:%d/%m/%Y}"


def _yes(flag: bool) -> str:
    return "Y" if flag else "N"


def _content(tournament: Tournament) -> str:
    event = tournament.event
    lines = [
        "<section Info>",
        f"name = {event.name}",
        f"played from = {_day(tournament.dates[0])}",
        f"played to = {_day(tournament.dates[-1])}",
        f"type = {TYPES[event.system]}",
        f"national championship = {_yes(event.national_championship == 'final')}",
        f"women championship = {_yes(event.women_only)}",
        f"name of referee = {tournament.referee}",
        f"place = {event.place}",
        f"country = {_country(tournament, event.country)}",
        f"remarks = <remark> {_remark(tournament)} </end remark>",
        f"winner = {tournament.winner}",
        "</end info>",
        "<section players>",
        *(_player_line(tournament, index, person) for index, person in enumerate(tournament.entrants)),
        "</end players>",
        "<section results>",
        *(f"{game.round},{game.white},{game.black},{game.result}" for game in tournament.games),
        "</end results>",
    ]
    return "\n".join(lines) + "\n"


def _country(tournament: Tournament, code: str) -> str:
    return tournament.federations[code].iso2 if tournament.short_countries else code


def _player_line(tournament: Tournament, index: int, person: Person) -> str:
    """Ten fields; birth and sex always for a player without FMJD-ID, else where the referee gives them."""
    event = tournament.event
    given = tournament.births_given or not person.fmjd_id
    born = _day(person.birthday) if given and person.birth_known == "day" else ""
    at_home = event.local_ids and person.federation == event.country
    fields = (
        person.fmjd_id,
        index + 1,
        person.local_id if at_home else "",
        tournament.places[index],
        tournament.points[index],
        person.first_name,
        person.last_name,
        _country(tournament, person.federation),
        born,
        person.sex if given else "",
    )
    return ",".join(str(value) for value in fields)


def _remark(tournament: Tournament) -> str:
    """What art. 4.1.1 (e, f) asks for: the special cases, in English."""
    event = tournament.event
    remarks = []
    if event.teams:
        squad = len(tournament.entrants) // len(event.teams)
        teams = (
            f"{name} {team * squad + 1} to {(team + 1) * squad}" for team, name in enumerate(event.teams)
        )
        remarks.append(f"Numbers of the teams: {'; '.join(teams)}.")
    if event.absent_from_closing:
        absent_players = ", ".join(map(str, event.absent_from_closing))
        remarks.append(f"Absent from the closing ceremony: number {absent_players}.")
    if event.unfinished:
        remarks.append("First part of the season, to be continued.")
    for game in tournament.games:
        if game.result == "0x0":
            remarks.append(
                f"Round {game.round}: neither {game.white} nor {game.black} appeared, regulatory result."
            )
        elif "x" in game.result:
            absent = game.white if game.result.startswith("0") else game.black
            remarks.append(f"Round {game.round}: number {absent} did not appear, regulatory result.")
    if any(game.black == PAUSE for game in tournament.games):
        remarks.append("Odd number of players, a pause gives 2 points.")
    return " ".join(remarks) or "No special cases."


def _sidecar(tournament: Tournament) -> str:
    event = tournament.event
    details: dict[str, object] = {
        "discipline": event.discipline,
        "time_control": event.time_control,
        "system": event.system,
        "official": event.official,
        "competition": event.competition,
        "national_championship": event.national_championship,
        "women_only": event.women_only,
        "youth": event.youth,
        "veterans": event.veterans,
        "announced": tournament.announced,
        "referee": tournament.referee,
        "referee_level": event.referee_level,
        "referee_contacts": f"{tournament.referee.lower().replace(' ', '.')}@referees.example",
        "referee_languages": "English, French, Russian",
        "sponsors": f"Savings Bank of {event.place}",
        "council_approved": event.council_approved,
        "received": tournament.received,
    }
    if event.world_cup_stars:
        details |= {"world_cup_stars": event.world_cup_stars, "world_cup_groups": event.world_cup_groups}
    if event.absent_from_closing:
        details["absent_from_closing"] = event.absent_from_closing
    lines = [f"{key} = {_toml(value)}" for key, value in details.items()]
    lines += ["rounds = [", *(f"  {day.isoformat()}," for day in tournament.dates), "]"]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    return json.dumps(value)
