from typing import Any

from django.conf import settings

from reporting.models import Role
from reporting.web.access import OfficeRequest
from reporting.web.values import office_name


def office(request: OfficeRequest) -> dict[str, Any]:
    """For every page: name and address of the office, whether this is the demonstration, and the roles of the reader.

    `office_url` is empty until the office has one; it is never taken from the request.
    """
    return {
        "office_name": office_name,
        "office_url": settings.OFFICE_URL.rstrip("/"),
        "demo": settings.DEMO,
        "own_roles": lambda: [Role(role).label for role in request.user.roles],
    }
