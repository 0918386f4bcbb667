from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest

from reporting.models import Role, User


def office(request: HttpRequest) -> dict[str, Any]:
    """For every page: the office's own address, whether this is the demonstration, and the roles of the reader.

    `office_url` is empty until the office has one; it is never taken from the request.
    """
    return {
        "office_url": settings.OFFICE_URL.rstrip("/"),
        "demo": settings.DEMO,
        "own_roles": lambda: [Role(role).label for role in cast(User, request.user).roles],
    }
