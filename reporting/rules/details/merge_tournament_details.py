"""Tournament details completed by what the report file says, and a warning wherever the two differ."""

from dataclasses import replace
from datetime import date
from typing import Any

from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.known_details import DETAILS, details_of
from reporting.rules.details.shared_details import NationalChampionship, System
from reporting.rules.details.time_control import minutes_text, parse_time_control
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, FindingList, Severity, in_file_order
from reporting.rules.names.plain_text import plain_punctuation, plain_text
from reporting.rules.report import ReportedInfo
from reporting.rules.sentences import joined
from reporting.rules.standings.registry import TIE_BREAKS

_MAX_LENGTHS = {name: detail.max_length for name, detail in DETAILS.items() if detail.kind is Kind.TEXT}


def complete_details(
    details: TournamentDetails, info: ReportedInfo
) -> tuple[TournamentDetails, tuple[Finding, ...]]:
    """Return the details completed by what the file says, and a warning wherever the two differ.

    The details count: a person gave them, and later. A national championship or "women only" that neither names
    becomes "no". What reports of the federation do not have is not taken from the file. Lines and columns are those of
    the report file.
    """
    findings = FindingList()
    used = details_of(type(details))
    final = info.national_championship
    in_file: dict[str, tuple[str, Any]] = {
        "name": ("name", info.name),
        "place": ("place", info.place),
        "country": ("country", info.country_code),
        "played_from": ("played_from", info.played_from),
        "played_to": ("played_to", info.played_to),
        "system": ("system", System(info.system) if info.system else None),
        "national_championship": (
            "national_championship",
            None if final is None else (NationalChampionship.FINAL if final else NationalChampionship.NO),
        ),
        "women_only": ("women_championship", info.women_championship),
        "referee": ("referee", info.referee),
        "rounds": ("rounds", info.rounds),
        "points": ("points", info.points),
    }
    if "standings" in used:
        in_file["standings"] = ("standings", _known_tie_breaks(info, details, findings))
    changes: dict[str, Any] = {}
    for key, (name_in_file, said) in in_file.items():
        mine = getattr(details, key)
        if said in (None, "", ()) or key not in used:
            continue
        line, column = info.positions.get(name_in_file, (None, None))
        max_length = _MAX_LENGTHS.get(key)
        if mine in (None, "", ()) and max_length is not None and len(said) > max_length:
            findings.add(
                "text-too-long",
                line=line,
                column=(column or 1) + max_length,
                field=key,
                found=said,
                length=len(said),
                max_length=max_length,
            )
        elif mine in (None, "", ()):
            changes[key] = said
        elif not _is_same(mine, said):
            findings.add(
                "details-differ",
                Severity.WARNING,
                line=line,
                column=column,
                field=key,
                in_file=_printed(said),
                in_details=_printed(mine),
            )
    asks_clock = bool(info.time_control) and not details.session and "time_control" in used
    if asks_clock and details.seconds_for_60_moves is None:
        changes["time_control"] = info.time_control
    elif asks_clock and not _same_time(details, info.time_control):
        line, column = info.positions.get("time_control", (None, None))
        findings.add(
            "details-differ",
            Severity.WARNING,
            line=line,
            column=column,
            field="time_control",
            in_file=info.time_control,
            in_details=minutes_text(details.seconds_for_60_moves or 0),
        )
    merged = replace(details, **changes)
    if merged.national_championship is None:
        merged = replace(merged, national_championship=NationalChampionship.NO)
    if merged.women_only is None:
        merged = replace(merged, women_only=False)
    return merged, in_file_order(findings)


def tie_breaks_of(info: ReportedInfo) -> tuple[str, ...]:
    """The tie-breaks that the file names, if all of them are known here."""
    return info.standings if all(key in TIE_BREAKS for key in info.standings) else ()


def _known_tie_breaks(
    info: ReportedInfo, details: TournamentDetails, findings: FindingList
) -> tuple[str, ...]:
    """The tie-breaks of the file, all or none; a note where some are not known, unless the details have their own."""
    unknown = [key for key in info.standings if key not in TIE_BREAKS]
    if details.standings or details.round_scores:
        return ()
    if unknown:
        line, column = info.positions.get("standings", (None, None))
        findings.add(
            "tie-breaks-unknown",
            line=line,
            column=column,
            field="standings",
            found=", ".join(info.standings),
            unknown=joined(unknown),
            asked_detail="standings",
        )
    return tie_breaks_of(info)


def _same_time(details: TournamentDetails, time_control: str) -> bool:
    return parse_time_control(time_control).seconds_for_60_moves == details.seconds_for_60_moves


def _is_same(mine: object, said: object) -> bool:
    if isinstance(mine, NationalChampionship):
        # The file only asks whether it is the final: its N is no answer about a qualification.
        return (mine is NationalChampionship.FINAL) == (said is NationalChampionship.FINAL)
    if isinstance(mine, str) and isinstance(said, str):
        return _comparable(mine) == _comparable(said)
    return mine == said


def _comparable(text: str) -> str:
    return plain_punctuation(plain_text(text)).casefold()


def _printed(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(_printed(day) for day in value)
    return value.isoformat() if isinstance(value, date) else str(value)
