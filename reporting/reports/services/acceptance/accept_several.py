"""The office accepts several reports with nothing to decide, each in a transaction of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import OperationalError
from psycopg.errors import LockNotAvailable

from reporting.log.audit import Actor
from reporting.models import Report
from reporting.policies import OFFICE_ROLES, require_role
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.review import accept_report


@dataclass
class SeveralAccepted:
    """The accepted reports, and those that were left out, each with the reason."""

    accepted: list[Report] = field(default_factory=list)
    left_out: list[tuple[Report, DomainError]] = field(default_factory=list)


def accept_several(*, reports: Sequence[tuple[Report, int]], by: Actor) -> SeveralAccepted:
    """Accept clean reports, each given with the number of the version that the person saw.

    Each is accepted under its lock with its own audit entry. A report that was changed, decided or is not clean any
    more is left out; the others are accepted. Raises DomainError `forbidden`.
    """
    require_role(by.user, *OFFICE_ROLES)
    outcome = SeveralAccepted()
    for report, looked_at in reports:
        try:
            outcome.accepted.append(accept_report(report=report, by=by, looked_at=looked_at, only_clean=True))
        except DomainError as refusal:
            outcome.left_out.append((report, refusal))
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            outcome.left_out.append((report, DomainError("busy")))
    return outcome
