"""The endpoints of published classifications of the World Cup."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from reporting.web.api.fields import row_pages
from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.world_cup.forms import SECTIONS
from titles.federations.fmjd.world_cup.publications.selectors import key_of_classification, published
from titles.federations.fmjd.world_cup.sharing.api import serializers
from titles.federations.fmjd.world_cup.sharing.api.revisions import (
    DIFFERENCES,
    DifferencesView,
    PublicationsView,
    RevisionView,
    YearForm,
    changed,
    described,
    whole,
)
from titles.federations.fmjd.world_cup.views.published import FILES

CLASSIFICATION_PAGE = whole(
    serializers.PublishedClassificationSerializer, serializers.ClassificationRowSerializer
)
DIFFERENCES_PAGE = changed(serializers.ClassificationDifferenceSerializer)


class WorldCupForm(YearForm):
    """Which classifications."""

    section = forms.ChoiceField(required=False, choices=SECTIONS, help_text="The squares of the board.")
    classification = forms.ChoiceField(
        required=False,
        choices=[(one, one) for one in serializers.CLASSIFICATIONS],
        help_text="Open or women.",
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["year"].help_text = "Of the day."


class ClassificationsView(PublicationsView):
    """The published classifications of the World Cup."""

    parameters = WorldCupForm
    row = serializers.PublishedClassificationSerializer

    def found(self, filters: Mapping[str, Any]) -> QuerySet[Publication]:
        found = published().filter(kind=Publication.Kind.CLASSIFICATION)
        if filters["section"]:
            found = found.filter(section=filters["section"])
        if filters["classification"]:
            found = found.filter(women=filters["classification"] == "women")
        if filters["year"]:
            found = found.filter(day__year=filters["year"])
        return found

    @extend_schema(
        operation_id="listClassifications",
        responses=row_pages(serializers.PublishedClassificationSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """The published classifications of the World Cup, all revisions.

        Order: by `published_at`, the last one first.
        """
        return self.rows_of(request)


@described(
    "retrieveClassification",
    "A published classification of the World Cup with the results of each player.",
    CLASSIFICATION_PAGE,
)
class ClassificationView(RevisionView):
    """A classification."""

    key = staticmethod(key_of_classification)
    published_type = serializers.PublishedClassificationSerializer
    row = serializers.ClassificationRowSerializer
    files = (*FILES,)


@described(
    "retrieveClassificationOfWomen",
    "A published classification of women of the World Cup with the results of each player.",
    CLASSIFICATION_PAGE,
)
class WomenClassificationView(ClassificationView):
    """A classification of women."""


@described(
    "listClassificationDifferences",
    DIFFERENCES.format("a classification"),
    DIFFERENCES_PAGE,
)
class ClassificationDifferencesView(DifferencesView):
    """What a revision of a classification changed."""

    key = staticmethod(key_of_classification)
    row = serializers.ClassificationDifferenceSerializer


@described(
    "listClassificationDifferencesOfWomen",
    DIFFERENCES.format("a classification of women"),
    DIFFERENCES_PAGE,
)
class WomenClassificationDifferencesView(ClassificationDifferencesView):
    """What a revision of a classification of women changed."""
