"""A list of entrants: numbers of a register, one a line, or a table with a line for each player."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ratings.queries.addresses import published_players
from reporting.formats.tables.csv_table import TableFindings, TableRow, read_table
from reporting.formats.text.decode import marked_body, with_line_feeds
from reporting.models import Player, PlayerMerge
from reporting.rules.findings.finding_list import Finding
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.countries import find_country
from reporting.rules.register.registers import Register
from titles.federations.facet import Entrant
from titles.federations.registry import titles_of_norms
from titles.forecasts.field import MAX_ENTRANTS

COLUMNS: Final = ("number", "name", "rating", "title", "sex", "federation")
ARTICLE: Final = "docs/how-to/forecast-norms.md"
MAX_RATING: Final = 3500


@dataclass(frozen=True)
class Line:
    """A line of the list, read: where it is, and the player as it says."""

    row: TableRow
    number: int | None
    entrant: Entrant


def read_entrants(content: bytes, register: Register) -> tuple[list[Entrant], tuple[Finding, ...]]:
    """The entrants of a list, and all findings about it, each with its line. Never raises. 4 queries."""
    rows, findings = _rows(content, register)
    if not rows and not findings.findings:
        findings.add("table-empty", line=1)
    lines = [line for row in rows if (line := _line(row, findings))]
    numbers = [line.number for line in lines if line.number is not None]
    players = players_at(map(register.address, numbers))
    seen: set[int] = set()
    entrants = []
    for line in lines:
        entrant = line.entrant
        if line.number is not None:
            player = players.get(register.address(line.number))
            if player is None:
                findings.add(
                    "fmjd-id-unknown.entrant", line=line.row.line, field="number", found=str(line.number)
                )
                continue
            if player.pk in seen:
                findings.add("id-repeated", line=line.row.line, field="number", found=str(line.number))
            seen.add(player.pk)
            entrant = Entrant(
                player.printed_name, player.federation_id or entrant.federation, entrant.sex, player=player
            )
        entrants.append(entrant)
    return entrants, findings.in_order()


def _rows(content: bytes, register: Register) -> tuple[list[TableRow], TableFindings]:
    codec, body = marked_body(content)
    text = with_line_feeds(body.decode(codec or "utf-8", errors="replace"))
    lines = list(map(plain_text, text.split("\n")))
    first = next((line for line in lines if line), "")
    if not first[:1].isdigit():
        return read_table(
            content, required=(), optional=COLUMNS, aliases={register.header: "number", "id": "number"},
            most_rows=MAX_ENTRANTS, article=ARTICLE,
        )  # fmt: skip
    rows = [TableRow(place, {"number": line}) for place, line in enumerate(lines, start=1) if line]
    findings = TableFindings(COLUMNS, ARTICLE)
    if len(rows) > MAX_ENTRANTS:
        more = len(rows) - MAX_ENTRANTS
        findings.add("limit-rows", line=rows[MAX_ENTRANTS].line, limit=MAX_ENTRANTS, count=more)
    return rows[:MAX_ENTRANTS], findings


def _line(row: TableRow, findings: TableFindings) -> Line | None:
    """A line as it is written; None, with findings, where it says too little."""
    before = len(findings.findings)
    number = findings.whole_number(row, "number", 1, 999_999_999)
    rating = findings.whole_number(row, "rating", 0, MAX_RATING) or 0
    title = findings.one_of(row, "title", titles_of_norms())
    sex = findings.sex(row, "sex")
    written = row.values.get("federation", "")
    country = find_country(written) if written else None
    if written and country is None:
        findings.add("federation-unknown", line=row.line, field="federation", found=written)
    if number is None and len(findings.findings) == before:
        if not rating and not sex:
            findings.add("sex-missing.entrant", line=row.line, field="sex")
        if not written:
            findings.add("federation-unknown", line=row.line, field="federation", found="")
    if len(findings.findings) > before:
        return None
    name = row.values.get("name", "")[:80]
    return Line(
        row,
        number,
        Entrant(
            name or f"#{row.line}", country.code if country else "", sex, (title,) if title else (), rating
        ),
    )


def players_at(addresses: Iterable[str]) -> dict[str, Player]:
    """The players on published lists at these addresses; of a merged record the surviving one (R24).

    3 queries, and 1 for each register among them.
    """
    known = Player.objects.keys_at(addresses)
    merges = PlayerMerge.objects.filter(duplicate__in=known.values(), undone_at=None)
    merged = dict(merges.values_list("duplicate", "surviving"))
    surviving = {address: merged.get(player, player) for address, player in known.items()}
    players = Player.objects.in_bulk(published_players(surviving.values()))
    return {address: players[player] for address, player in surviving.items() if player in players}
