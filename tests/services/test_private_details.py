"""Private details of a report (Annex 9 art. 4.1.1 b, c, e) stay in the sidecar of its version, nowhere else."""

import pytest
from django.db import connection

from ratings.models import PublishedFile
from reporting.formats.tournament_details.sidecar import detail_values
from reporting.models import Message, ReportVersion, Role
from reporting.reports.services.correct_report import correct_report
from reporting.rules.details.known_details import private_details
from tests.services.report_helpers import person

pytestmark = pytest.mark.django_db(transaction=True)
OPENING = """fmjd_id rating games
    11 2000 100
    12 2000 100"""


def tables_with(word):
    """Tables of the database with a row that holds the word, as text or in bytes."""
    found = set()
    with connection.cursor() as cursor:
        cursor.execute(
            "select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
            " where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition"
            " and c.relname <> 'reporting_actingkey'"  # the owner's alone
        )
        for (table,) in cursor.fetchall():
            cursor.execute(
                f"select exists (select from public.{table} as t where t::text ~ %s)",
                [f"{word}|{word.encode().hex()}"],
            )
            if cursor.fetchone()[0]:
                found.add(table)
    return found


def test_no_message_file_log_entry_or_input_of_a_calculation_has_a_private_detail(office):
    """From the submission of a late report, with its message, to the published list with its files and digests."""
    office.opening(OPENING)
    late = {"received": "2026-02-16", "admitted_reason": "the post was on strike"}
    private = {name: f'"canary of {name}"' for name in private_details()}
    office.accept("Gouda Open", [11, 12], ["1 1 2 2-0"], **late, **private)
    office.run()
    assert Message.objects.count() >= 2
    assert PublishedFile.objects.count() > 3
    assert tables_with("Gouda Open") > {"reporting_message", "ratings_publishedfile", "reporting_resultset"}
    assert tables_with("canary") == {"reporting_reportversion"}
    version = ReportVersion.objects.get()
    assert b"canary" in bytes(version.sidecar)
    assert "canary" not in str(version.findings)
    assert "canary" not in str(version.results)


def test_a_correction_by_others_begins_without_private_details(office):
    """The national official of the federation corrects the referee's report; the referee keeps what was said."""
    office.register(11, 12)
    private = {"referee_contacts": '"canary@example.org"'}
    report = office.accept("Spring Open", [11, 12], ["1 1 2 2-0"], **private)
    official = person("Official", Role.NATIONAL_OFFICIAL)
    official.user.federation_id = "NED"
    official.user.save()
    begun = {by: correct_report(report=report, by=by) for by in (official, office.referee, office.director)}
    details = {by: detail_values(bytes(draft.versions.get().sidecar)) for by, draft in begun.items()}
    assert "referee_contacts" not in details[official]
    assert details[official]["corrects"] == report.result_set.code
    assert details[office.referee]["referee_contacts"] == "canary@example.org"
    assert details[office.director]["referee_contacts"] == "canary@example.org"
