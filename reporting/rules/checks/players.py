"""Checks of the players: numbers, names, birth and sex (Annex 9 art. 4.2.5 and 11; R20)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date

from reporting.rules.checks.context import CheckContext
from reporting.rules.findings import Finding, FindingFields, FindingList, in_file_order
from reporting.rules.report import ReportedPlayer
from reporting.rules.tournament_details import TournamentDetails

MAX_NAME_LENGTH = 17
"""Characters of a first name and of a surname, each (Annex 9 art. 4.2.5.1)."""

OLDEST, YOUNGEST = 100, 4
"""Years of age in the year of the competition outside which a birth is asked about. Our figures."""

_OUTSIDE_ALPHABET = re.compile(r"[^A-Za-z './-]")
_LETTER = re.compile(r"[A-Za-z]")
_INITIAL = re.compile(r"(?<![^\s-])[^\W\d_](?![^\s-])")
"""A single letter between spaces and hyphens: that of `Jean-P`, not that of `N'cho`."""


def check_numbers(context: CheckContext) -> None:
    """Each tournament number and each FMJD-ID once (R20)."""
    first_with_number: dict[int, int] = {}
    first_with_id: dict[int, int] = {}
    for player in context.read.players:
        first = first_with_number.setdefault(player.number, player.line)
        if first != player.line:
            context.findings.error(
                "number-repeated",
                f"This tournament number is used on line {first} already.",
                line=player.line,
                column=player.column("number"),
                field="number",
                found=str(player.number),
                expected="each number once",
                suggestion="Give each player a number of his own, and look at the results of both.",
            )
        fmjd_id = context.fmjd_id(player)
        if fmjd_id is None:
            continue
        first = first_with_id.setdefault(fmjd_id, player.line)
        if first != player.line:
            context.findings.error(
                "fmjd-id-repeated",
                f"This FMJD-ID is used on line {first} already.",
                line=player.line,
                column=player.column("fmjd_id"),
                field="fmjd_id",
                found=str(fmjd_id),
                expected="each FMJD-ID once",
                suggestion="Look both players up in the register.",
            )


def check_player_details(context: CheckContext) -> None:
    """The FMJD-IDs and newcomers of the form belong to players of the report and do not contradict it."""
    if context.details is None:
        return
    for number in context.details.newcomers:
        player = context.by_number.get(number)
        if player is None or context.fmjd_id(player) is not None:
            context.findings.error(
                "player-details-unknown",
                "The form calls a newcomer whom the report does not have, or who has an FMJD-ID.",
                field="newcomers",
                found=str(number),
                expected="tournament numbers of players without FMJD-ID",
                suggestion="Remove the entry on the page People, or correct its number in the sidecar.",
            )
    strangers = [number for number in context.details.players if number not in context.by_number]
    read = context.read
    explained = "players" in read.unread_sections or len(strangers) <= read.unread_players
    for number, fmjd_id in context.details.players.items():
        player = context.by_number.get(number)
        if player is None and explained:
            continue  # the line that has the number could not be read, which was told
        if player is None:
            context.findings.error(
                "player-details-unknown",
                "The form gives an FMJD-ID for a number that no player has.",
                field="players",
                found=f"{number} = {fmjd_id}",
                expected="tournament numbers of the report",
                suggestion="Remove the entry on the page People, or correct its number in the sidecar.",
            )
        elif player.fmjd_id not in (None, fmjd_id):
            context.findings.warning(
                "details-differ",
                "The form gives another FMJD-ID than the file; the form holds.",
                line=player.line,
                column=player.column("fmjd_id"),
                field="players",
                found=f"{player.fmjd_id} in the file",
                expected=f"{fmjd_id} as in the form",
                suggestion="Look the player up in the register and correct one of the two.",
            )


def check_names(context: CheckContext) -> None:
    """Names in full, in English letters, of at most 17: errors in the forms, warnings in exports (R20)."""
    say = context.findings.error if context.is_annex_9_format else context.findings.warning
    for player in context.read.players:
        if context.is_fmjd_format:
            _check_name_is_there(player, context.findings)
        _check_name(player, say)
        if context.is_annex_9_format and context.fmjd_id(player) is None:
            _check_name_is_split(player, context.findings)


def check_birth_dates(context: CheckContext) -> None:
    """A date of birth that can be and, in the forms of Annex 9, one wherever it is asked (R20, R25).

    It is asked of a player without FMJD-ID and of everybody in a youth or veterans' competition. Exports
    have no column for it, so nothing is asked of them here; a player of an export who is not in the register
    has to be identified first (``check_new_player``).
    """
    for_age = _asks_age(context.details)
    for player in context.read.players:
        if player.born is not None:
            _check_birth(player, player.born, context)
        elif context.is_annex_9_format and not context.has_reader_finding_for(player, "born"):
            if for_age:
                _born_missing(player, context.findings, "in a youth or veterans' competition")
            elif context.fmjd_id(player) is None:
                _born_missing(player, context.findings, "of a player without FMJD-ID")


def check_sexes(context: CheckContext) -> None:
    """The sex of a player without FMJD-ID (R20)."""
    if not context.is_annex_9_format:
        return
    for player in context.read.players:
        known = player.sex or context.fmjd_id(player) is not None
        if not known and not context.has_reader_finding_for(player, "sex"):
            _sex_missing(player, context.findings)


PEOPLE_CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    check_numbers,
    check_player_details,
    check_names,
    check_birth_dates,
    check_sexes,
)


def check_new_player(player: ReportedPlayer) -> tuple[Finding, ...]:
    """Return what R20 asks of a player of an export who was not found in the register, all as errors.

    Add them to the findings of the report with ``in_file_order``: a warning that said the same falls away.
    """
    findings = FindingList()
    _check_name(player, findings.error)
    if player.born is None:
        _born_missing(player, findings, "of a player not in the register")
    if not player.sex:
        _sex_missing(player, findings)
    return in_file_order(findings)


def _asks_age(details: TournamentDetails | None) -> bool:
    return details is not None and (bool(details.youth) or details.veterans)


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
    # One field "Last, First": each part stands where it is found in it.
    return (
        ("name", player.last_name, begins),
        ("name", player.first_name, begins + player.name.rfind(player.first_name)),
    )


def _check_name_is_there(player: ReportedPlayer, findings: FindingList) -> None:
    for field, text, column in _parts(player):
        if player.in_cells and field not in player.columns:
            continue  # the whole column is missing, which was told
        if not any(letter.isalpha() for letter in text):
            findings.error(
                "name-missing",
                "The first name is missing." if field == "first_name" else "The surname is missing.",
                line=player.line,
                column=column,
                field=field,
                found=text or "nothing",
                expected="first name and surname in full",
                suggestion="Write both names as in the passport, in English letters.",
            )


def _check_name_is_split(player: ReportedPlayer, findings: FindingList) -> None:
    """A newcomer is entered under his surname, so it has to be clear; of a player with FMJD-ID it is known."""
    if "first_name" not in player.columns and not player.last_name and " " in player.name:
        findings.error(
            "name-not-split",
            "It is not clear which part of the name of this player without FMJD-ID is the surname.",
            line=player.line,
            column=player.column("name"),
            field="name",
            found=player.name,
            expected="Last, First",
            suggestion="Write the surname first, then a comma, or give the FMJD-ID.",
        )


def _check_name(player: ReportedPlayer, say: Callable[..., None]) -> None:
    for field, text, column in _parts(player):
        place = FindingFields(line=player.line, column=column, field=field, found=text)
        outside = _OUTSIDE_ALPHABET.search(text)
        if outside:
            plain = _in_english_letters(text)
            say(
                "name-outside-alphabet",
                f"The name holds “{outside.group()}”, which the English alphabet does not have.",
                **place | {"column": column + (0 if player.in_cells else outside.start())},
                expected="letters A to Z, space, hyphen and apostrophe",
                suggestion=f"Write {plain}, if that is the name."
                if plain
                else "Write it in English letters.",
            )
        # A name that is not split may be first name and surname together: its length says nothing.
        if len(text) > MAX_NAME_LENGTH and (field != "name" or player.last_name):
            _too_long(text, place | {"column": column + (0 if player.in_cells else MAX_NAME_LENGTH)}, say)
        if "." in text or "/" in text or _INITIAL.search(text):
            say(
                "name-shortened",
                "A name is written in full, without initials and short forms.",
                **place,
                expected="each name in full, without a single letter, full stop or slash",
                suggestion="Write the whole name.",
            )


def _too_long(text: str, place: FindingFields, say: Callable[..., None]) -> None:
    say(
        "name-too-long",
        f"The name has more than {MAX_NAME_LENGTH} letters.",
        **place,
        expected=f"at most {MAX_NAME_LENGTH} letters; there are {len(text)}",
        suggestion="Leave out a middle name.",
    )


def _in_english_letters(text: str) -> str:
    """Return a name without its accents, empty if that is not enough or the rest is no name."""
    apart = unicodedata.normalize("NFKD", text.replace("’", "'").replace("–", "-"))
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return "" if _OUTSIDE_ALPHABET.search(plain) or not _LETTER.search(plain) else plain


def _check_birth(player: ReportedPlayer, born: date, context: CheckContext) -> None:
    begins = context.played_from
    if begins is None:
        return
    age = begins.year - born.year
    if born > begins:
        context.findings.error(
            "born-after-start",
            "The player was born after the competition began.",
            line=player.line,
            column=player.column("born"),
            field="born",
            found=born.isoformat(),
            expected=f"a day before {begins.isoformat()}",
            suggestion="Correct the year of birth.",
        )
    elif not YOUNGEST <= age <= OLDEST:
        context.findings.warning(
            "born-unlikely",
            f"The player would be {age} years old.",
            line=player.line,
            column=player.column("born"),
            field="born",
            found=born.isoformat(),
            expected=f"an age from {YOUNGEST} to {OLDEST}",
            suggestion="Look at the year of birth again.",
        )


def _born_missing(player: ReportedPlayer, findings: FindingList, why: str) -> None:
    findings.error(
        "born-missing",
        f"The date of birth {why} is asked.",
        line=player.line,
        column=player.column("born" if "born" in player.columns else "name"),
        field="born",
        found="nothing",
        expected="DD/MM/YYYY",
        suggestion="Ask the player, or give his FMJD-ID if he has one.",
    )


def _sex_missing(player: ReportedPlayer, findings: FindingList) -> None:
    findings.error(
        "sex-missing",
        "The sex of a player without FMJD-ID is asked.",
        line=player.line,
        column=player.column("sex" if "sex" in player.columns else "name"),
        field="sex",
        found="nothing",
        expected="W or M",
        suggestion="Write W for a woman, M for a man, or give the FMJD-ID.",
    )
