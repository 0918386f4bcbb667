"""What each named constraint of the models refuses, and next to it what differs only in the point at issue."""

from datetime import UTC, date, datetime, timedelta

from django.db import connection
from django.utils import timezone

from ratings.models import AnomalyAnswer, CarriedCorrection, Export, Pool, SignedStatement
from reporting.models import Federation, Message, Round
from tests.models.rows import (
    FIGURES_OF_A_CHANGE,
    INSTANT,
    accepted,
    announcement,
    anomaly,
    answer,
    answered,
    api_answer,
    api_token,
    approved_list,
    asked,
    assignment,
    carried,
    change,
    club_membership,
    compressed_file,
    correction,
    delivery,
    entry,
    frozen,
    game,
    identity,
    invitation,
    list_row,
    list_values,
    look_alike_decision,
    mail_opt_out,
    manifest_line,
    membership,
    merge,
    message,
    next_period,
    note,
    past_quarters,
    period,
    player,
    public_change,
    publish,
    published_file,
    rating_list,
    remark,
    report,
    revision,
    run,
    said,
    signed,
    source_import_part,
    submitted,
    title,
    tournament,
    user,
    version,
    webhook,
)


def without_the_guard(table, trigger):
    """A case of a constraint that a trigger stands before: it is made as the owner."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")


# constraint → (what is refused, what is taken)


CASES = {
    # people
    "user_email_unique": lambda: after(
        user(email="One@example.org"), lambda: user(email="one@EXAMPLE.org"), lambda: user(email="two@example.org")
    ),
    "role_assigned_once": lambda: assigned_again(),  # noqa: PLW0108
    "role_known": lambda: (lambda: assignment(role="king"), lambda: assignment(role="referee")),
    "role_ended_by_somebody": lambda: (
        lambda: assignment(ended_at=INSTANT), lambda: assignment(ended_at=INSTANT, ended_by=user()),
    ),
    "role_given_by_two_others": lambda: (
        lambda: assignment(role="rating_officer"), lambda: assignment(role="rating_officer", confirmed_by=user()),
    ),
    "tournament_dates_in_order": lambda: (
        lambda: announcement(played_to=date(2026, 3, 31)), lambda: announcement(played_to=date(2026, 4, 1)),
    ),
    "tournament_has_discipline_or_system": lambda: (
        lambda: announcement(discipline=""), lambda: announcement(discipline="", rating_system="iccf"),
    ),
    "tournament_announced_by_someone": lambda: (
        lambda: announcement(announced_by=None),
        lambda: announcement(announced_by=None, announced_on=None, code="open"),
    ),
    "tournament_announced_or_reported": lambda: (
        lambda: announcement(announced_by=None, announced_on=None), announcement,
    ),
    "invitation_ends_once": lambda: (
        lambda: invitation(accepted_at=INSTANT, withdrawn_at=INSTANT), lambda: invitation(withdrawn_at=INSTANT),
    ),
    "federation_code_form": lambda: (
        lambda: Federation.objects.create(code="Ned", name="x"),
        lambda: Federation.objects.create(code="NED", name="x"),
    ),
    "player_sex_known": lambda: (lambda: player(sex="F"), lambda: player(sex="W")),
    "player_title_named": lambda: (lambda: title(title=""), lambda: title(title="GMI")),
    "player_title_days_in_order": lambda: (
        lambda: title(registered_on=date(2026, 3, 2), withdrawn_on=date(2026, 3, 1)),
        lambda: title(registered_on=date(2026, 3, 1), withdrawn_on=date(2026, 3, 1)),
    ),
    "player_title_one_of_a_kind": lambda: after(
        held := title(registered_on=date(2025, 1, 1), withdrawn_on=date(2026, 3, 1)),
        lambda: title(player=held.player, title="MI", registered_on=date(2026, 2, 28)),
        lambda: (
            title(player=held.player, title="MI", registered_on=date(2026, 3, 1)),
            title(player=held.player, discipline="64"),
            title(player=held.player, awarded_by="knsb"),
            title(player=held.player, title="MFF", ladder="women"),
        ),
    ),
    "membership_days_in_order": lambda: after(
        one := player(),
        lambda: membership(player=one, since=date(2026, 3, 2), until=date(2026, 3, 1)),
        lambda: membership(player=one, since=date(2026, 3, 1), until=date(2026, 3, 1)),
    ),
    "membership_no_overlap": lambda: after(  # the player's own one is without days
        one := player(),
        lambda: membership(player=one, since=date(2026, 3, 1)),
        lambda: membership(player=one, since=date(2026, 3, 1), until=date(2026, 3, 1)),
    ),
    "club_membership_club_number": lambda: (
        lambda: club_membership(club="20032"), lambda: club_membership(club="020032")
    ),
    "club_membership_days_in_order": lambda: (
        lambda: club_membership(member_until=date(2026, 2, 28)),
        lambda: club_membership(member_until=date(2026, 3, 1)),
    ),
    "club_membership_one_a_day": lambda: after(
        first := club_membership(member_until=date(2026, 4, 1)),
        lambda: club_membership(player=first.player, table=first.table, member_from=date(2026, 4, 1)),
        lambda: (
            club_membership(player=first.player, table=first.table, member_from=date(2026, 4, 2)),
            club_membership(player=first.player),
        ),
    ),
    "identity_whole_number": lambda: (
        lambda: identity(number="07"),
        lambda: (identity(number="7"), identity(register="national", number="NL-07")),
    ),
    "identity_number_unique": lambda: after(
        identity(), identity,
        lambda: (identity(number="8"), identity(register="national"), identity(register="national")),
    ),
    "identity_one_per_register": lambda: after(
        one := player(), identity(player=one),
        lambda: identity(player=one, number="8"), lambda: identity(player=one, register="knsb"),
    ),
    "player_merged_into_one": lambda: after(
        duplicate := player(), merge(duplicate=duplicate), lambda: merge(duplicate=duplicate),
        lambda: merge(duplicate=duplicate, undone_at=INSTANT, undone_by=user(), undone_reason="two"),
    ),
    "player_not_merged_into_itself": lambda: after(
        one := player(), lambda: merge(duplicate=one, surviving=one), lambda: merge(duplicate=one),
    ),
    "player_merge_has_reason": lambda: (lambda: merge(reason=""), merge),
    "player_merge_undone_by_someone": lambda: (
        lambda: merge(undone_at=INSTANT, undone_reason="two"),
        lambda: merge(undone_at=INSTANT, undone_by=user(), undone_reason="two"),
    ),
    # reports
    "report_one_accepted_per_result_set": lambda: after(
        event := tournament(), accepted(result_set=event),
        lambda: accepted(result_set=event), lambda: (submitted(result_set=event), accepted()),
    ),
    "report_accepted_has_version": lambda: (lambda: accepted(accepted_version=None), accepted),
    "report_submitted_has_result_set": lambda: (lambda: submitted(result_set=None), report),
    "report_submitted_has_instant": lambda: (lambda: submitted(first_submitted_at=None), submitted),
    "report_version_number_unique": lambda: after(
        one := report(), version(report=one), lambda: version(report=one), lambda: version(report=one, number=2)
    ),
    "comment_one_per_warning": lambda: after(
        one := version(), answer(version=one), lambda: answer(version=one), lambda: answer(version=one, finding=1)
    ),
    "remark_line_from_one": lambda: (lambda: remark(line=0), lambda: (remark(line=1), remark())),
    "remark_of_one_place": lambda: (
        lambda: remark(line=1, field="place"), lambda: (remark(line=1), remark(field="place")),
    ),
    "different_tournament_has_reason": lambda: (
        lambda: look_alike_decision(reason=""),
        lambda: (look_alike_decision(), look_alike_decision(is_correction=True, reason="")),
    ),
    "note_has_text": lambda: (lambda: note(text=""), note),
    "remark_has_text": lambda: (lambda: remark(text=""), remark),
    "result_set_revision_once": lambda: after(
        event := tournament(),
        lambda: tournament(code=event.code),
        lambda: (tournament(code=event.code, revision=1), tournament(code=event.code, part=2)),
    ),
    # messages
    "message_once": lambda: after(
        one := user(), message(recipient=one), lambda: message(recipient=one),
        lambda: (message(recipient=one, kind="report_late"), message(recipient=one, about="/reports/8/"), message()),
    ),
    "api_token_name_once": lambda: after(
        one := user(), api_token(account=one), lambda: api_token(account=one),
        lambda: (
            api_token(account=one, name="y"), api_token(),
            api_token(account=one, revoked_at=INSTANT, revoked_by=one),
        ),
    ),
    "api_token_scopes_known": lambda: (
        lambda: api_token(scopes=["reports:read", "office:all"]), lambda: api_token(scopes=["reports:read"])
    ),
    "api_token_ends": lambda: (
        lambda: api_token(expires_at=timezone.now() + timedelta(days=367)),
        lambda: api_token(expires_at=timezone.now() + timedelta(days=365)),
    ),
    "api_token_revoked_by_somebody": lambda: (
        lambda: api_token(revoked_at=INSTANT), lambda: api_token(revoked_at=INSTANT, revoked_by=user())
    ),
    "api_answer_one_per_key": lambda: after(
        one := user(), api_answer(account=one), lambda: api_answer(account=one),
        lambda: (api_answer(account=one, key="y"), api_answer()),
    ),
    "mail_opt_out_once": lambda: after(
        one := user(), mail_opt_out(account=one), lambda: mail_opt_out(account=one),
        lambda: (mail_opt_out(account=one, kind="list_published"), mail_opt_out()),
    ),
    "message_to_one_person": lambda: (
        lambda: message(correction_request=asked()),
        lambda: (
            message(),
            Message.objects.create(kind="request_answered", correction_request=asked(), title="x", text="x"),
        ),
    ),
    "message_to_own_address": lambda: (
        lambda: message(kind="password_reset", address="other@example.org"),
        lambda: (
            message(kind="password_reset"),
            message(kind="email_change", address="old@example.org"),
            message(kind="email_confirm", address="new@example.org"),
        ),
    ),
    # requests
    "request_taken_by_someone": lambda: (lambda: asked(state="taken"), lambda: asked(state="taken", taken_by=user())),
    "request_answered_has_instant": lambda: (
        lambda: asked(state="answered", taken_by=user()),
        lambda: asked(state="answered", taken_by=user(), answered_at=INSTANT),
    ),
    "request_has_sender_until_erased": lambda: (
        lambda: asked(name="", email="", state="answered", taken_by=user(), answered_at=INSTANT),
        lambda: asked(
            name="", email="", erased_at=INSTANT, state="answered", taken_by=user(), answered_at=INSTANT
        ),
    ),
    "request_has_error_description": lambda: (lambda: asked(error_description=""), asked),
    "request_about_something": lambda: (
        lambda: asked(player=None), lambda: asked(player=None, result_set=tournament()),
    ),
    "request_entry_has_text": lambda: (lambda: said(text=""), said),
    "request_entry_by_its_side": lambda: (lambda: said(kind="reply"), lambda: said(kind="reply", by=None)),
    "request_answer_has_outcome": lambda: (lambda: said(kind="answer"), answered),
    "request_answer_has_basis": lambda: (
        lambda: answered(basis=""), lambda: answered(basis="", outcome="not_about_ratings"),
    ),
    # tournaments
    "result_set_dates_in_order": lambda: (
        lambda: tournament(played_to=date(2026, 3, 31)), lambda: tournament(played_to=date(2026, 4, 1)),
    ),
    "result_set_has_time": lambda: (
        lambda: tournament(seconds_for_60_moves=0), lambda: tournament(seconds_for_60_moves=1),
    ),
    "result_set_has_discipline_or_system": lambda: (
        lambda: tournament(discipline=""), lambda: tournament(discipline="", rating_system="iccf"),
    ),
    "result_set_points_known": lambda: (
        lambda: tournament(points="3-1-0"), lambda: tournament(points="1-0.5-0"),
    ),
    "round_number_unique": lambda: after(
        event := tournament(), Round.objects.create(result_set=event, number=1),
        lambda: Round.objects.create(result_set=event, number=1),
        lambda: Round.objects.create(result_set=event, number=2),
    ),
    "entry_number_unique": lambda: after(
        event := tournament(), entry(result_set=event, number=5),
        lambda: entry(result_set=event, number=5), lambda: entry(result_set=event, number=6),
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
    # A game without a day has that of its round; one day alone is enough.
    "game_days_in_order": lambda: (
        lambda: game(started_on=date(2026, 4, 2), finished_on=date(2026, 4, 1)),
        lambda: [game(started_on=date(2026, 4, 2), finished_on=day) for day in (date(2026, 4, 2), None)],
    ),
    "game_has_two_different_players": lambda: (lambda: game(black="white"), game),
    "game_number_from_one": lambda: (lambda: game(number=0), lambda: game(number=2)),
    "game_has_whole_clock": lambda: (
        lambda: game(time_control="5+3"), lambda: game(time_control="5+3", seconds_for_60_moves=480),
    ),
    # periods
    "pool_once": lambda: (
        lambda: Pool.objects.create(code="x", system="fmjd", discipline="64", tempo="classical", name="x"),
        lambda: Pool.objects.create(code="x", system="knsb", discipline="64", tempo="classical", name="x"),
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
    "export_one_row": lambda: (
        lambda: Export.objects.create(pk=2),
        lambda: Export.objects.filter(pk=1).update(stamp=""),
    ),
    "publicchange_once": lambda: after(
        one := public_change(), lambda: public_change(entry=one.entry), public_change,
    ),
    "publicchange_has_its_subject": lambda: (
        lambda: public_change(player=player()), lambda: public_change(event="player.changed", player=player()),
    ),
    "publicchange_merged_into_a_record": lambda: (
        lambda: public_change(event="player.merged", player=player()),
        lambda: public_change(event="player.merged", player=player(), merged_into=player()),
    ),
    "publicchange_of_a_title_names_it": lambda: (
        lambda: public_change(event="title.registered", player=player()),
        lambda: public_change(event="title.registered", player=player(), title="MF", discipline="100"),
    ),
    "publicchange_of_a_publication_has_a_page": lambda: (
        lambda: public_change(event="publication.published", page=""),
        lambda: public_change(event="publication.published", page="/x/r1/"),
    ),
    "signed_statement_signature": lambda: (
        lambda: SignedStatement.objects.create(number=1, content="{}", signature="z" * 128),
        lambda: SignedStatement.objects.create(number=1, content="{}", signature="f" * 128),
    ),
    "webhook_url_once": lambda: after(
        one := webhook(),
        lambda: webhook(account=one.account, token=one.token, url=one.url),
        lambda: webhook(account=one.account, token=one.token, url="https://other.example/"),
    ),
    "webhookdelivery_once": lambda: after(
        one := delivery(change=public_change()),
        lambda: delivery(webhook=one.webhook, change=one.change),
        lambda: delivery(webhook=one.webhook, change=public_change()),
    ),
    "webhookdelivery_delivered_at_the_end": lambda: (
        lambda: delivery(tried_at=INSTANT, delivered_at=INSTANT),
        lambda: delivery(tried_at=INSTANT, delivered_at=INSTANT, next_at=None),
    ),
    "period_one_frozen_per_pool": lambda: after(
        period(**frozen()), lambda: next_period(**frozen()), lambda: next_period(**frozen() | {"state": "published"})
    ),
    "period_one_correcting_per_pool": lambda: after(
        period(**frozen() | {"state": "correcting"}),
        lambda: next_period(**frozen() | {"state": "correcting"}), lambda: next_period(**frozen()),
    ),
    # A manifest lists a tournament once and a report once; the next manifest, of a correction, may list both again.
    "periodreport_result_set_once": lambda: after(
        without_the_guard("ratings_periodreport", "ratings_periodreport_frozen"), one := manifest_line(),
        lambda: manifest_line(period=one.period, result_set=one.result_set),
        lambda: manifest_line(period=one.period, result_set=one.result_set, correction=correction()),
    ),
    "periodreport_version_once": lambda: after(
        without_the_guard("ratings_periodreport", "ratings_periodreport_of_accepted"), one := manifest_line(),
        lambda: manifest_line(period=one.period, version=one.version),
        lambda: manifest_line(period=one.period),
    ),
    # corrections
    "correction_one_per_list": lambda: after(
        one := correction(),
        lambda: correction(replaces=one.replaces), lambda: correction(replaces=one.replaces, withdrawn_at=INSTANT),
    ),
    "pastquarters_in_order": lambda: (
        lambda: past_quarters(first=date(2026, 7, 1), last=date(2026, 4, 1)), past_quarters,
    ),
    "pastquarters_has_reason": lambda: (lambda: past_quarters(reason=""), past_quarters),
    # sources and values of a list
    "sourceimportpart_number_once": lambda: after(
        one := source_import_part(),
        lambda: source_import_part(upload=one.upload), lambda: source_import_part(upload=one.upload, number=1),
    ),
    "listvalues_once": lambda: after(
        list_values(), list_values, lambda: list_values(in_force=date(2026, 10, 1)),
    ),
    "correction_has_reason": lambda: (lambda: correction(reason=""), correction),
    "correction_follows_revised": lambda: after(
        one := correction(later="revise"),
        lambda: correction(follows=one, later="carry"), lambda: correction(follows=one, later="revise"),
    ),
    "list_revision_has_correction": lambda: (lambda: rating_list(revision=2), revision),
    "compressed_file_encoding_unique": lambda: after(
        draft := rating_list(), published_file(draft), one := draft.files.get(), compressed_file(one, "br"),
        lambda: compressed_file(one, "br"), lambda: compressed_file(one, "gzip"),
    ),
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
        lambda: anomaly(kind="late", player=player()),
        lambda: (anomaly(kind="late", report=report()), anomaly(kind="no_members")),
    ),
    "anomaly_answer_has_text": lambda: after(
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
        publish(approved_list()), draft := approved_list(),
        second := revision(**signed()), lambda: publish(draft), lambda: publish(second),
    ),
    "list_one_draft_per_period": lambda: after(
        one := period(), rating_list(period=one),
        lambda: approved_list(period=one), lambda: rating_list(period=one, state="superseded"),
    ),
    "list_approved_by_someone": lambda: (
        lambda: rating_list(state="approved"), lambda: (approved_list(), rating_list(state="superseded")),
    ),
    "list_approved_by_another_than_its_importer": lambda: after(
        one := user(), lambda: approved_list(approved_by=one, imported_by=one), lambda: approved_list(imported_by=one),
    ),
    "list_published_with_two_signatures": lambda: after(
        draft := approved_list(), one := user(),
        lambda: publish(draft, approved_by=one, published_by=one), lambda: publish(draft),
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
    "ratingchange_columns_of_method": lambda: (
        lambda: change(**FIGURES_OF_A_CHANGE | {"delta_e4": None}), lambda: change(**FIGURES_OF_A_CHANGE),
    ),
    "ratingchange_counts_a_game": lambda: (lambda: change(games=0), lambda: change(games=1)),
}  # fmt: skip


def after(*steps):
    """The refused and the taken, after what has to be there first was made."""
    return steps[-2:]


def assigned_again():
    """The same role to the same account: while it holds, and after it ended."""
    holds, ended = assignment(), assignment(ended_at=INSTANT, ended_by=user())
    return tuple(lambda first=first: assignment(account=first.account) for first in (holds, ended))
