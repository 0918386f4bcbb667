from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest

from reporting.models import Role, User


def office(request: HttpRequest) -> dict[str, Any]:
    """For every page: whether this is the demonstration, with invented people, and the roles of the reader."""
    return {
        "demo": settings.DEMO,
        "own_roles": lambda: [Role(role).label for role in cast(User, request.user).roles],
    }
