"""What the database itself holds to be impossible: each named constraint refuses its case and lets the next one by.

Every case is a pair: what is refused, and beside it what differs only in the point at issue and is taken.
"""

from datetime import UTC, date, datetime
from itertools import count

import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, connection, transaction

from ratings.models import (
    Anomaly,
    AnomalyAnswer,
    CalculationRun,
    CarriedCorrection,
    CarriedDifference,
    Correction,
    Period,
    PeriodReport,
    Pool,
    PublishedFile,
    RatingList,
)
from reporting.models import (
    Announcement,
    Entry,
    Federation,
    Game,
    Invitation,
    Message,
    Player,
    PlayerIdentity,
    Report,
    ReportVersion,
    ReviewRemark,
    Round,
    Tournament,
    User,
    WarningAnswer,
)

NUMBERS = count(1)
INSTANT = datetime(2026, 4, 1, 12, tzinfo=UTC)


# --- what a case is made from


def user(**values):
    return User.objects.create(**{"email": f"person{next(NUMBERS)}@example.org", "name": "Person"} | values)


def invitation(**values):
    return Invitation.objects.create(account=user(), invited_by=user(), sent_at=INSTANT, **values)


def announcement(**values):
    Federation.objects.get_or_create(code="NED", name="Netherlands")
    return Announcement.objects.create(
        **{
            "name": "Open", "country_id": "NED", "played_from": INSTANT.date(), "played_to": INSTANT.date(),
            "discipline": "100", "time_control": "80+30", "announced_on": INSTANT.date(), "announced_by": user(),
        }
        | values
    )  # fmt: skip


def player(**values):
    Federation.objects.get_or_create(code="NED", name="Netherlands")
    return Player.objects.create(
        **{"last_name": "Player", "sort_name": "player, ", "federation_id": "NED"} | values
    )


def identity(**values):
    values.setdefault("player", None)
    values["player"] = values["player"] or player()
    return PlayerIdentity.objects.create(**{"register": "fide", "number": "7"} | values)


def tournament(**values):
    number = next(NUMBERS)
    return Tournament.objects.create(
        **{
            "code": f"2026-open-{number}", "name": "Open", "played_from": date(2026, 4, 1),
            "played_to": date(2026, 4, 3), "number": number, "discipline": "100", "seconds_for_60_moves": 6600,
            "system": "swiss",
        }
        | values
    )  # fmt: skip


def report(**values):
    return Report.objects.create(**{"submitted_by": user()} | values)


def version(**values):
    values.setdefault("report", None)
    values["report"] = values["report"] or report()
    made = {
        "number": 1,
        "filename": "a",
        "content": b"a",
        "sha256": "a",
        "format": "fmjd",
        "encoding": "utf-8",
    }
    return ReportVersion.objects.create(**made | {"created_by": values["report"].submitted_by} | values)


def submitted(**values):
    return report(
        **{"state": "submitted", "tournament": tournament(), "first_submitted_at": INSTANT} | values
    )


def accepted(**values):
    return submitted(**{"state": "accepted", "accepted_version": version()} | values)


def answer(**values):
    given = {"finding": 0, "text": "so it is", "by": user()}
    return WarningAnswer.objects.create(**given | values)


def remark(**values):
    said = {"text": "so it is", "by": user()} | values
    return ReviewRemark.objects.create(version=version(), **said)


def message(**values):
    told = {"kind": "report_accepted", "about": "/reports/7/", "title": "x", "text": "x"} | values
    return Message.objects.create(**{"recipient": told.pop("recipient", None) or user()} | told)


def entry(**values):
    if "player" not in values:
        values["player"] = player()
    return Entry.objects.create(**{"number": next(NUMBERS), "reported_name": "Player"} | values)


def game(**values):
    event = tournament()
    white, black = entry(tournament=event), entry(tournament=event)
    made = {
        "tournament": event,
        "round": 1,
        "white": white,
        "black": black,
        "white_points": 2,
        "black_points": 0,
    }
    values = {key: white if value == "white" else value for key, value in values.items()}
    return Game.objects.create(**made | {"played": True} | values)


def pool():
    return Pool.objects.get(code="fmjd-64")


def period(**values):
    """The second quarter of 2026: played from 16 March to 15 June, frozen from 23 June."""
    return Period.objects.create(
        **{
            "pool": pool(), "closing": date(2026, 6, 15), "in_force": date(2026, 7, 1),
            "played_since": datetime(2026, 3, 16, tzinfo=UTC), "played_before": datetime(2026, 6, 16, tzinfo=UTC),
            "freezes_at": datetime(2026, 6, 23, tzinfo=UTC),
        }
        | values
    )  # fmt: skip


