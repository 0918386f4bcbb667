"""Applications for titles, from the ledger to the register of titles (art. 1.3, 1.4, 15; R40, contracts U14)."""

from datetime import date, timedelta

import pytest
from django.apps import apps
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.utils.timezone import localdate as today

from ratings.models import PublicChange
from ratings.publishing.public_changes.number_changes import number_changes
from reporting.log.audit import Actor
from reporting.models import LogEntry, Message, Player, PlayerTitle, Role
from reporting.refusals.domain_error import DomainError
from tests.norms import give_norm, give_norms
from tests.people import create_user
from tests.services import report_helpers
from titles.applications.move_application import move_application
from titles.applications.submit_application import submit_application
from titles.models import ApplicationStep, NormDecision, TitleApplication
from titles.rules.lifecycle import APPLICATION_LIFECYCLE, ApplicationMove, ApplicationState

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("season_shared")]

SUBMIT, PAID, APPROVE, CONFIRM, REGISTER, REFUSE, WITHDRAW, WITHDRAW_TITLE = ApplicationMove
WAY = {
    PAID: {"reference": "Invoice 12"},
    APPROVE: {},
    CONFIRM: {"reference": "GA 2026/4"},
    REGISTER: {},
    WITHDRAW_TITLE: {"reference": "GA 2027/9", "reason": "A bought game"},
}


@pytest.fixture
def player() -> Player:
    return Player.objects.filter(sex="M", titles=None, norms=None, federation="NED").earliest("pk")


@pytest.fixture
def people() -> dict[str, Actor]:
    def person(name: str, role: Role, **values: str) -> Actor:
        return Actor(create_user(f"{name}@titles.example", name.title(), roles=[role], **values))

    return {
        "official": person("official", Role.NATIONAL_OFFICIAL, federation_id="NED"),
        "office": person("office", Role.TOURNAMENT_DIRECTOR),
        "council": person("council", Role.TITLE_COUNCIL),
        "administrator": person("administrator", Role.ADMINISTRATOR),
    }


BY = {
    PAID: "office", APPROVE: "council", CONFIRM: "administrator", REGISTER: "office", WITHDRAW: "official",
    WITHDRAW_TITLE: "administrator",
}  # fmt: skip


@pytest.fixture
def application(player: Player, people: dict[str, Actor]) -> TitleApplication:
    give_norms(player, "MF black 7", "MF black 7", "MF red 7", by=people["council"].user)
    return submit_application(player=player, discipline="100", title="MF", by=people["official"])


def go(application: TitleApplication, people: dict[str, Actor], *moves: ApplicationMove) -> TitleApplication:
    for move in moves:
        move_application(
            application=application, move=move, on=today(), by=people[BY[move]], **WAY.get(move, {})
        )
    application.refresh_from_db()
    return application


def refusal(**values) -> str:
    before = (ApplicationStep.objects.count(), LogEntry.objects.count(), PlayerTitle.objects.count())
    key = report_helpers.refusal(move_application, **{"on": today()} | values).key
    assert before == (ApplicationStep.objects.count(), LogEntry.objects.count(), PlayerTitle.objects.count())
    return key


def submit_refused(player: Player, title: str, by: Actor) -> DomainError:
    values = {"player": player, "discipline": "100", "title": title, "by": by}
    return report_helpers.refusal(submit_application, **values)


def test_an_application_fills_itself_with_the_evidence(application: TitleApplication, player: Player) -> None:
    assert (application.basis, application.state, application.federation_id) == ("norms", "submitted", "NED")
    rows = application.evidence["norms"]
    assert [(row["title"], row["games"]) for row in rows] == [("MF", 7)] * 3
    assert {row["colour"] for row in rows} == {"black", "red"}
    assert all(row["tournament"] and row["list"].startswith("fmjd-100/") for row in rows)
    # Art. 7: 3 norms, 20 games; 3 norms of 7 games are found.
    assert [
        (row["asks"]["values"], row["found"]["values"], row["met"])
        for row in application.evidence["requirements"]
    ] == [({"norms": 3}, {"norms": 3}, True), ({"games": 20}, {"games": 21}, True)]
    act = LogEntry.objects.get(action="application.submit")
    assert (act.subject, act.after["title"]) == (f"application {application.pk}", "MF")


