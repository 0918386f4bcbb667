"""Rows as the constraints take them, one function a table; what is given replaces a value."""

from datetime import UTC, date, datetime, timedelta
from itertools import count

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from ratings import models as ratings
from reporting import models as reporting
from tests.people import create_player

NUMBERS = count(1)
INSTANT = datetime(2026, 4, 1, 12, tzinfo=UTC)


def user(**values):
    return reporting.User.objects.create(
        **{"email": f"person{next(NUMBERS)}@example.org", "name": "Person"} | values
    )


def assignment(**values):
    """Of a referee, given by another person, or as the values say; it holds."""
    return reporting.RoleAssignment.objects.create(
        **{"role": "referee", "confirmed_at": INSTANT}
        | {key: values.pop(key, None) or user() for key in ("account", "assigned_by")}
        | values
    )


def player(**values):
    reporting.Federation.objects.get_or_create(code="NED", name="Netherlands")
    fields = {"last_name": "Player", "sort_name": "player, ", "federation_id": "NED"} | values
    return create_player(next(NUMBERS), **fields)


def tournament(**values):
    """What a report says of a tournament, whose code may be given."""
    number = next(NUMBERS)
    played = {
        "name": "Open", "played_from": date(2026, 4, 1), "played_to": date(2026, 4, 3), "discipline": "100",
    }  # fmt: skip
    code = values.pop("code", f"2026-open-{number}")
    made = reporting.Tournament.objects.get_or_create(code=code, defaults=played)[0]
    return reporting.ResultSet.objects.create(
        **{**played, "counting_day": played["played_to"], "tournament": made, "number": number}
        | {"seconds_for_60_moves": 6600, "system": "swiss"}
        | values
    )


def report(**values):
    return reporting.Report.objects.create(**{"submitted_by": user()} | values)


def version(**values):
    values["report"] = values.get("report") or report()
    made = {
        "number": 1, "filename": "a", "content": b"a", "sha256": "a", "format": "fmjd", "encoding": "utf-8",
    }  # fmt: skip
    return reporting.ReportVersion.objects.create(
        **made | {"created_by": values["report"].submitted_by} | values
    )


def pool():
    return ratings.Pool.objects.get(code="fmjd-64")