def next_period(**values):
    return period(
        **{
            "closing": date(2026, 9, 15), "in_force": date(2026, 10, 1),
            "played_since": datetime(2026, 6, 16, tzinfo=UTC), "played_before": datetime(2026, 9, 16, tzinfo=UTC),
            "freezes_at": datetime(2026, 9, 23, tzinfo=UTC),
        }
        | values
    )  # fmt: skip


def frozen():
    return {"state": "frozen", "frozen_at": INSTANT, "frozen_by": user()}


def rating_list(**values):
    return RatingList.objects.create(
        **{
            "pool": pool(), "in_force": date(2026, 7, 1), "closing": date(2026, 6, 15), "revision": 1,
            "edition": "annex-9-2024-04", "facts_sha256": "1" * 64, "sha256": "2" * 64, "is_opening": True,
        }
        | values
    )  # fmt: skip


def publish(draft, **values):
    signed = {
        "state": "published", "approved_by": user(), "approved_at": INSTANT, "approved_sha256": draft.sha256,
        "released_by": user(), "released_sha256": draft.sha256, "published_at": INSTANT,
    }  # fmt: skip
    RatingList.objects.filter(pk=draft.pk).update(**signed | values)


def correction(**values):
    values.setdefault("replaces", None)
    values["replaces"] = values["replaces"] or rating_list(state="superseded")
    return Correction.objects.create(**{"reason": "a wrong result", "requested_by": user()} | values)


def revision(**values):
    """A draft of the second revision, by a correction of its own unless one is given."""
    return rating_list(
        **{"revision": 2, "correction": values.pop("correction", None) or correction()} | values
    )


def manifest_line(**values):
    values.setdefault("period", None)
    values["period"] = values["period"] or period(**frozen())
    values.setdefault("tournament", None)
    values["tournament"] = values["tournament"] or tournament()
    return PeriodReport.objects.create(**{"version": values.pop("version", None) or version()} | values)


def carried(draft, one):
    CarriedDifference.objects.create(list=draft, player=one, rating=1, games=0)