def test_an_application_goes_from_the_official_to_the_register(application, player, people) -> None:
    go(application, people, PAID, APPROVE, CONFIRM)
    assert not PlayerTitle.objects.filter(player=player).exists()  # a title counts from registration
    go(application, people, REGISTER)
    title = PlayerTitle.objects.get(player=player)
    assert (title.title, title.registered_on, title.withdrawn_on) == ("MF", today(), None)
    assert (application.state, application.player_title) == ("registered", title)
    steps = application.steps.order_by("pk")
    assert [(step.move, step.state, step.by.name, step.on) for step in steps] == [
        ("submit", "submitted", "Official", today()),
        ("mark_paid", "paid", "Office", today()),
        ("approve", "approved", "Council", today()),
        ("confirm", "confirmed", "Administrator", today()),
        ("register", "registered", "Office", today()),
    ]
    acts = LogEntry.objects.filter(subject=f"application {application.pk}").order_by("pk")
    assert list(acts.values_list("action", flat=True)) == [f"application.{step.move}" for step in steps]
    messages = Message.objects.filter(recipient=people["official"].user, kind="title_application")
    assert [message.title.partition(":")[0] for message in messages.order_by("pk")] == [
        "Fee paid", "Approved by the Council", "Confirmed by the General Assembly", "Title registered",
    ]  # fmt: skip
    assert submit_refused(player, "MF", people["official"]).key == "title_held.same"
    # Art. 1.4: it ends, and the player can apply again.
    go(application, people, WITHDRAW_TITLE)
    title.refresh_from_db()
    assert (title.withdrawn_on, application.state) == (today(), "title_withdrawn")


def test_a_higher_title_ends_the_lower_one_of_its_kind_only(player: Player, people: dict[str, Actor]) -> None:
    Player.objects.filter(pk=player.pk).update(sex="W")
    values = {"player": player, "awarded_by": "fmjd", "discipline": "100", "registered_on": date(2020, 1, 1)}
    lower = PlayerTitle.objects.create(title="CMF", **values)
    womens = PlayerTitle.objects.create(title="MFF", ladder="women", **values)
    other = PlayerTitle.objects.create(title="CMF", **values | {"discipline": "64"})
    give_norm(player, "MF automatic 7", by=people["council"].user)
    application = submit_application(player=player, discipline="100", title="MF", by=people["official"])
    assert application.basis == "automatic"
    go(application, people, PAID, APPROVE, CONFIRM, REGISTER)
    held = {title.pk: title.withdrawn_on for title in PlayerTitle.objects.filter(player=player)}
    assert held == {lower.pk: today(), womens.pk: None, other.pk: None, application.player_title_id: None}


@pytest.mark.parametrize("state", ApplicationState)
def test_each_state_allows_its_moves_only(application, people, state: ApplicationState) -> None:
    way = {
        ApplicationState.SUBMITTED: (), ApplicationState.PAID: (PAID,), ApplicationState.APPROVED: (PAID, APPROVE),
        ApplicationState.CONFIRMED: (PAID, APPROVE, CONFIRM), ApplicationState.WITHDRAWN: (WITHDRAW,),
        ApplicationState.REGISTERED: (PAID, APPROVE, CONFIRM, REGISTER),
        ApplicationState.REFUSED: (PAID,),
        ApplicationState.TITLE_WITHDRAWN: (PAID, APPROVE, CONFIRM, REGISTER, WITHDRAW_TITLE),
    }[state]  # fmt: skip
    go(application, people, *way)
    if state is ApplicationState.REFUSED:
        move_application(application=application, move=REFUSE, on=today(), reason="No", by=people["council"])
        application.refresh_from_db()
    assert application.state == state
    for move in set(WAY) - set(APPLICATION_LIFECYCLE[state].moves):
        by = people[BY[move]]
        assert refusal(application=application, move=move, by=by, **WAY[move]) == "wrong_state.application"


