from django.conf import settings
from django.http import HttpRequest


def office(request: HttpRequest) -> dict[str, bool]:  # noqa: ARG001 (Django's protocol)
    """What every page may say of the house: whether its people are invented."""
    return {"demo": settings.DEMO}