def without_the_guard(table, trigger):
    """A case of a constraint that a trigger stands before: it is made as the owner."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")


def anomaly(**values):
    values.setdefault("list", None)
    values["list"] = values["list"] or rating_list()
    return Anomaly.objects.create(**{"kind": "jump"} | values)


def published_file(draft, name="figures.csv"):
    PublishedFile.objects.create(list=draft, name=name, content=b"", sha256="", size=0, carries_names=False)


def run(**values):
    return CalculationRun.objects.create(**{"requested_by": user()} | values)


def list_row(*rows, sealed=False, **values):
    """Rows of a fresh draft, as a calculation writes them: into the table that becomes its partition."""
    fill("ratings_ratinglistrow", sealed, [
        {
            "position": 1, "name_position": 1, "official_position": None, "player_id": None, "register_number": 1,
            "name": "Player", "sort_name": "player", "federation": "NED", "sex": "M", "birth_year": None, "title": "",
            "rating": 2000, "change": None, "period_games": 0, "games": 0, "games_3_years": 0, "last_game": None,
            "reached_2300": False, "category": "C", "rank": 1, "official_rank": None,
        }
        | values | row for row in rows or [{}]
    ])  # fmt: skip


def change(**values):
    event = tournament()
    basis = rating_list(state="superseded")
    provisional = {
        "player_id": None, "sequence": 0, "tournament_id": event.pk, "basis_list_id": basis.pk,
        "method": "provisional", "own_e4": None, "own_is_running": False, "before_e4": None, "games_before": 0,
        "games": 1, "unrated_games": 0, "opponents_sum": 2000, "average_e4": 20_000_000, "points": 1,
        "performance_e4": 20_000_000, "performance_limited": False, "after_e4": 20_000_000,
        "first_game": date(2026, 4, 1), "last_game": date(2026, 4, 3),
        **dict.fromkeys(("expected_percentage_e4", "expected_score_e4", "k", "development", "delta_e4")),
    }  # fmt: skip
    fill("ratings_ratingchange", False, [provisional | values])


FIGURES_OF_A_CHANGE = {
    "method": "change", "own_e4": 20_000_000, "expected_percentage_e4": 500_000, "expected_score_e4": 10_000, "k": 15,
    "development": 60, "delta_e4": 0,
}  # fmt: skip


def fill(table, sealed, rows):
    draft = rating_list(sha256="")
    with connection.cursor() as cursor:
        cursor.execute("SELECT open_partition(%s)", [draft.pk])
        for values in rows:
            row = values | {"list_id": draft.pk, "player_id": values["player_id"] or player().pk}
            places = ", ".join(["%s"] * len(row))
            cursor.execute(
                f"INSERT INTO {table}_{draft.pk} ({', '.join(row)}) VALUES ({places})", list(row.values())
            )
        if sealed:
            cursor.execute("SELECT seal_partition(%s)", [draft.pk])


# --- the cases: constraint → (what is refused, what is taken)


CASES = {
    # people
    "user_email_unique": lambda: after(
        user(email="One@example.org"), lambda: user(email="one@EXAMPLE.org"), lambda: user(email="two@example.org")
    ),
    "user_roles_known": lambda: (lambda: user(roles=["referee", "king"]), lambda: user(roles=["referee"])),
    "announcement_dates_in_order": lambda: (
        lambda: announcement(played_to=date(2026, 3, 31)), lambda: announcement(played_to=date(2026, 4, 1)),
    ),
    "announcement_discipline_known": lambda: (
        lambda: announcement(discipline="80"), lambda: announcement(discipline="64"),
    ),
    "invitation_ends_once": lambda: (
        lambda: invitation(accepted_at=INSTANT, withdrawn_at=INSTANT), lambda: invitation(withdrawn_at=INSTANT),
    ),
    "federation_code_form": lambda: (
        lambda: Federation.objects.create(code="Ned", name="x"),
        lambda: Federation.objects.create(code="NED", name="x"),
    ),
    "player_sex_known": lambda: (lambda: player(sex="F"), lambda: player(sex="W")),
    "player_title_known": lambda: (lambda: player(title="GM"), lambda: player(title="GMI")),
    "player_title_64_known": lambda: (lambda: player(title_64="GM"), lambda: player(title_64="MFF")),
    "player_fmjd_id_positive": lambda: (lambda: player(fmjd_id=0), lambda: player(fmjd_id=1)),
    "identity_number_unique": lambda: after(
        identity(), identity,
        lambda: (identity(number="8"), identity(register="national"), identity(register="national")),
    ),
    "identity_one_per_register": lambda: after(
        one := player(), identity(player=one),
        lambda: identity(player=one, number="8"), lambda: identity(player=one, register="knsb"),
    ),
    # reports
    "report_one_accepted_per_tournament": lambda: after(
        event := tournament(), accepted(tournament=event),
        lambda: accepted(tournament=event), lambda: (submitted(tournament=event), accepted()),
    ),
    "report_accepted_has_version": lambda: (lambda: accepted(accepted_version=None), accepted),
    "report_submitted_has_tournament": lambda: (lambda: submitted(tournament=None), report),
    "report_submitted_has_instant": lambda: (lambda: submitted(first_submitted_at=None), submitted),
    "report_version_number_unique": lambda: after(
        one := report(), version(report=one), lambda: version(report=one), lambda: version(report=one, number=2)
    ),
    "answer_one_per_warning": lambda: after(
        one := version(), answer(version=one), lambda: answer(version=one), lambda: answer(version=one, finding=1)
    ),
    "remark_line_from_one": lambda: (lambda: remark(line=0), lambda: (remark(line=1), remark())),
    "remark_of_one_place": lambda: (
        lambda: remark(line=1, field="place"), lambda: (remark(line=1), remark(field="place")),
    ),
    "remark_has_text": lambda: (lambda: remark(text=""), remark),
    "tournament_correction_once": lambda: after(
        event := tournament(),
        lambda: tournament(code=event.code), lambda: tournament(code=event.code, correction=1),
    ),
    # messages
    "message_once": lambda: after(
        one := user(), message(recipient=one), lambda: message(recipient=one),
        lambda: (message(recipient=one, kind="report_late"), message(recipient=one, about="/reports/8/"), message()),
    ),
    # tournaments
    "tournament_dates_in_order": lambda: (
        lambda: tournament(played_to=date(2026, 3, 31)), lambda: tournament(played_to=date(2026, 4, 1)),
    ),
    "tournament_has_time": lambda: (
        lambda: tournament(seconds_for_60_moves=0), lambda: tournament(seconds_for_60_moves=1),
    ),
    "tournament_discipline_known": lambda: (
        lambda: tournament(discipline="144"), lambda: tournament(discipline="64"),
    ),
    "round_number_unique": lambda: after(
        event := tournament(), Round.objects.create(tournament=event, number=1),
        lambda: Round.objects.create(tournament=event, number=1),
        lambda: Round.objects.create(tournament=event, number=2),
    ),
    "entry_number_unique": lambda: after(
        event := tournament(), entry(tournament=event, number=5),
        lambda: entry(tournament=event, number=5), lambda: entry(tournament=event, number=6),
    ),
    "entry_player_unique": lambda: after(
        event := tournament(), one := player(), entry(tournament=event, player=one),
        lambda: entry(tournament=event, player=one), lambda: entry(tournament=tournament(), player=one),
    ),
    "game_has_a_player": lambda: (
        lambda: game(white=None, black=None, played=False), lambda: game(black=None, played=False),
    ),
    "game_played_shares_two_points": lambda: (
        lambda: game(white_points=1, black_points=0), lambda: game(white_points=1, black_points=0, played=False),
    ),
    "game_points_at_most_two": lambda: (
        lambda: game(white_points=3, played=False), lambda: game(white_points=2, played=False),
    ),
    "game_has_two_different_players": lambda: (lambda: game(black="white"), game),
    # periods
    "pool_once": lambda: (
        lambda: Pool.objects.create(code="x", federation="fmjd", discipline="64", tempo="classical", name="x"),
        lambda: Pool.objects.create(code="x", federation="knsb", discipline="64", tempo="classical", name="x"),
    ),
    "period_in_force_unique": lambda: after(
        period(), lambda: next_period(in_force=date(2026, 7, 1)), next_period,
    ),
    "period_instants_in_order": lambda: (
        lambda: period(freezes_at=datetime(2026, 6, 15, 23, 59, tzinfo=UTC)),
        lambda: period(freezes_at=datetime(2026, 6, 16, tzinfo=UTC)),
    ),
    "period_frozen_by_someone": lambda: (
        lambda: period(state="frozen", frozen_at=INSTANT), lambda: period(**frozen()),
    ),
    # Half-open: the next period begins at the very instant at which this one ends; one second earlier overlaps.
    "period_no_overlap": lambda: after(
        period(),
        lambda: next_period(played_since=datetime(2026, 6, 15, 23, 59, 59, tzinfo=UTC)),
        next_period,
    ),
    "period_one_frozen_per_pool": lambda: after(
        period(**frozen()), lambda: next_period(**frozen()), lambda: next_period(**frozen() | {"state": "published"})
    ),
    "period_one_correcting_per_pool": lambda: after(
        period(**frozen() | {"state": "correcting"}),
        lambda: next_period(**frozen() | {"state": "correcting"}), lambda: next_period(**frozen()),
    ),
    # A manifest lists a tournament once and a report once; the next manifest, of a correction, may list both again.
    "periodreport_tournament_once": lambda: after(
        without_the_guard("ratings_periodreport", "ratings_periodreport_frozen"), one := manifest_line(),
        lambda: manifest_line(period=one.period, tournament=one.tournament),
        lambda: manifest_line(period=one.period, tournament=one.tournament, correction=correction()),
    ),
    "periodreport_version_once": lambda: after(
        one := manifest_line(),
        lambda: manifest_line(period=one.period, version=one.version),
        lambda: manifest_line(period=one.period),
    ),
    # corrections
    "correction_one_per_list": lambda: after(
        one := correction(),
        lambda: correction(replaces=one.replaces), lambda: correction(replaces=one.replaces, withdrawn_at=INSTANT),
    ),
    "correction_has_reason": lambda: (lambda: correction(reason=""), correction),
    "correction_follows_revised": lambda: after(
        one := correction(later="revise"),
        lambda: correction(follows=one, later="carry"), lambda: correction(follows=one, later="revise"),
    ),
    "list_revision_has_correction": lambda: (lambda: rating_list(revision=2), revision),
    "carried_once": lambda: after(
        draft := rating_list(), one := correction(), CarriedCorrection.objects.create(list=draft, correction=one),
        lambda: CarriedCorrection.objects.create(list=draft, correction=one),
        lambda: CarriedCorrection.objects.create(list=draft, correction=correction()),
    ),
    "carried_player_once": lambda: after(
        draft := rating_list(), one := player(), carried(draft, one),
        lambda: carried(draft, one), lambda: (carried(draft, player()), carried(rating_list(), one)),
    ),
    # anomalies
    "anomaly_once": lambda: after(
        one := anomaly(player=player()),
        lambda: anomaly(list=one.list, player=one.player),
        lambda: (anomaly(list=one.list, player=one.player, kind="few_games"), anomaly(player=one.player)),
    ),
    "anomaly_has_its_subject": lambda: (
        lambda: anomaly(kind="late", player=player()), lambda: anomaly(kind="late", report=report()),
    ),
    "anomaly_answer_has_words": lambda: after(
        one := anomaly(player=player()),
        lambda: AnomalyAnswer.objects.create(anomaly=one, text="", by=user()),
        lambda: AnomalyAnswer.objects.create(anomaly=one, text="so it is", by=user()),
    ),
    # calculations
    "run_one_requested_per_period": lambda: after(
        one := period(), run(period=one), lambda: run(period=one), lambda: run(period=one, state="failed")
    ),
    "run_done_has_list": lambda: after(
        one := period(), lambda: run(period=one, state="done"),
        lambda: run(period=one, state="done", list=rating_list()),
    ),
    # lists
    "list_revision_published_once": lambda: after(
        publish(rating_list(state="approved")), draft := rating_list(state="approved"),
        second := revision(state="approved"), lambda: publish(draft), lambda: publish(second),
    ),
    "list_one_draft_per_period": lambda: after(
        one := period(), rating_list(period=one),
        lambda: rating_list(period=one, state="approved"), lambda: rating_list(period=one, state="superseded"),
    ),
    "list_published_with_two_signatures": lambda: after(
        draft := rating_list(state="approved"), one := user(),
        lambda: publish(draft, approved_by=one, released_by=one), lambda: publish(draft),
    ),
    "list_has_period_or_opens": lambda: (
        lambda: rating_list(is_opening=False), lambda: rating_list(is_opening=False, period=period()),
    ),
    "published_file_name_unique": lambda: after(
        draft := rating_list(), published_file(draft),
        lambda: published_file(draft), lambda: published_file(draft, name="other.csv"),
    ),
    "ratinglistrow_player_once": lambda: after(
        one := player().pk,
        lambda: list_row({"player_id": one}, {"player_id": one, "position": 2, "name_position": 2}, sealed=True),
        lambda: list_row({"player_id": one}, {"position": 2, "name_position": 2}, sealed=True),
    ),
    "ratinglistrow_name_position": lambda: (
        lambda: list_row({}, {"position": 2}, sealed=True),
        lambda: list_row({}, {"position": 2, "name_position": 2}, sealed=True),
    ),
    "ratinglistrow_category_known": lambda: (lambda: list_row(category="D"), lambda: list_row(category="A")),
    "ratinglistrow_figures_possible": lambda: (
        lambda: list_row(period_games=2, games=1), lambda: list_row(period_games=2, games=2),
    ),
    "ratingchange_method_has_its_figures": lambda: (
        lambda: change(**FIGURES_OF_A_CHANGE | {"delta_e4": None}), lambda: change(**FIGURES_OF_A_CHANGE),
    ),
    "ratingchange_counts_a_game": lambda: (lambda: change(games=0), lambda: change(games=1)),
}  # fmt: skip


BEHIND_A_GUARD = {"periodreport_tournament_once"}


def after(*steps):
    """The refused and the taken, after what has to be there first was made."""
    return steps[-2:]


def constraint_of(refused):
    return refused.value.__cause__.diag.constraint_name


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.database_role("owner")) if name in BEHIND_A_GUARD else name
        for name in CASES
    ],
)
def test_the_constraint_refuses_its_case_and_takes_the_one_beside_it(name):
    refused_case, taken_case = CASES[name]()
    with transaction.atomic():
        sid = transaction.savepoint()
        taken_case()
        transaction.savepoint_rollback(sid)
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        refused_case()
    # A partition's keys carry names of its own: ratings_ratinglistrow_7_list_id_player_id_key.
    own_names = {
        "ratinglistrow_player_once": "_list_id_player_id_key",
        "ratinglistrow_name_position": "_list_id_name_position_key",
    }
    assert constraint_of(refused).endswith(own_names.get(name, name))


def test_no_named_constraint_of_the_models_is_without_a_case():
    named = {
        constraint.name
        for app in ("reporting", "ratings")
        for model in apps.get_app_config(app).get_models()
        for constraint in model._meta.constraints
    }
    assert named == set(CASES)


# --- more of the same constraints


@pytest.mark.django_db
@pytest.mark.parametrize(
    "possible",
    [(2, 0, True), (1, 1, True), (0, 2, True), (2, 0, False), (1, 1, False), (0, 2, False), (0, 0, False)],
)
def test_the_seven_results_of_the_form_are_the_games_that_can_be(possible):
    """Annex 9 art. 11: 2-0 1-1 0-2, and by decision 2x0 1x1 0x2 0x0."""
    white, black, played = possible
    game(white_points=white, black_points=black, played=played)


@pytest.mark.django_db
@pytest.mark.parametrize("impossible", [(2, 2), (2, 1), (1, 2), (1, 0), (0, 1), (0, 0)])
def test_a_game_that_was_played_shares_two_points(impossible):
    white, black = impossible
    with pytest.raises(IntegrityError) as refused:
        game(white_points=white, black_points=black)
    assert constraint_of(refused) == "game_played_shares_two_points"


@pytest.mark.django_db
@pytest.mark.parametrize("side", ["white", "black"])
def test_a_pause_is_never_a_game_that_was_played(side):
    with pytest.raises(IntegrityError) as refused:
        game(**{side: None})
    assert constraint_of(refused) == "game_played_shares_two_points"


@pytest.mark.django_db
def test_periods_of_different_pools_may_overlap_and_be_frozen_together():
    period(**frozen())
    period(pool=Pool.objects.get(code="fmjd-100"), **frozen())
    assert Period.objects.filter(state="frozen").count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    "figure", ["own_e4", "expected_percentage_e4", "expected_score_e4", "k", "development", "delta_e4"]
)
def test_a_change_lacks_none_of_its_figures(figure):
    with pytest.raises(IntegrityError) as refused:
        change(**FIGURES_OF_A_CHANGE | {figure: None})
    assert constraint_of(refused) == "ratingchange_method_has_its_figures"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "figure", ["expected_percentage_e4", "expected_score_e4", "k", "development", "delta_e4"]
)
def test_a_provisional_performance_has_none_of_them(figure):
    with pytest.raises(IntegrityError) as refused:
        change(**{figure: 1})
    assert constraint_of(refused) == "ratingchange_method_has_its_figures"


@pytest.mark.django_db
def test_there_is_no_third_method():
    with pytest.raises(IntegrityError) as refused:
        change(**FIGURES_OF_A_CHANGE | {"method": "guess"})
    assert constraint_of(refused) == "ratingchange_method_has_its_figures"


@pytest.mark.django_db
@pytest.mark.parametrize("figure", ["position", "name_position", "rating"])
def test_positions_and_ratings_are_above_zero(figure):
    with pytest.raises(IntegrityError) as refused:
        list_row(**{figure: 0})
    assert constraint_of(refused) == "ratinglistrow_figures_possible"


@pytest.mark.django_db
def test_a_tournament_and_a_version_enter_one_list_only():
    one = period(**frozen())
    event, sent = tournament(), version()
    PeriodReport.objects.create(period=one, tournament=event, version=sent)
    with pytest.raises(IntegrityError), transaction.atomic():
        PeriodReport.objects.create(period=one, tournament=event, version=version())
    with pytest.raises(IntegrityError), transaction.atomic():
        PeriodReport.objects.create(period=one, tournament=tournament(), version=sent)
    PeriodReport.objects.create(period=one, tournament=tournament(), version=version())  # the twin


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["open", "published"])
def test_a_report_enters_a_list_only_while_its_period_is_frozen(state):
    one = period(**frozen() | {"state": state})
    with pytest.raises(IntegrityError, match="when its period is frozen"):
        PeriodReport.objects.create(period=one, tournament=tournament(), version=version())


# --- manifests of corrections, by the accounts of the web and the worker

accounts = pytest.mark.parametrize(
    "account",
    [pytest.param(each, marks=pytest.mark.database_role(each)) for each in ("worker", "web", "owner")],
)


def published_with(*tournaments, the_period=None):
    """A published list, its period, and the freeze's manifest of these tournaments."""
    one = the_period or period(**frozen())
    for event in tournaments:
        manifest_line(period=one, tournament=event)
    draft = rating_list(
        period=one, in_force=one.in_force, closing=one.closing, is_opening=False, state="approved"
    )
    publish(draft)
    set_state(one, "published")
    return one, draft