def test_who_makes_which_move(application: TitleApplication, people: dict[str, Actor]) -> None:
    """Contracts U14: office the fee and the register, Council its approval, an administrator the Assembly."""
    everybody = {**people, "abroad": official_abroad()}
    for move in (PAID, APPROVE, CONFIRM, REGISTER):
        for name, actor in everybody.items():
            if name != BY[move]:
                key = refusal(application=application, move=move, by=actor)
                assert key.startswith("forbidden"), (move, name)
        go(application, people, move)
    for name in everybody.keys() - {"administrator"}:
        key = refusal(application=application, move=WITHDRAW_TITLE, by=everybody[name])
        assert key.startswith("forbidden")


def official_abroad() -> Actor:
    return Actor(create_user("b@titles.example", "Bel", roles=[Role.NATIONAL_OFFICIAL], federation_id="BEL"))


def test_only_the_own_federation_applies_and_withdraws(application, player, people) -> None:
    abroad = official_abroad()
    for by in (abroad, people["office"], people["administrator"]):
        assert submit_refused(player, "CMF", by).code == "forbidden"
    for by in (abroad, people["office"], people["council"], people["administrator"]):
        assert refusal(application=application, move=WITHDRAW, by=by).startswith("forbidden")
    go(application, people, WITHDRAW)
    assert application.state == "withdrawn"
    submit_application(player=player, discipline="100", title="MF", by=people["official"])


def test_the_title_council_proposes_a_title_and_another_member_approves_it(player, people) -> None:
    """Art. 1.1: the proposal can also be made by the Technical Committee."""
    give_norms(player, "CMF black 7", "CMF black 7", by=people["council"].user)
    proposer = Actor(create_user("c2@titles.example", "Cornelia", roles=[Role.TITLE_COUNCIL]))
    proposed = submit_application(player=player, discipline="100", title="CMF", by=proposer)
    go(proposed, people, PAID)
    assert refusal(application=proposed, move=APPROVE, by=proposer) == "own_application"
    assert refusal(application=proposed, move=WITHDRAW, by=people["council"]) == "forbidden.role"
    go(proposed, people, APPROVE)
    move_application(application=proposed, move=WITHDRAW, on=today(), by=proposer)
    again = submit_application(player=player, discipline="100", title="CMF", by=proposer)
    move_application(application=again, move=WITHDRAW, on=today(), by=people["official"])


def test_the_person_who_applied_decides_nothing(player: Player, people: dict[str, Actor]) -> None:
    roles = [Role.NATIONAL_OFFICIAL, Role.TITLE_COUNCIL]
    both = create_user("both@titles.example", "Both", roles=roles, federation_id="NED")
    give_norms(player, "CMF black 7", "CMF black 7", by=people["council"].user)
    application = submit_application(player=player, discipline="100", title="CMF", by=Actor(both))
    go(application, people, PAID)
    assert refusal(application=application, move=APPROVE, by=Actor(both)) == "own_application"


@pytest.mark.parametrize(
    ("title", "norms"),
    [
        ("MF", ("MF black 7", "MF black 7", "MF black 5")),  # 19 games of 20
        ("MI", ("MI black 9", "MI black 9", "MI black 9")),  # no red norm
        ("XX", ("MF black 9",)),
    ],
)
def test_a_title_that_is_not_due_is_refused(player, people, title, norms) -> None:
    give_norms(player, *norms, by=people["council"].user)
    assert submit_refused(player, title, people["official"]).key == "title_not_due"
    assert not TitleApplication.objects.exists()


def test_a_second_application_for_the_title_is_refused(application, player, people) -> None:
    assert submit_refused(player, "MF", people["official"]).key == "application_open"


