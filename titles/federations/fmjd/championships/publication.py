"""The list of participants and the reserve list as kinds of publications: their inputs as a file, and rows from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from titles.federations.fmjd.championships.calculate_places import calculate_places
from titles.federations.fmjd.championships.labels import SOURCES, STATES, handed_on_notes, item_label
from titles.federations.fmjd.championships.selectors import (
    federations_not_in_good_standing,
    find_championship,
    given_championship,
)
from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.rules.world_cup.championship import (
    ChampionshipInput,
    FilledChampionship,
    fill_championship,
)
from titles.federations.fmjd.rules.world_cup.parameters import Parameters, edition_in_force
from titles.federations.fmjd.rules.world_cup.qualification import Claims, RatedPlayer, Source, Withdrawal
from titles.federations.fmjd.world_cup.publications.kinds import (
    PublicationKey,
    PublicationKind,
    Row,
    no_items,
)
from titles.rules.lifecycle import PlaceMove, PlaceState

PARTICIPANT_COLUMNS = (
    "number", "item", "kind", "fmjd_id", "federation", "source", "by_lot", "state", "good_standing",
)  # fmt: skip
RESERVE_COLUMNS = ("position", "source", "rank", "fmjd_id", "federation", "by_lot", "good_standing")


def read_inputs(key: PublicationKey) -> str:
    """All that the places of a championship follow from, as JSON without names. 29 queries at most."""
    championship = find_championship(key.championship)
    known, answers = given_championship(championship)
    given = calculate_places(known).given
    claims = given.claims
    content = {
        "championship": given.championship,
        "year": championship.year,
        "council_day": given.council_day.isoformat(),
        "champion": claims.champion,
        "opponent": claims.opponent,
        "match_played": claims.match_played,
        "refused": sorted(claims.refused),
        "final_classification": list(claims.final_classification),
        "named": {str(item): list(names) for item, names in claims.named.items()},
        "federations": {str(player): code for player, code in claims.federations.items()},
        "group_a": sorted(claims.group_a),
        "world_cup": list(given.world_cup),
        "ratings": [(one.player, one.rating, one.games) for one in given.ratings],
        "official": sorted(given.official),
        "confirmed": sorted(number for number, step in answers.items() if step.move == PlaceMove.CONFIRM),
        "withdrawals": [(one.player, one.day.isoformat()) for one in given.withdrawals],
        "lots": {source: list(lots) for source, lots in given.lots.items()},
        "extra": given.extra,
        "championships": list(given.championships),
        "not_in_good_standing": sorted(federations_not_in_good_standing(championship.year)),
    }
    return json.dumps(content, sort_keys=True, separators=(",", ":")) + "\n"


def participants(_key: PublicationKey, inputs: str) -> list[Row]:
    """The places in order of the items, with rule, source and state of each; `withdrawn` are its earlier players."""
    content, filled, federations = _filled(inputs)
    confirmed, not_good = set(content["confirmed"]), content["not_in_good_standing"]
    rows: list[Row] = []
    for number, held in enumerate(filled.places, start=1):
        player = held.place.player
        federation = federations.get(player or 0, "")
        state = (
            PlaceState.CONFIRMED
            if player in confirmed
            else PlaceState.NAMED
            if player
            else PlaceState.DECLINED
            if held.withdrawn
            else PlaceState.OPEN
        )
        rows.append(
            {
                "number": number,
                "item": held.place.item,
                "kind": str(held.place.kind),
                "fmjd_id": player,
                "federation": federation,
                "source": held.place.source.value,
                "by_lot": held.by_lot,
                "state": state.value,
                "good_standing": federation not in not_good,
                "withdrawn": list(held.withdrawn),
            }
        )
    return rows


def reserves(_key: PublicationKey, inputs: str) -> list[Row]:
    """The reserve list, without those who have a place."""
    content, filled, federations = _filled(inputs)
    return [
        {
            "position": row.position,
            "source": row.source.value,
            "rank": row.rank,
            "fmjd_id": row.player,
            "federation": federations[row.player],
            "by_lot": row.by_lot,
            "good_standing": federations[row.player] not in content["not_in_good_standing"],
        }
        for row in filled.reserves
    ]


def _filled(inputs: str) -> tuple[dict[str, Any], FilledChampionship, dict[int, str]]:
    content = json.loads(inputs)
    federations = {int(player): code for player, code in content["federations"].items()}
    given = ChampionshipInput(
        championship=content["championship"],
        council_day=date.fromisoformat(content["council_day"]),
        claims=Claims(
            champion=content["champion"],
            opponent=content["opponent"],
            match_played=content["match_played"],
            refused=content["refused"],
            final_classification=content["final_classification"],
            named={int(item): names for item, names in content["named"].items()},
            federations=federations,
            group_a=content["group_a"],
        ),
        world_cup=[(player, rank) for player, rank in content["world_cup"]],
        ratings=[RatedPlayer(*row) for row in content["ratings"]],
        official=set(content["official"]),
        withdrawals=[Withdrawal(player, date.fromisoformat(day)) for player, day in content["withdrawals"]],
        lots=content["lots"],
        extra=content["extra"],
        championships=content["championships"],
    )
    return content, fill_championship(_edition_of(content["year"]), given), federations


def _edition_of(year: int) -> Parameters:
    return edition_in_force(date(year, 1, 1))


def _edition(key: PublicationKey) -> str:
    return _edition_of(find_championship(key.championship).year).id


def _items(key: PublicationKey) -> dict[int, str]:
    championship = find_championship(key.championship)
    parameters = _edition_of(championship.year)
    items = (
        *parameters.places[championship.kind],
        *parameters.extra_items(championship.kind, parameters.most_extra(championship.kind)),
    )
    return {item.item: f"{item.item}. {item_label(item)}" for item in items}


def _words_of_place(row: Row) -> str:
    state = str(STATES[PlaceState(row["state"])])
    return state if row["fmjd_id"] is None else f"{SOURCES[Source(row['source'])]}, {state}"


def _words_of_reserve(row: Row) -> str:
    return f"{SOURCES[Source(row['source'])]}, #{row['rank']}"


def notes(publication: Publication, rows: Sequence[Row]) -> list[str]:
    """The days of both sources (R72), whether they are still to come, places of another item, open lots. 1 query."""
    championship = find_championship(publication.championship)
    year = championship.year
    requested_on = timezone.localtime(publication.requested_at).date()
    days = {
        name: date_format(one, "j M Y")
        for name, one in (
            ("january", date(year, 1, 1)),
            ("december", date(year - 1, 12, 31)),
            ("requested", requested_on),
        )
    }
    if requested_on.year < year:
        said = (
            gettext(
                "Made before %(january)s, so not final: by the newest list and the World Cup as they were known on"
                " %(requested)s. Final are the list in force on %(january)s and the World Cup on %(december)s."
            )
            % days
        )
    else:
        said = gettext("By the list in force on %(january)s and the World Cup on %(december)s.") % days
    open_lots = sum(row["by_lot"] for row in rows)
    of_lots = ngettext(
        "A lot that is not drawn yet decides %(n)s row.",
        "Lots that are not drawn yet decide %(n)s rows.",
        open_lots,
    )
    items = _edition_of(year).places[championship.kind]
    is_places = publication.kind == Publication.Kind.PARTICIPANTS
    handed_on = handed_on_notes(items, [row["kind"] for row in rows]) if is_places else []
    return [said, *handed_on, *([of_lots % {"n": open_lots}] if open_lots else [])]


def _label(key: PublicationKey) -> str:
    names = {"championship": find_championship(key.championship).title}
    if key.kind == Publication.Kind.PARTICIPANTS:
        return gettext("Participants: %(championship)s") % names
    return gettext("Reserve list: %(championship)s") % names


def _address(key: PublicationKey, revision: int | None) -> str:
    if revision is None:
        return reverse("championship", args=[key.championship])
    return reverse(f"championship-{key.kind}", args=[key.championship, revision])


PARTICIPANTS, RESERVES = (
    PublicationKind(
        code=code.value,
        columns=columns,
        edition=_edition,
        read_inputs=read_inputs,
        calculate=calculate,
        label=_label,
        address=_address,
        heading=heading,
        words=words,
        items=items,
        notes=notes,
    )
    for code, columns, calculate, heading, words, items in (
        (
            Publication.Kind.PARTICIPANTS,
            PARTICIPANT_COLUMNS,
            participants,
            _("Source and state"),
            _words_of_place,
            _items,
        ),
        (Publication.Kind.RESERVES, RESERVE_COLUMNS, reserves, _("Source"), _words_of_reserve, no_items),
    )
)


def key_of_list(kind: str, code: str) -> PublicationKey:
    """The key of the list of participants or the reserve list of a championship."""
    return PublicationKey(kind=kind, championship=code)


def publications_of(code: str) -> list[Publication]:
    """The lists of a championship in any state but withdrawn, the newest request first. 1 query."""
    found = Publication.objects.filter(championship=code).exclude(state=Publication.State.WITHDRAWN)
    return list(found.defer("inputs").order_by("-pk"))