def set_state(one, state):
    Period.objects.filter(pk=one.pk).update(state=state)


def publish_revision(one, asked, number=2):
    draft = revision(
        period=one, in_force=one.in_force, closing=one.closing, is_opening=False, state="approved",
        correction=asked, revision=number,
    )  # fmt: skip
    publish(draft)
    set_state(one, "published")
    return draft


def line_refused(match, **values):
    with pytest.raises(IntegrityError, match=match), transaction.atomic():
        manifest_line(**values)


@pytest.mark.django_db
@accounts
def test_a_competition_is_once_in_a_manifest_whichever_of_its_reports_it_is(account):
    event = tournament()
    again = tournament(code=event.code, correction=1)
    one = period(**frozen())
    manifest_line(period=one, tournament=event)
    line_refused("counted already", period=one, tournament=event)
    line_refused("counted already", period=one, tournament=again)
    manifest_line(period=one, tournament=tournament())  # the twin
    # The next manifest of the period may hold either.
    _, first = published_with(the_period=one)
    asked = correction(replaces=first)
    set_state(one, "correcting")
    manifest_line(period=one, tournament=again, correction=asked)
    line_refused("counted already", period=one, tournament=event, correction=asked)


@pytest.mark.django_db
@accounts
@pytest.mark.parametrize("state", ["open", "frozen", "published"])
def test_a_correction_s_manifest_is_written_only_while_its_list_is_corrected(account, state):
    one, first = published_with()
    asked = correction(replaces=first)
    set_state(one, state)
    line_refused("is frozen or its list corrected", period=one, correction=asked)
    set_state(one, "correcting")
    line_refused("is frozen or its list corrected", period=one)  # without the correction: the freeze is over
    manifest_line(period=one, correction=asked)  # the twin


