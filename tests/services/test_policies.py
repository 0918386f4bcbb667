"""Policies about one report, account or invitation, asked directly: pages hide most of these from who may not."""

import pytest

from reporting.accounts.services.accounts import invite, withdraw_invitation
from reporting.log.audit import Actor
from reporting.models import Federation, Report, ResultSet, Role, User
from reporting.policies import can_see_account, check_can_manage_invitation, check_can_submit, invitable_roles
from reporting.refusals.domain_error import DomainError
from tests.people import create_user, give_roles

pytestmark = pytest.mark.django_db

OFFICIAL = Role.NATIONAL_OFFICIAL
OFFICE = [Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR]
OTHERS = [Role.RELEASING_OFFICER, Role.TITLE_COUNCIL, Role.ADMINISTRATOR]


@pytest.fixture(autouse=True)
def federations() -> None:
    for code in ("NED", "SEN"):
        Federation.objects.get_or_create(code=code, defaults={"name": code})


def person(*roles: Role, federation: str | None = None) -> User:
    number = User.objects.count()
    return create_user(f"p{number}@example.org", f"P {number}", roles=roles, federation_id=federation)


def allows(check, *arguments) -> bool:
    try:
        check(*arguments)
    except DomainError as refused:
        if refused.code != "forbidden":
            raise
        return False
    return True


@pytest.mark.parametrize(
    ("roles", "federation", "country", "may"),
    [
        ([Role.REFEREE], "NED", None, False),  # another referee of the federation
        ([OFFICIAL], "NED", None, True),
        ([OFFICIAL], "NED", "SEN", True),  # their referee's report of a tournament abroad
        ([OFFICIAL], "SEN", None, False),
        ([OFFICIAL], "SEN", "SEN", True),  # a foreign referee's report of their tournament
        ([OFFICIAL], "SEN", "NED", False),
        ([OFFICIAL], None, None, False),
        *(([role], None, None, True) for role in OFFICE),
        *(([role], "NED", None, False) for role in OTHERS),
        ([], "NED", None, False),
    ],
)
def test_who_edits_and_submits_the_report_of_a_referee_of_ned(roles, federation, country, may):
    report = Report(submitted_by=person(Role.REFEREE, federation="NED"))
    report.result_set = ResultSet(country_id=country) if country else None
    assert allows(check_can_submit, person(*roles, federation=federation), report) is may


def test_a_referee_submits_their_own_report_as_long_as_they_are_one():
    report = Report(submitted_by=person(Role.REFEREE, federation="NED"))
    assert allows(check_can_submit, report.submitted_by, report)
    assert not allows(check_can_submit, give_roles(report.submitted_by, Role.ADMINISTRATOR), report)


@pytest.mark.parametrize(
    ("roles", "federation", "may_assign"),
    [
        ([Role.ADMINISTRATOR], None, tuple(Role)),
        *(([role], None, (Role.REFEREE, OFFICIAL)) for role in OFFICE),
        ([OFFICIAL, Role.RATING_OFFICER], "NED", (Role.REFEREE, OFFICIAL)),
        ([OFFICIAL], "NED", (Role.REFEREE,)),
        ([OFFICIAL], None, ()),
        *(([role], "NED", ()) for role in (Role.REFEREE, Role.RELEASING_OFFICER, Role.TITLE_COUNCIL)),
    ],
)
def test_which_roles_a_person_assigns_by_an_invitation(roles, federation, may_assign):
    assert invitable_roles(person(*roles, federation=federation)) == may_assign


@pytest.mark.parametrize(
    ("roles", "federation", "sees"),
    [
        ([Role.ADMINISTRATOR], None, {"NED", "SEN", None}),
        *(([role], None, {"NED", "SEN", None}) for role in OFFICE),
        ([OFFICIAL], "NED", {"NED"}),
        ([OFFICIAL], None, set()),
        *(([role], "NED", set()) for role in (Role.REFEREE, Role.RELEASING_OFFICER, Role.TITLE_COUNCIL)),
    ],
)
def test_whose_account_a_person_sees(roles, federation, sees):
    """By its federation; that of a person of the office has none."""
    user = person(*roles, federation=federation)
    assert {code for code in ("NED", "SEN", None) if can_see_account(user, person(federation=code))} == sees


@pytest.mark.parametrize(
    ("roles", "federation", "manages"),
    [
        ([Role.ADMINISTRATOR], None, {"referee NED", "referee SEN", "official NED", "two roles", "office"}),
        *(([role], None, {"referee NED", "referee SEN", "official NED"}) for role in OFFICE),
        ([OFFICIAL], "NED", {"referee NED"}),
        ([OFFICIAL], None, set()),
        *(([role], "NED", set()) for role in (Role.REFEREE, Role.RELEASING_OFFICER, Role.TITLE_COUNCIL)),
    ],
)
def test_which_invitations_a_person_sends_again_or_withdraws(roles, federation, manages):
    """Those with roles that they assign themselves, each of them."""
    administrator, user = Actor(person(Role.ADMINISTRATOR)), person(*roles, federation=federation)
    people = (
        ("referee NED", Role.REFEREE, "NED"), ("referee SEN", Role.REFEREE, "SEN"), ("official NED", OFFICIAL, "NED"),
        ("two roles", Role.REFEREE, "NED"), ("office", Role.RATING_OFFICER, ""),
    )  # fmt: skip
    invitations = {
        name: invite(email=f"{number}@example.org", name=name, role=role, federation=code, by=administrator)
        for number, (name, role, code) in enumerate(people)
    }
    give_roles(invitations["two roles"].account, Role.REFEREE, Role.RATING_OFFICER)
    allowed = {
        name
        for name, invitation in invitations.items()
        if allows(check_can_manage_invitation, user, invitation)
    }
    assert allowed == manages
    for name, invitation in invitations.items():  # the service asks the same
        act = {"invitation": invitation, "by": Actor(user)}
        assert allows(lambda act=act: withdraw_invitation(**act)) is (name in manages)