def test_the_council_approves_only_what_is_still_due(application, people) -> None:
    go(application, people, PAID)
    norm = application.evidence["norms"][0]["norm"]
    NormDecision.objects.create(norm_id=norm, is_confirmed=False, reason="Wrong.", by=people["council"].user)
    assert refusal(application=application, move=APPROVE, by=people["council"]) == "title_not_due"


def test_days_minutes_and_reasons_are_asked_for(application, people) -> None:
    office, council, administrator = (people[name] for name in ("office", "council", "administrator"))
    # After today, and before the submission.
    for day in (today() + timedelta(days=1), today() - timedelta(days=1)):
        assert refusal(application=application, move=PAID, by=office, on=day) == "step_day_outside.today"
    go(application, people, PAID)
    assert refusal(application=application, move=REFUSE, by=council, reason=" ") == "reason_missing"
    go(application, people, APPROVE)
    key = refusal(application=application, move=CONFIRM, by=administrator, reference=" ")
    assert key == "minutes_missing"
    # The General Assembly, not the Council, refuses what the Council approved.
    assert refusal(application=application, move=REFUSE, by=council, reason="No") == "forbidden.role"
    move_application(application=application, move=REFUSE, on=today(), reason="No quorum", by=administrator)
    application.refresh_from_db()
    assert application.state == "refused"


def test_a_title_held_meanwhile_is_not_registered_again(application, player, people) -> None:
    go(application, people, PAID, APPROVE, CONFIRM)
    values = {"player": player, "awarded_by": "fmjd", "discipline": "100"}
    held = PlayerTitle.objects.create(title="MI", registered_on=date(2020, 1, 1), **values)
    assert refusal(application=application, move=REGISTER, by=people["office"]) == "title_held"
    PlayerTitle.objects.filter(pk=held.pk).update(withdrawn_on=date(2021, 1, 1))
    PlayerTitle.objects.create(title="CMF", registered_on=today(), **values)
    assert refusal(application=application, move=REGISTER, by=people["office"]) == "title_later"


def test_the_database_holds_what_a_step_names(application, people) -> None:
    values = {"application": application, "state": "refused", "on": today(), "by": people["council"].user}
    names = {"refuse": "application_refused_with_a_reason", "confirm": "application_step_names_minutes"}
    for move, missing in names.items():
        with pytest.raises(IntegrityError, match=missing), transaction.atomic():
            ApplicationStep.objects.create(move=move, **values)
        ApplicationStep.objects.create(move=move, reason="No", reference="GA 1", **values)
    with pytest.raises(IntegrityError, match="application_registered_with_a_title"), transaction.atomic():
        TitleApplication.objects.filter(pk=application.pk).update(state="registered")
    copied = {
        field.name: getattr(application, field.name)
        for field in TitleApplication._meta.concrete_fields
        if field.name not in ("id", "submitted_at")
    }
    with pytest.raises(IntegrityError, match="application_once"), transaction.atomic():
        TitleApplication.objects.create(**copied)
    TitleApplication.objects.create(**copied | {"state": "refused"})


@pytest.mark.database_role("web")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE titles_titleapplication SET title = 'GMI'",
        "UPDATE titles_titleapplication SET evidence = '{}'",
        "DELETE FROM titles_titleapplication",
    ],
)
def test_the_web_changes_no_application(application: TitleApplication, statement: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        connection.cursor().execute(statement)


def test_a_registered_title_and_its_withdrawal_are_in_the_feed_of_changes(application, player, people):
    # INSTALLED_APPS with one app more start all apps again: each finds its changes once nevertheless.
    apps.get_app_config("titles").ready()
    number_changes()
    before = PublicChange.objects.count()
    go(application, people, PAID, APPROVE, CONFIRM)
    assert number_changes() == 0
    go(application, people, REGISTER, WITHDRAW_TITLE)
    number_changes()
    told = PublicChange.objects.filter(number__gt=before).order_by("number")
    assert [(change.event, change.player, change.title, change.discipline) for change in told] == [
        ("title.registered", player, "MF", "100"),
        ("title.withdrawn", player, "MF", "100"),
    ]