@pytest.mark.django_db
@accounts
def test_a_manifest_grows_only_for_the_correction_under_way_in_its_own_period(account):
    one, first = published_with()
    withdrawn = correction(replaces=first, withdrawn_at=INSTANT)
    done = correction(replaces=first)
    second = publish_revision(one, done)
    asked = correction(replaces=second)
    set_state(one, "correcting")
    for other in (withdrawn, done, correction()):
        line_refused("not under way", period=one, correction=other)
    manifest_line(period=one, correction=asked)  # the twin


@pytest.mark.django_db
@accounts
def test_a_competition_counts_in_one_period_at_a_time(account):
    event = tournament()
    again = tournament(code=event.code, correction=1)
    one, first = published_with(event)
    later = next_period(**frozen())
    line_refused("counted already", period=later, tournament=event)
    line_refused("counted already", period=later, tournament=again)
    # A correction under way that leaves it out does not free it yet, since it may be withdrawn …
    asked = correction(replaces=first)
    set_state(one, "correcting")
    line_refused("counted already", period=later, tournament=again)
    # … its publication does: the twin.
    publish_revision(one, asked)
    manifest_line(period=later, tournament=again)
    # And now the first list can't have it back.
    second = correction(replaces=RatingList.objects.get(correction=asked))
    set_state(one, "correcting")
    line_refused("counted already", period=one, tournament=event, correction=second)


