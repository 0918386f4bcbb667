"""Who may freeze, calculate, approve and publish."""

from django.db.models import Exists, OuterRef, Q

from ratings.models import RatingList
from reporting.models import ReportVersion, Role, User
from reporting.policies import require_role, versions_of
from reporting.refusals.domain_error import DomainError
from reporting.rules.sentences import joined


def check_can_run_period(user: User) -> None:
    require_role(user, Role.RATING_OFFICER)


def check_can_compare_rules(user: User) -> None:
    require_role(user, Role.RATING_OFFICER, Role.RELEASING_OFFICER)


def check_can_import_list(user: User) -> None:
    """Upload an opening list: rating officers, and administrators, who sign nothing."""
    require_role(user, Role.RATING_OFFICER, Role.ADMINISTRATOR)


def check_can_see_drafts(user: User) -> None:
    """Those who make and sign drafts, and those responsible for tournaments and accounts."""
    require_role(
        user, Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.TOURNAMENT_DIRECTOR, Role.ADMINISTRATOR
    )


def check_can_approve(user: User, rating_list: RatingList) -> None:
    """A rating officer who submitted or changed no report that the list counts, nor uploaded an opening list.

    The opening list of a command is approved by the officer whom the command names (contracts, Two signatures).
    """
    require_role(user, Role.RATING_OFFICER)
    if rating_list.imported_by_id == user.pk:
        raise DomainError("own_opening_list")
    if rating_list.period_id is None:
        return
    counted = rating_list.manifest
    acted = ReportVersion.objects.filter(
        versions_of(user), report=OuterRef("version__report"), number__lte=OuterRef("version__number")
    )
    own = counted.filter(Q(version__report__submitted_by=user) | Exists(acted))
    names = sorted(own.values_list("result_set__name", flat=True))
    if names:
        raise DomainError("own_results", tournaments=joined(names))


def check_can_publish(user: User, rating_list: RatingList) -> None:
    """A releasing officer who did not approve the list."""
    require_role(user, Role.RELEASING_OFFICER)
    if rating_list.approved_by_id == user.pk:
        raise DomainError("same_person")
