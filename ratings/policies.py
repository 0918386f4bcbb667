"""Who may freeze, calculate, approve and release."""

from django.db.models import Count

from ratings.models import RatingList
from reporting.errors import DomainError
from reporting.models import ReportVersion, Role, User
from reporting.policies import require_role


def may_run_period(user: User) -> None:
    require_role(user, Role.RATING_OFFICER)


def may_import_list(user: User) -> None:
    require_role(user, Role.RATING_OFFICER)


def may_see_drafts(user: User) -> None:
    """Drafts are for those who make and sign them, and for those who answer for the tournaments and the accounts."""
    require_role(
        user, Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.TOURNAMENT_DIRECTOR, Role.ADMINISTRATOR
    )


def may_approve(user: User, rating_list: RatingList) -> None:
    """A rating officer; not one whose own report in this period carries a warning without an answer."""
    require_role(user, Role.RATING_OFFICER)
    if rating_list.period_id is None:
        return
    own = ReportVersion.objects.filter(
        manifest_lines__period=rating_list.period_id,
        manifest_lines__correction=rating_list.correction_id,
        report__submitted_by=user,
    ).annotate(answered=Count("answers"))
    for version in own:
        warnings = sum(finding["severity"] == "warning" for finding in version.findings)
        if version.answered < warnings:
            raise DomainError(
                "own_report_unanswered",
                f"Your own report {version.report_id} in this period carries a warning without an answer.",
            )


def may_release(user: User, rating_list: RatingList) -> None:
    """A releasing officer who is not the one that approved."""
    require_role(user, Role.RELEASING_OFFICER)
    if rating_list.approved_by_id == user.pk:
        raise DomainError("same_person", "The list was approved by you: another person releases it.")