@pytest.mark.django_db
@accounts
def test_what_a_withdrawn_correction_took_in_is_free_again(account):
    event = tournament()
    one, first = published_with()
    later = next_period(**frozen())
    asked = correction(replaces=first)
    set_state(one, "correcting")
    manifest_line(period=one, tournament=event, correction=asked)
    line_refused("counted already", period=later, tournament=event)
    Correction.objects.filter(pk=asked.pk).update(withdrawn_at=INSTANT)
    manifest_line(period=later, tournament=event)  # the twin


# --- a correction, and what is written with a draft


@pytest.mark.django_db
@accounts
def test_a_correction_stays_as_it_was_asked_for_but_for_one_withdrawal(account):
    asked, other = correction(), correction()
    changes = {
        "reason": "another", "later": "revise", "replaces": rating_list(state="superseded"),
        "requested_by": user(), "requested_at": INSTANT, "follows": other,
    }  # fmt: skip
    for name, value in changes.items():
        values = {name: value} | ({"later": "revise"} if name == "follows" else {})
        with pytest.raises(IntegrityError, match="stays as it was asked for"), transaction.atomic():
            Correction.objects.filter(pk=asked.pk).update(**values)
    Correction.objects.filter(pk=asked.pk).update(withdrawn_at=INSTANT)  # the twin
    for value in (None, datetime(2026, 5, 1, tzinfo=UTC)):
        with pytest.raises(IntegrityError, match="stays as it was asked for"), transaction.atomic():
            Correction.objects.filter(pk=asked.pk).update(withdrawn_at=value)


