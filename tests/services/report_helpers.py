"""Reports of three players, what is done with them, and what is looked at afterwards."""

from datetime import date

import pytest

from ratings.models import Pool
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from reporting.accounts.services.accounts import invite
from reporting.log.audit import Actor
from reporting.models import (
    Entry,
    Game,
    LogEntry,
    Message,
    PersonalData,
    Player,
    Report,
    ReportVersion,
    ResultSet,
    ReviewRemark,
    Role,
    Round,
    User,
    WarningComment,
)
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.review import Remark
from reporting.reports.services.submit import submit_report
from tests.people import create_user

APRIL = date(2026, 4, 1)
OPENING = "fmjd_id rating games\n11 2000 100\n12 2000 100\n13 2000 100"
PLAYERS, GAMES = [11, 12, 13], ["1 1 2 2-0", "1 3 0 2-0", "2 1 3 1-1", "2 0 2 0-2"]
REMARKS = [Remark("Please look again.")]
quick = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)  # others look on from connections of their own


def refusal(call, *args, **kwargs):
    with pytest.raises(DomainError) as refused:
        call(*args, **kwargs)
    return refused.value


def person(name, *roles):
    return Actor(create_user(f"{name.replace(' ', '.')}@example.org", name, roles=list(roles)))


def invited_by(inviter, name="New Referee", role=Role.REFEREE):
    """A person with an account that the inviter brought in, with the link of the mail used."""
    email = f"{name.replace(' ', '.')}.{inviter.user.pk}@example.org"
    account = invite(email=email, name=name, role=role, federation="NED", by=inviter).account
    account.is_active = True
    account.save()
    return Actor(User.objects.get(pk=account.pk))


def codes(uploaded, severity=None):
    return [finding.code for finding in uploaded.matching.findings if severity in (None, finding.severity)]


def results(tournament):
    """What was accepted, without the numbers of its rows."""
    return (
        list(
            tournament.entries.order_by("number").values_list(
                "number", "player", "place", "points_printed", "reported_name", "reported_federation"
            )
        ),
        list(tournament.rounds.order_by("number").values_list("number", "played_on")),
        list(
            tournament.games.order_by("pk").values_list(
                "round", "white__number", "black__number", "white_points", "black_points", "played"
            )
        ),
    )


def newest(report):
    return report.versions.order_by("-number").first()


def comments(report):
    """A word to each warning of the newest version."""
    findings = newest(report).findings
    return {place: "so it is" for place, finding in enumerate(findings) if finding["severity"] == "warning"}


def resubmit(office, report):
    return submit_report(report=report, comments=comments(report), by=office.referee)


def freeze(office):
    period = ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=APRIL, by=office.officer)
    return freeze_period(period=period, reason="a test", by=office.officer)


def database_state():
    models = (
        Report, ReportVersion, WarningComment, ReviewRemark, ResultSet, Entry, Game, Round, Player, PersonalData,
        LogEntry, Message,
    )  # fmt: skip
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}
