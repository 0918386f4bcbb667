from django.conf import settings
from django.http import HttpRequest


def office(request: HttpRequest) -> dict[str, bool]:  # noqa: ARG001 (Django's protocol)
    """What every page knows of the installation: whether it is the demonstration."""
    return {"demo": settings.DEMO}
