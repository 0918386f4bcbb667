"""The addresses of all apps, and the answers to errors."""

import sys
from functools import cache
from http import HTTPStatus

from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import BadRequest
from django.db import DataError, InterfaceError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.utils.translation import gettext

from ratings.published.views.sharing import oembed, sitemaps
from reporting.web.api.endpoints import NoSuchEndpointView

SECONDS_TO_RETRY = 10


def server_error(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 (Django's protocol)
    """A page that needs no database: 503 if the database does not respond, 400 if it cannot store a text, else 500.

    Forms check their texts themselves; the 400 is for a NUL that no form has checked.
    """
    if isinstance(sys.exception(), DataError):
        return HttpResponse(render_to_string("400.html"), status=HTTPStatus.BAD_REQUEST)
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        return HttpResponse(
            render_to_string("503.html"),
            status=HTTPStatus.SERVICE_UNAVAILABLE,
            headers={"Retry-After": str(SECONDS_TO_RETRY), "Cache-Control": "no-store"},
        )
    return HttpResponse(render_to_string("500.html"), status=HTTPStatus.INTERNAL_SERVER_ERROR)


handler500 = server_error


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: a page that names what of the address cannot be used, with the search; an attack is not told what it was.

    In the form of the API below its address: a wrong host is refused before an endpoint is asked.
    """
    if request.path.startswith("/api/"):
        answer = {"code": "bad_request", "message": gettext("The request cannot be used."), "findings": []}
        return JsonResponse(answer, status=HTTPStatus.BAD_REQUEST)
    if not isinstance(exception, BadRequest):
        return HttpResponse(render_to_string("400.html"), status=HTTPStatus.BAD_REQUEST)
    page = render_to_string("bad_query.html", {"problem": str(exception)}, request)
    return HttpResponse(page, status=HTTPStatus.BAD_REQUEST)


handler400 = bad_request


@cache
def migrations_of_release() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


@login_not_required
def ready(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Whether pages can be served: 503 where the database does not respond or lacks a migration of this release.

    The cache is not asked: without it pages are slower, and none fails (docs/decisions/0144-signs-of-success.md).
    """
    if migrations_of_release() - MigrationRecorder(connection).applied_migrations().keys():
        return HttpResponse(
            "migrations are missing\n",
            status=HTTPStatus.SERVICE_UNAVAILABLE,
            headers={"Retry-After": str(SECONDS_TO_RETRY), "Cache-Control": "no-store"},
            content_type="text/plain",
        )
    return HttpResponse("ready\n", headers={"Cache-Control": "no-store"}, content_type="text/plain")


# Before the API, which uses the converters that the apps of the pages register.
pages = i18n_patterns(
    path("", include("reporting.urls")),
    path("", include("ratings.urls")),
    path("", include("titles.urls")),
    # Changes the person without a password: no such address exists outside the demonstration.
    *([path("demo/", include("config.demo.tour.urls"))] if settings.DEMO else []),
    prefix_default_language=False,
)
# The API has one language: codes and values.
api: list[URLPattern | URLResolver] = [
    path("v1/", include("titles.register.api.urls")),
    path("v1/", include("reporting.reports.api.urls")),
    path("v1/", include("ratings.published.api.urls")),
    re_path("", NoSuchEndpointView.as_view(), name="api-not-found"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("ready/", ready, name="ready"),
    # Before the pages: to each of them it is one address more, they are 250 to the API.
    path("api/", include(api)),
    *pages,
    # For search engines and editors: once for all languages.
    path("robots.txt", sitemaps.robots, name="robots"),
    path(".well-known/security.txt", sitemaps.security, name="security-txt"),
    path("oembed/", oembed.oembed, name="oembed"),
    path("sitemap.xml", sitemaps.sitemap, name="sitemap"),
    path("sitemaps/<slug:kind>-<number:part>.xml", sitemaps.sitemap_part, name="sitemap-part"),
]