def period(**values):
    """The second quarter of 2026: played from 16 March to 15 June, frozen from 23 June."""
    return ratings.Period.objects.create(
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
    return ratings.RatingList.objects.create(
        **{
            "pool": pool(), "system": "fmjd", "in_force": date(2026, 7, 1), "closing": date(2026, 6, 15), "revision": 1,
            "edition": "annex-9-2024-04", "input_sha256": "1" * 64, "sha256": "2" * 64, "is_opening": True,
        }
        | values
    )  # fmt: skip


def signed():
    return {"state": "approved", "approved_by": user(), "approved_at": INSTANT, "approved_sha256": "2" * 64}


def approved_list(**values):
    return rating_list(**signed() | values)


def approve(draft):
    ratings.RatingList.objects.filter(pk=draft.pk).update(
        state="approved", approved_by=user(), approved_at=INSTANT, approved_sha256=F("sha256")
    )


def publish(draft, **values):
    signatures = {
        "state": "published", "approved_by": user(), "approved_at": INSTANT, "approved_sha256": draft.sha256,
        "published_by": user(), "published_sha256": draft.sha256, "published_at": INSTANT,
    }  # fmt: skip
    ratings.RatingList.objects.filter(pk=draft.pk).update(**signatures | values)


def past_quarters(**values):
    made = {
        "pool": pool(), "first": date(2026, 4, 1), "last": date(2026, 4, 1), "reason": "a test",
        "confirmed_by": user(),
    }  # fmt: skip
    return ratings.PastQuarters.objects.create(**made | values)


def source_import_part(**values):
    """A part of the upload given, else of one of its own."""
    made = {"kind": "", "in_force": date(2026, 4, 1), "filename": "list.zip", "size": 1}
    upload = values.pop("upload", None) or ratings.SourceImport.objects.create(
        source=f"source{next(NUMBERS)}", requested_by=user(), **made
    )
    return ratings.SourceImportPart.objects.create(
        **{"upload": upload, "number": 0, "content": b"a"} | values
    )


def list_values(**values):
    made = {"pool": pool(), "in_force": date(2026, 7, 1), "rows": [[2010, 1100]], "set_by": user()}
    return ratings.ListValues.objects.create(**made | values)


def correction(**values):
    values["replaces"] = values.get("replaces") or rating_list(state="superseded")
    return ratings.Correction.objects.create(**{"reason": "a wrong result", "requested_by": user()} | values)


def revision(**values):
    """A draft of the second revision, by a correction of its own unless one is given."""
    return rating_list(
        **{"revision": 2, "correction": values.pop("correction", None) or correction()} | values
    )


def manifest_line(**values):
    values["period"] = values.get("period") or period(**frozen())
    values["result_set"] = values.get("result_set") or tournament()
    known = reporting.Report.objects.filter(result_set=values["result_set"], state="accepted").first()
    values.setdefault("version", (known or accepted(result_set=values["result_set"])).accepted_version)
    return ratings.PeriodReport.objects.create(**values)


def carried(draft, one):
    ratings.CarriedDifference.objects.create(list=draft, player=one, rating=1, games=0)


def anomaly(**values):
    values["list"] = values.get("list") or rating_list()
    return ratings.Anomaly.objects.create(**{"kind": "jump"} | values)


# --- published lists and corrections, by the accounts of the web and the worker

# The web has guards of its own in front of these: test_acting_roles.py.
accounts = pytest.mark.parametrize(
    "account",
    [pytest.param(role, marks=pytest.mark.database_role(role)) for role in ("worker", "owner")],
)


def published_with(*tournaments, the_period=None):
    """A published list, its period, and the freeze's manifest of these tournaments."""
    one = the_period or period(**frozen())
    for event in tournaments:
        manifest_line(period=one, result_set=event)
    draft = approved_list(period=one, in_force=one.in_force, closing=one.closing, is_opening=False)
    publish(draft)
    set_state(one, "published")
    return one, draft


def set_state(one, state):
    ratings.Period.objects.filter(pk=one.pk).update(state=state)


def invitation(**values):
    return reporting.Invitation.objects.create(account=user(), invited_by=user(), sent_at=INSTANT, **values)


def announcement(**values):
    reporting.Federation.objects.get_or_create(code="NED", name="Netherlands")
    return reporting.Tournament.objects.create(
        **{
            "name": "Open", "country_id": "NED", "played_from": INSTANT.date(), "played_to": INSTANT.date(),
            "discipline": "100", "time_control": "80+30", "announced_on": INSTANT.date(), "announced_by": user(),
        }
        | values
    )  # fmt: skip


def identity(**values):
    values["player"] = values.get("player") or player()
    return reporting.PlayerIdentity.objects.create(**{"register": "fide", "number": "7"} | values)


def title(**values):
    values["player"] = values.get("player") or player()
    return reporting.PlayerTitle.objects.create(
        **{"awarded_by": "fmjd", "discipline": "100", "title": "MF"} | values
    )


def membership(**values):
    return reporting.FederationMembership.objects.create(**{"federation_id": "NED"} | values)


def club_membership(**values):
    values["player"] = values.get("player") or player()
    values["table"] = values.get("table") or reporting.MembershipTable.objects.create(
        register="knsb", filename="x", sha256="x", imported_by=user()
    )
    return reporting.ClubMembership.objects.create(
        **{"club": "020032", "member_from": date(2026, 3, 1)} | values
    )


def merge(**values):
    ends = {
        "duplicate": values.pop("duplicate", None) or player(),
        "surviving": values.pop("surviving", None) or player(),
    }
    return reporting.PlayerMerge.objects.create(**{"reason": "one", "merged_by": user()} | ends | values)


def submitted(**values):
    return report(
        **{"state": "submitted", "result_set": tournament(), "first_submitted_at": INSTANT} | values
    )


def accepted(**values):
    """A report with an accepted version of its own, by a step, or as the values say."""
    if "accepted_version" in values:
        return submitted(**{"state": "accepted"} | values)
    one = submitted(**values)
    one.accepted_version, one.state = version(report=one), "accepted"
    step(version=one.accepted_version)
    one.save()
    return one


def step(**values):
    return reporting.ReportStep.objects.create(**{"move": "accept", "by": user()} | values)


def answer(**values):
    given = {"finding": 0, "text": "so it is", "by": user()}
    return reporting.WarningComment.objects.create(**given | values)


def remark(**values):
    said = {"text": "so it is", "by": user()} | values
    return reporting.ReviewRemark.objects.create(version=version(), **said)


def note(**values):
    said = {"text": "so it is", "from_office": True, "by": user()} | values
    return reporting.ReportNote.objects.create(report=submitted(), **said)


def look_alike_decision(**values):
    decided = {
        "tournament": tournament().tournament, "is_correction": False, "reason": "group B", "by": user(),
    } | values  # fmt: skip
    return reporting.LookAlikeDecision.objects.create(version=version(), **decided)


def tournament_decision(**values):
    decided = {
        "tournament": tournament().tournament, "item": "official", "value": "yes", "by": user(),
    } | values  # fmt: skip
    return reporting.TournamentDecision.objects.create(**decided)


def mail_opt_out(**values):
    """By a new person, of late reports, or as the values say."""
    return reporting.MailOptOut.objects.create(
        **{"account": values.get("account") or user(), "kind": "report_late"} | values
    )


def named_official(**values):
    """A new person, or as the values say."""
    account = values.get("account") or user()
    role = values.get("assignment") or assignment(account=account, role="national_official")
    return reporting.NamedOfficial.objects.create(account=account, assignment=role)


def api_token(**values):
    """Of a new person, for a month, or as the values say."""
    columns = {
        "account": values.get("account") or user(), "name": "x", "scopes": ["reports:read"], "start": "ro_abcd",
    }  # fmt: skip
    digest = f"{reporting.ApiToken.objects.count():064x}"
    expires = {"secret_sha256": digest, "expires_at": timezone.now() + timedelta(days=30)}
    return reporting.ApiToken.objects.create(**columns | expires | values)


def api_answer(**values):
    columns = {
        "account": values.get("account") or user(), "key": "x", "request_sha256": "0" * 64, "status": 200,
    }  # fmt: skip
    return reporting.ApiAnswer.objects.create(**columns | {"answer": "{}"} | values)


def message(**values):
    columns = {"kind": "report_accepted", "about": "/reports/7/", "title": "x", "text": "x"} | values
    return reporting.Message.objects.create(
        **{"recipient": columns.pop("recipient", None) or user()} | columns
    )


def asked(**values):
    sender = {"error_description": "2000 is wrong", "name": "Vera", "email": "vera@example.org"}
    return reporting.CorrectionRequest.objects.create(
        **{"figure": "rating", "player": player()} | sender | values
    )


def said(**values):
    columns = {"kind": "question", "text": "Why?", "by": user()} | values
    return reporting.RequestEntry.objects.create(correction_request=asked(), **columns)


def answered(**values):
    return said(**{"kind": "answer", "outcome": "unchanged", "basis": "R9"} | values)


def entry(**values):
    if "player" not in values:
        values["player"] = player()
    return reporting.Entry.objects.create(**{"number": next(NUMBERS), "reported_name": "Player"} | values)


def game(**values):
    event = tournament()
    white, black = entry(result_set=event), entry(result_set=event)
    made = {
        "result_set": event, "round": 1, "white": white, "black": black, "white_points": 2, "black_points": 0,
    }  # fmt: skip
    values = {key: white if value == "white" else value for key, value in values.items()}
    return reporting.Game.objects.create(**made | {"played": True} | values)


def public_change(**values):
    """Of a list, or as the values say; of an entry of its own."""
    entry = reporting.LogEntry.objects.create(actor=user(), action="list.publish", subject="x")
    about = {} if {"player", "tournament", "page"} & {*values} else {"list": rating_list()}
    columns = {"number": 1 + ratings.PublicChange.objects.count(), "at": INSTANT, "event": "list.published"}
    return ratings.PublicChange.objects.create(**{"entry": entry} | columns | about | values)


def webhook(**values):
    """Of a token of its own, or as the values say."""
    token = values.get("token") or api_token()
    columns = {
        "account": token.account, "token": token, "url": "https://receiver.example/", "secret": "x", "queued": 0,
    }  # fmt: skip
    return ratings.Webhook.objects.create(**columns | values)


def delivery(**values):
    return ratings.WebhookDelivery.objects.create(**{"webhook": values.get("webhook") or webhook()} | values)


def compressed_file(file, encoding):
    ratings.CompressedFile.objects.create(file=file, encoding=encoding, content=b"")


def published_file(draft, name="figures.csv"):
    ratings.PublishedFile.objects.create(
        list=draft, name=name, content=b"", sha256="", size=0, has_names=False
    )


def run(**values):
    return ratings.CalculationRun.objects.create(**{"requested_by": user()} | values)


def list_row(*rows, sealed=False, **values):
    """Rows of a fresh draft, as a calculation writes them: into the table that becomes its partition."""
    fill("fmjd_listrow", sealed, [
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
        "player_id": None, "sequence": 0, "result_set_id": event.pk, "basis_list_id": basis.pk,
        "method": "provisional", "own_e4": None, "own_is_running": False, "before_e4": None, "games_before": 0,
        "games": 1, "unrated_games": 0, "opponents_sum": 2000, "average_e4": 20_000_000, "points": 1,
        "performance_e4": 20_000_000, "performance_limited": False, "after_e4": 20_000_000,
        "first_game": date(2026, 4, 1), "last_game": date(2026, 4, 3),
        **dict.fromkeys(("expected_percentage_e4", "expected_score_e4", "k", "development", "delta_e4")),
    }  # fmt: skip
    fill("fmjd_change", False, [provisional | values])


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
