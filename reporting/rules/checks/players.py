"""Checks of the players: numbers, names, birth and sex (R20)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date

from reporting.rules.checks.context import CheckContext
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, FindingList, Severity, in_file_order
from reporting.rules.names.plain_text import plain_punctuation
from reporting.rules.register.registers import MAX_NAME_LENGTH, Register
from reporting.rules.report import ReportedPlayer

NEW = ".new"
"""The case of a finding about a new player, which is settled on the page People."""

OLDEST, YOUNGEST = 100, 4
"""Years of age, in the year of the tournament, outside which a birth is a warning. Our figures."""

_OUTSIDE_ALPHABET = re.compile(r"[^A-Za-z './-]")
_LETTER = re.compile(r"[A-Za-z]")
_INITIAL = re.compile(r"(?<![^\s-])[^\W\d_](?![^\s-])")
"""A single letter between spaces and hyphens: that of `Jean-P`, not that of `N'cho`."""


def check_numbers(context: CheckContext) -> None:
    """Each tournament number and each FMJD-ID once (R20)."""
    first_with_number: dict[int, int] = {}
    first_with_id: dict[int | str, int] = {}
    for player in context.read.players:
        first = first_with_number.setdefault(player.number, player.line)
        if first != player.line:
            context.findings.add(
                "number-repeated",
                line=player.line,
                column=player.column("number"),
                field="number",
                found=str(player.number),
                first_line=first,
            )
        fmjd_id = context.fmjd_id(player)
        if fmjd_id is None:
            continue
        first = first_with_id.setdefault(fmjd_id, player.line)
        if first != player.line:
            context.findings.add(
                "fmjd-id-repeated",
                line=player.line,
                column=player.column("fmjd_id"),
                field="fmjd_id",
                found=str(fmjd_id),
                first_line=first,
            )


def check_player_details(context: CheckContext) -> None:
    """The FMJD-IDs and new players of the details belong to players of the report and do not contradict it."""
    if context.details is None:
        return
    for number in context.details.newcomers:
        player = context.by_number.get(number)
        if (
            player is None or context.fmjd_id(player) is not None
        ):  # that of the details: the file's does not count
            context.findings.add("new-player-unknown", field="newcomers", found=str(number))
    unknown = [number for number in context.details.players if number not in context.by_number]
    read = context.read
    explained = "players" in read.unread_sections or len(unknown) <= read.unread_players
    for number, fmjd_id in context.details.players.items():
        player = context.by_number.get(number)
        if player is None and explained:
            continue  # the line that has the number could not be read; the reader has reported that
        if player is None:
            context.findings.add("player-details-unknown", field="players", number=number, fmjd_id=fmjd_id)
        elif player.fmjd_id not in (None, fmjd_id):
            context.findings.add(
                "details-differ",
                Severity.WARNING,
                line=player.line,
                column=player.column("fmjd_id"),
                field="players",
                in_file=player.fmjd_id,
                in_details=fmjd_id,
            )


def check_names(context: CheckContext) -> None:
    """Names as the register writes them: errors in the formats made for reports, warnings in exports (R20, R28).

    The surname of a new player is clear where its register asks for birth and sex too.
    """
    severity = Severity.ERROR if context.is_report_format else Severity.WARNING
    for player in context.read.players:
        if context.is_entry_format:
            _check_name_is_present(player, context.findings)
        is_new = _is_new(player, context)
        _check_name(player, context.rules.register, context.findings, severity, NEW if is_new else "")
        if is_new and context.rules.register.asks_birth_and_sex:
            _check_name_is_split(player, context.findings)


def check_birth_dates(context: CheckContext) -> None:
    """A possible date of birth and, in the formats made for reports, one wherever it is required (R20, R25).

    Where the register asks for it, it is required of a player without FMJD-ID and of every player in a youth or
    veterans' tournament. Exports have no column for it, so nothing is required there; a player of an export who is not
    in the register has to be identified first (``check_new_player``).
    """
    is_asked = context.is_report_format and context.rules.register.asks_birth_and_sex
    is_age_group = _is_age_group(context.details)
    for player in context.read.players:
        if player.born is not None:
            _check_birth(player, player.born, context)
        elif is_asked and not context.has_reader_finding_for(player, "born"):
            if _is_new(player, context):
                _born_missing(player, context.findings)
            elif is_age_group:
                _born_missing(player, context.findings, "born-missing.age-group")


def check_sexes(context: CheckContext) -> None:
    """The sex of a player without FMJD-ID, where the register asks for it (R20)."""
    for player in context.read.players if context.rules.register.asks_birth_and_sex else ():
        is_asked = not player.sex and _is_new(player, context)
        if is_asked and not context.has_reader_finding_for(player, "sex"):
            _sex_missing(player, context.findings)


PEOPLE_CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    check_numbers,
    check_player_details,
    check_names,
    check_birth_dates,
    check_sexes,
)


def check_new_player(player: ReportedPlayer, register: Register) -> tuple[Finding, ...]:
    """Return what R20 requires of a player of an export who was not found in this register, all as errors.

    Add them to the findings of the report with ``in_file_order``: an equal warning is dropped then.
    """
    findings = FindingList()
    _check_name(player, register, findings, Severity.ERROR, NEW)
    if not register.asks_birth_and_sex:
        return in_file_order(findings)
    _check_name_is_split(player, findings)
    if player.born is None:
        _born_missing(player, findings)
    if not player.sex:
        _sex_missing(player, findings)
    return in_file_order(findings)


def _is_new(player: ReportedPlayer, context: CheckContext) -> bool:
    """Whether a player is new by a format that has the FMJD-ID, or by the details; the page People asks the data."""
    return context.is_report_format and context.fmjd_id(player) is None


def _is_age_group(details: TournamentDetails | None) -> bool:
    return details is not None and (details.youth_only or details.veterans)


def _parts(player: ReportedPlayer) -> tuple[tuple[str, str, int], ...]:
    """Return field, text and column of each part of the name."""
    if "first_name" in player.columns:
        return (
            ("first_name", player.first_name, player.column("first_name")),
            ("last_name", player.last_name, player.column("last_name")),
        )
    begins = player.column("name")
    if not player.last_name:
        return (("name", player.name, begins),)
    # One field "Last, First": the column of a part is where it begins in the field.
    return (
        ("name", player.last_name, begins),
        ("name", player.first_name, begins + player.name.rfind(player.first_name)),
    )


def _check_name_is_present(player: ReportedPlayer, findings: FindingList) -> None:
    for field, text, column in _parts(player):
        if player.in_cells and field not in player.columns:
            continue  # the whole column is missing; the reader has reported that
        has_one_name = field == "first_name" and not text  # R28
        if not has_one_name and not any(letter.isalpha() for letter in text):
            findings.add("name-missing", line=player.line, column=column, field=field, found=text)


def _check_name_is_split(player: ReportedPlayer, findings: FindingList) -> None:
    """A new player is entered under the surname, so it has to be clear; of a player with FMJD-ID it is known."""
    if "first_name" not in player.columns and not player.last_name and " " in player.name:
        findings.add(
            "name-not-split",
            line=player.line,
            column=player.column("name"),
            field="name",
            found=player.name,
        )


def _check_name(
    player: ReportedPlayer, register: Register, findings: FindingList, severity: Severity, case: str
) -> None:
    """The name is not too long; where the register has such names, it is written out in English letters."""
    longest = register.name_letters or MAX_NAME_LENGTH
    for field, text, column in _parts(player):
        outside = register.name_letters and _OUTSIDE_ALPHABET.search(plain_punctuation(text))
        if outside:
            findings.add(
                f"name-outside-alphabet{case}",
                severity,
                line=player.line,
                column=column + (0 if player.in_cells else outside.start()),
                field=field,
                found=text,
                character=text[outside.start()],
                in_english_letters=_in_english_letters(text),
            )
        # A name that is not split may be first name and surname together: its length says nothing, unless it stays so.
        is_part = field != "name" or player.last_name or not register.asks_birth_and_sex
        if len(text) > longest and is_part:
            findings.add(
                f"name-too-long{case}",
                severity,
                line=player.line,
                column=column + (0 if player.in_cells else longest),
                field=field,
                found=text,
                length=len(text),
                max_length=longest,
            )
        if register.name_letters and ("." in text or "/" in text or _INITIAL.search(text)):
            findings.add(
                f"name-shortened{case}", severity, line=player.line, column=column, field=field, found=text
            )


def _in_english_letters(text: str) -> str:
    """Return a name without its accents; empty if that is not enough or leaves no letter."""
    apart = unicodedata.normalize("NFKD", plain_punctuation(text))
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return "" if _OUTSIDE_ALPHABET.search(plain) or not _LETTER.search(plain) else plain


def _check_birth(player: ReportedPlayer, born: date, context: CheckContext) -> None:
    begins = context.played_from
    if begins is None:
        return
    age = begins.year - born.year
    if born > begins:
        context.findings.add(
            f"born-after-start{NEW if player.is_new or _is_new(player, context) else ''}",
            line=player.line,
            column=player.column("born"),
            field="born",
            born=born.isoformat(),
            played_from=begins.isoformat(),
        )
    elif not YOUNGEST <= age <= OLDEST:
        context.findings.add(
            "born-unlikely",
            Severity.WARNING,
            line=player.line,
            column=player.column("born"),
            field="born",
            born=born.isoformat(),
            age=age,
            youngest=YOUNGEST,
            oldest=OLDEST,
        )


def _born_missing(player: ReportedPlayer, findings: FindingList, key: str = "born-missing") -> None:
    findings.add(
        key,
        line=player.line,
        column=player.column("born" if "born" in player.columns else "name"),
        field="born",
    )


def _sex_missing(player: ReportedPlayer, findings: FindingList) -> None:
    findings.add(
        "sex-missing",
        line=player.line,
        column=player.column("sex" if "sex" in player.columns else "name"),
        field="sex",
    )
