"""Endpoints of the catalogues: findings, refusals, rulings, editions of regulations."""

from dataclasses import asdict, is_dataclass
from itertools import chain
from typing import Any

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.federations.registry import more_rulings, rating_systems
from ratings.published.api.serializers.reference import (
    CatalogueFindingSerializer,
    EditionSerializer,
    IndexSerializer,
    RefusalSerializer,
    RulingSerializer,
)
from ratings.published.views.api_reference import document
from ratings.queries.terms import data_terms
from reporting.federations.registry import first_article
from reporting.refusals.domain_error import refusal_catalogue
from reporting.rules.findings.catalogue import CODES
from reporting.rules.sentences import template_text
from reporting.web.api.endpoints import PublicView
from reporting.web.api.errors import null_for_nothing
from reporting.web.http_cache import office_address


class FindingsView(PublicView):
    """The catalogue of findings."""

    @extend_schema(operation_id="listFindings", responses=CatalogueFindingSerializer(many=True))
    def get(self, request: Request) -> HttpResponseBase:
        """Every code that a finding about a report can have, with its severity and article.

        Order: by `code`.
        """
        self.read(request)
        return self.answer(request, (), self.catalogue)

    def catalogue(self) -> Any:
        known = [
            {
                "code": code,
                "severity": one.severity,
                "about": one.about,
                "article": one.article or first_article(code),
            }
            for code, one in sorted(CODES.items())
            if "." not in code
        ]
        return CatalogueFindingSerializer(known, many=True).data


class RefusalsView(PublicView):
    """The catalogue of refusals."""

    @extend_schema(operation_id="listRefusals", responses=RefusalSerializer(many=True))
    def get(self, request: Request) -> HttpResponseBase:
        """Every code that a refusal can have, with its sentence.

        Order: by `code`.
        """
        self.read(request)
        return self.answer(request, (), self.catalogue)

    def catalogue(self) -> Any:
        known = [
            {"code": key, "message": template_text(template)}
            for key, template in sorted(refusal_catalogue().items())
        ]
        return RefusalSerializer(known, many=True).data


class RulingsView(PublicView):
    """The rulings of all rating systems, with those on reports, tie-breaks and titles."""

    @extend_schema(operation_id="listRulings", responses=RulingSerializer(many=True))
    def get(self, request: Request) -> HttpResponseBase:
        """How the office reads articles that are silent or contradict another.

        Order: by rating system; then those on ratings, on reports and tie-breaks, and on titles.
        """
        self.read(request)
        return self.answer(request, (), self.rulings)

    def rulings(self) -> Any:
        known = [
            {"id": ruling.id, "system": system.code, "article": ruling.article, "text": ruling.text}
            for system in rating_systems()
            for ruling in chain(
                system.explanation.rulings, *(more.rulings for more in more_rulings(system.code))
            )
        ]
        return RulingSerializer(known, many=True).data


class ParametersView(PublicView):
    """The numbers of the regulations."""

    @extend_schema(operation_id="listEditions", responses=EditionSerializer(many=True))
    def get(self, request: Request) -> HttpResponseBase:
        """Every edition of every rating system with its numbers.

        Order: by rating system, then the oldest first.
        """
        self.read(request)
        return self.answer(request, (), self.editions)

    def editions(self) -> Any:
        known = [
            {
                "system": system.code,
                "edition": rules.id,
                "source": rules.source,
                "in_force_from": rules.in_force_from,
                "parameters": {name: json_value(value) for name, value in rules.numbers.items()},
            }
            for system in rating_systems()
            for rules in system.editions
        ]
        return EditionSerializer(known, many=True).data


def json_value(value: object) -> Any:
    """A number of an edition, a table of them or a declaration, as JSON has it; null for nothing."""
    if isinstance(value, tuple | list):
        return [json_value(part) for part in value]
    return null_for_nothing(asdict(value)) if is_dataclass(value) and not isinstance(value, type) else value


class IndexView(PublicView):
    """What the API has."""

    @extend_schema(operation_id="retrieveIndex", responses=IndexSerializer)
    def get(self, request: Request) -> HttpResponseBase:
        """The address of every endpoint by its operation, and where the API is described."""
        self.read(request)
        return self.answer(request, (), self.index)

    def index(self) -> Any:
        endpoints = [
            {"operation": operation["operationId"], "method": method.upper(), "path": path}
            for path, operations in document()["paths"].items()
            for method, operation in operations.items()
        ]
        return IndexSerializer(
            {"openapi": reverse("api-schema"), "reference": reverse("reference-api"), "endpoints": endpoints}
        ).data


class SchemaView(PublicView):
    """The OpenAPI file, for readers of any site."""

    schema = None
    renderer_classes = (OpenApiJsonRenderer, OpenApiJsonRenderer2)

    def get(self, request: Request) -> HttpResponseBase:
        """The OpenAPI file, which changes only with the program and the terms of the data."""
        self.read(request)
        return self.answer(request, (data_terms(), office_address("")), document)
