"""The facts beside a report completed by what its file says, and a warning wherever the two differ."""

from dataclasses import fields, replace
from datetime import date
from typing import Any

from reporting.rules.findings import Finding, FindingList, in_file_order
from reporting.rules.report import ReportedInfo
from reporting.rules.time_control import minutes_text, parse_time_control
from reporting.rules.tournament_details import Kind, NationalChampionship, System, TournamentDetails

_LONGEST = {
    fact.name: fact.metadata["longest"]
    for fact in fields(TournamentDetails)
    if fact.metadata["kind"] is Kind.TEXT
}


def complete_details(
    details: TournamentDetails, info: ReportedInfo
) -> tuple[TournamentDetails, tuple[Finding, ...]]:
    """Return the facts completed by what the file says, and a warning wherever the two differ.

    The facts hold: they were given later and by a person. What neither says of a national championship or of
    women becomes "no". Lines and columns are those of the report file.
    """
    findings = FindingList()
    final = info.national_championship
    of_file: dict[str, tuple[str, Any]] = {
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
    }
    changes: dict[str, Any] = {}
    for key, (name_in_file, said) in of_file.items():
        mine = getattr(details, key)
        if said in (None, "", ()):
            continue
        line, column = info.positions.get(name_in_file, (None, None))
        longest = _LONGEST.get(key)
        if mine in (None, "", ()) and longest is not None and len(said) > longest:
            findings.error(
                "text-too-long",
                f"The text has {len(said)} characters.",
                line=line,
                column=(column or 1) + longest,
                field=key,
                found=said,
                expected=f"at most {longest} characters",
                suggestion="Shorten it in the file, or give it in the form.",
            )
        elif mine in (None, "", ()):
            changes[key] = said
        elif not _says_the_same(mine, said):
            findings.warning(
                "details-differ",
                "The form says another thing than the file; the form holds.",
                line=line,
                column=column,
                field=key,
                found=f"{_said(said)} in the file",
                expected=f"{_said(mine)} as in the form",
                suggestion="Correct the form or the file, or say why they differ.",
            )
    if info.time_control and not _same_time(details, info.time_control):
        line, column = info.positions.get("time_control", (None, None))
        findings.warning(
            "details-differ",
            "The form says another time for 60 moves than the file; the form holds.",
            line=line,
            column=column,
            field="time_control",
            found=f"{info.time_control} in the file",
            expected=f"{minutes_text(details.seconds_for_60_moves or 0)} as in the form",
            suggestion="Correct the form or the file, or say why they differ.",
        )
    merged = replace(details, **changes)
    if merged.national_championship is None:
        merged = replace(merged, national_championship=NationalChampionship.NO)
    if merged.women_only is None:
        merged = replace(merged, women_only=False)
    return merged, in_file_order(findings)


def _same_time(details: TournamentDetails, time_control: str) -> bool:
    return parse_time_control(time_control).seconds_for_60_moves == details.seconds_for_60_moves


def _says_the_same(mine: object, said: object) -> bool:
    if isinstance(mine, NationalChampionship):
        # The file only asks whether it is the final (Annex 9 art. 11): its N is no word on a qualification.
        return (mine is NationalChampionship.FINAL) == (said is NationalChampionship.FINAL)
    if isinstance(mine, str) and isinstance(said, str):
        return " ".join(mine.split()).casefold() == " ".join(said.split()).casefold()
    return mine == said


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(_said(day) for day in value)
    return value.isoformat() if isinstance(value, date) else str(value)