@pytest.mark.django_db
@accounts
def test_a_correction_whose_revision_is_published_is_not_withdrawn(account):
    one, first = published_with()
    asked = correction(replaces=first)
    draft = revision(period=one, in_force=one.in_force, is_opening=False, state="approved", correction=asked)
    with transaction.atomic():  # the twin: while it is a draft it can
        Correction.objects.filter(pk=asked.pk).update(withdrawn_at=INSTANT)
        transaction.set_rollback(True)
    publish(draft)
    with pytest.raises(IntegrityError, match="stays as it was asked for"):
        Correction.objects.filter(pk=asked.pk).update(withdrawn_at=INSTANT)


WITH_A_DRAFT = {
    "anomaly": lambda draft: anomaly(list=draft, player=player()),
    "carried correction": lambda draft: CarriedCorrection.objects.create(list=draft, correction=correction()),
    "carried difference": lambda draft: carried(draft, player()),
}
LATER_STATES = ["norms_searched", "ready", "approved", "published", "superseded"]


def moved_to(draft, state):
    if state == "published":
        RatingList.objects.filter(pk=draft.pk).update(state="approved")
        publish(draft)
    else:
        RatingList.objects.filter(pk=draft.pk).update(state=state)


@pytest.mark.django_db
@accounts
@pytest.mark.parametrize("written", WITH_A_DRAFT)
@pytest.mark.parametrize("state", LATER_STATES)
def test_what_is_found_and_carried_is_written_with_its_draft_only(account, written, state):
    draft = rating_list()
    WITH_A_DRAFT[written](draft)  # the twin
    moved_to(draft, state)
    with pytest.raises(IntegrityError, match="is written with its draft"):
        WITH_A_DRAFT[written](draft)


