from django.contrib.auth.decorators import login_not_required
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path


@login_not_required
def health(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """For the container's health check: answers when the database does."""
    with connection.cursor() as cursor:
        cursor.execute("select 1")
    return HttpResponse("well\n", content_type="text/plain")


urlpatterns: list[URLPattern | URLResolver] = [
    path("health/", health, name="health"),
    path("", include("reporting.urls")),
    path("", include("ratings.urls")),
]
