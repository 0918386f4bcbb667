"""The checks of a report by Annex 9: those of all reports and its own, in the order of findings at one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reporting.federations.fmjd.details import FmjdDetails
from reporting.federations.fmjd.world_cup_checks import check_world_cup, check_youth_federations
from reporting.formats.annex_9.fmjd import READER
from reporting.rules.checks import REPORT_CHECKS, Check
from reporting.rules.checks.context import CheckContext
from reporting.rules.checks.tournament import check_round_dates, check_winner, place_of
from reporting.rules.details.known_details import known_details
from reporting.rules.report import TABLE_FORM


def check_rating_service(context: CheckContext) -> None:
    """The rating service of a report in table form is paid (Annex 9 art. 4.2.1b, R11)."""
    details = context.details
    if (
        context.read.format != TABLE_FORM
        or not isinstance(details, FmjdDetails)
        or details.rating_service_paid
    ):
        return
    context.findings.add("service-not-paid", field="rating_service_paid", proposed_value="true")


def check_texts(context: CheckContext) -> None:
    """Texts of the format of art. 11 within their length and in English letters."""
    if not context.is_entry_format:
        return
    info = context.read.info
    lengths = dict(READER.max_lengths)
    of_players = lengths.pop("local_id")
    for key, max_length in lengths.items():
        text: str = getattr(info, key)
        place = place_of(context, key)
        _check_length(context, text, max_length, place)
        _check_alphabet(context, text, place)
    _check_alphabet(context, info.remarks, place_of(context, "remarks"))
    for player in context.read.players:
        place = {"line": player.line, "column": player.column("local_id"), "field": "local_id"}
        _check_length(context, player.local_id, of_players, place)
        _check_alphabet(context, player.local_id, place)


def _check_length(context: CheckContext, text: str, max_length: int, place: Mapping[str, Any]) -> None:
    if len(text) > max_length:
        context.findings.add(
            "text-too-long.detail" if place["field"] in known_details() else "text-too-long",
            line=place["line"],
            column=(place["column"] or 1) + (0 if context.read.cells else max_length),
            field=place["field"],
            found=text,
            length=len(text),
            max_length=max_length,
        )


def _check_alphabet(context: CheckContext, text: str, place: Mapping[str, Any]) -> None:
    outside = next((i for i, letter in enumerate(text) if not letter.isascii()), None)
    if outside is not None:
        column = place["column"] or 1
        context.findings.add(
            "text-outside-alphabet",
            line=place["line"],
            column=column if "\n" in text or context.read.cells else column + outside,
            field=place["field"],
            found=text,
            character=text[outside],
        )


_SERVICE, _TEXTS = REPORT_CHECKS.index(check_round_dates), REPORT_CHECKS.index(check_winner) + 1

CHECKS: tuple[Check, ...] = (
    *REPORT_CHECKS[:_SERVICE],
    check_rating_service,
    *REPORT_CHECKS[_SERVICE:_TEXTS],
    check_texts,
    *REPORT_CHECKS[_TEXTS:],
    check_world_cup,
    check_youth_federations,
)
