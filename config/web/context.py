from django.conf import settings
from django.http import HttpRequest


def office(request: HttpRequest) -> dict[str, bool]:  # noqa: ARG001 (Django's protocol)
    """For every page: whether this is the demonstration, with invented people."""
    return {"demo": settings.DEMO}
