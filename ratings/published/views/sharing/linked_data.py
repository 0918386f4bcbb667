"""What search engines read of a page as data: a player, a tournament, a list, in the words of schema.org (JSON-LD).

Each from the values that its page shows, at no query more. Of a player only what lists print, and no year of birth.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from ratings.published.selectors.players import PublishedPlayer
from ratings.published.views.list_query import permanent_address
from ratings.published.views.sharing.cards import Card
from ratings.queries.lists import PublishedList
from ratings.queries.terms import data_terms
from ratings.queries.tournaments import CountedTournament
from reporting.web.http_cache import office_address
from reporting.web.values import day, title_label

IN_A_SCRIPT = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}
"""What could end the element of a page in which the data stand."""


def person(found: PublishedPlayer, card: Card, federation: str) -> SafeString:
    """A player: name, number, federation, titles held."""
    row = found.row
    titles = [title for title in (found.title, *found.other_titles.values()) if title]
    return _script(
        {
            "@type": "Person",
            **_of_card(card),
            "identifier": {
                "@type": "PropertyValue",
                "propertyID": gettext(row.list.report_rules.register.number_label),
                "value": str(row.register_number),
            },
            "memberOf": {
                "@type": "SportsOrganization",
                "name": federation,
                "url": office_address(reverse("federation", args=[row.federation])),
            },
            "award": [title_label(title) for title in dict.fromkeys(titles)],
        }
    )


def sports_event(found: CountedTournament, card: Card) -> SafeString:
    """A tournament that was played: its days and its place, as far as the report has them."""
    tournament = found.tournament
    country = tournament.country.name if tournament.country else ""
    address = _present({"addressLocality": tournament.place, "addressCountry": country})
    place = {
        "@type": "Place",
        "name": tournament.place or country,
        "address": {"@type": "PostalAddress", **address},
    }
    return _script(
        {
            "@type": "SportsEvent",
            **_of_card(card),
            "startDate": tournament.played_from.isoformat(),
            "endDate": tournament.played_to.isoformat(),
            "eventStatus": "https://schema.org/EventScheduled",
            "location": place if address else None,
        }
    )


def dataset(found: PublishedList) -> SafeString:
    """A revision of a list with its files, whichever variant the page shows; files that are being made are left out."""
    one, terms = found.rating_list, data_terms()
    arguments = (one.pool.code, one.in_force, one.revision)
    provider = {"@type": "Organization", "name": terms.attribution, "url": office_address(reverse("home"))}
    description = gettext(
        "Ratings of %(players)s players in force from %(day)s. Every published figure can be traced to games, article "
        "and ruling."
    )
    return _script(
        {
            "@type": "Dataset",
            "name": f"{one.pool.name}, {day(one.in_force)}",
            "description": description % {"players": one.players, "day": day(one.in_force)},
            "url": office_address(permanent_address(*arguments)),
            "identifier": one.sha256,
            "version": str(one.revision),
            "datePublished": one.published_at and one.published_at.isoformat(timespec="seconds"),
            "temporalCoverage": one.in_force.isoformat(),
            "license": terms.url,
            "isAccessibleForFree": True,
            "creator": provider,
            "publisher": provider,
            "distribution": [
                {
                    "@type": "DataDownload",
                    "name": file.name,
                    "contentUrl": office_address(reverse("list-file", args=(*arguments, file.name))),
                    "encodingFormat": file.content_type.partition(";")[0],
                }
                for file in found.files
                if file.size
            ],
        }
    )


def _of_card(card: Card) -> dict[str, str]:
    return {
        "name": card.title,
        "description": card.description,
        "url": office_address(card.path),
        "image": office_address(card.image),
    }


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in ("", None, [])}


def _script(values: Mapping[str, Any]) -> SafeString:
    """The data as the content of a `script`: no script to the content security policy, which is about code."""
    data = {"@context": "https://schema.org", **_present(values)}
    return mark_safe(json.dumps(data, ensure_ascii=False).translate(IN_A_SCRIPT))  # noqa: S308 (escaped here)