@pytest.mark.django_db
@accounts
@pytest.mark.parametrize("state", ["calculated", *LATER_STATES])
def test_an_anomaly_is_answered_until_the_draft_is_signed(account, state):
    one = anomaly(player=player())
    moved_to(one.list, state)
    given = {"anomaly": one, "text": "so it is", "by": user()}
    if state in ("calculated", "norms_searched", "ready"):
        AnomalyAnswer.objects.create(**given)
        AnomalyAnswer.objects.create(**given | {"text": "another word"})  # the newest holds
        return
    with pytest.raises(IntegrityError, match="this draft is signed"):
        AnomalyAnswer.objects.create(**given)


WRITTEN_ONCE = {
    Anomaly: {"figures": {"x": 1}},
    AnomalyAnswer: {"text": "another"},
    CarriedCorrection: {"list_id": 1},
    CarriedDifference: {"rating": 2},
    Correction: {"reason": "another"},
}


def one_of_each():
    draft, person = rating_list(), player()
    found = anomaly(list=draft, player=person)
    AnomalyAnswer.objects.create(anomaly=found, text="so it is", by=user())
    asked = correction()
    CarriedCorrection.objects.create(list=draft, correction=asked)
    carried(draft, person)


def change_it(model, verb):
    if verb == "update":
        model.objects.update(**WRITTEN_ONCE[model])
        return
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table}" if verb == "delete" else f"TRUNCATE {table} CASCADE")


@pytest.mark.django_db
@pytest.mark.parametrize("model", WRITTEN_ONCE)
@pytest.mark.parametrize("verb", ["update", "delete", "truncate"])
@accounts
def test_it_is_neither_changed_nor_deleted(account, model, verb):
    """The accounts lack the right, except to withdraw a correction; the owner meets the triggers, in any mode."""
    one_of_each()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for mode in ("origin", "replica") if account == "owner" else ("origin",):
            if account == "owner":
                cursor.execute(f"SET LOCAL session_replication_role = {mode}")
            with pytest.raises(DatabaseError, match=r"refused|permission denied"), transaction.atomic():
                change_it(model, verb)


@pytest.mark.django_db
@pytest.mark.database_role("owner")
@pytest.mark.parametrize("model", WRITTEN_ONCE)
@pytest.mark.parametrize("verb", ["update", "delete", "truncate"])
def test_twin_without_its_triggers_it_would_be(model, verb):
    one_of_each()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for other in WRITTEN_ONCE:
            cursor.execute(f"ALTER TABLE {other._meta.db_table} DISABLE TRIGGER ALL")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        # What a TRUNCATE of a correction reaches: the lists it made, and all that hangs on lists.
        for holder in ("calculationrun", "periodreport", "ratinglist", "publishedfile", "playerhistory",
                       "ratinglistrow", "ratingchange"):  # fmt: skip
            cursor.execute(f"ALTER TABLE ratings_{holder} DISABLE TRIGGER ALL")
    change_it(model, verb)
    if verb == "update":
        assert model.objects.filter(**WRITTEN_ONCE[model]).exists()
    else:
        assert not model.objects.exists()
    transaction.set_rollback(True)
