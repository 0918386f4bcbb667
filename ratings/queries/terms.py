"""The terms of what is published: the licence that the office chose, whom to name, whom to ask."""

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True)
class Terms:
    """`licence` is an identifier of SPDX and `url` its text; both are empty where the office grants none."""

    licence: str
    url: str
    attribution: str
    contact: str


def data_terms() -> Terms:
    """The terms by the settings. No query."""
    return Terms(
        settings.DATA_LICENCE, settings.DATA_LICENCE_URL, settings.DATA_ATTRIBUTION, settings.CONTACT_EMAIL
    )
