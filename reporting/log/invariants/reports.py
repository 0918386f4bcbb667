"""Statements about reports, their versions and requests."""

from django.utils.translation import gettext_noop as _

from reporting.log.invariants.registry import Invariant


def statements() -> tuple[Invariant, ...]:
    return (
        Invariant(
            "versions-without-gaps",
            _("The versions of a report are numbered from 1 without gaps."),
            """
            SELECT v.id FROM reporting_reportversion v
            WHERE v.number <> 1 AND NOT EXISTS (
                SELECT FROM reporting_reportversion before
                WHERE before.report_id = v.report_id AND before.number = v.number - 1)
            """,
        ),
        Invariant(
            "report-has-a-version",
            _("Each report has a version."),
            """
            SELECT r.id FROM reporting_report r LEFT JOIN reporting_reportversion v ON v.report_id = r.id
            WHERE v.id IS NULL
            """,
        ),
        Invariant(
            "version-has-its-digest",
            _("A version is the file whose SHA-256 is stored with it."),
            "SELECT id FROM reporting_reportversion WHERE sha256 <> encode(sha256(content), 'hex')",
        ),
        Invariant(
            "version-counts-its-findings",
            _("A version counts the errors and warnings that were found in it."),
            """
            SELECT v.id FROM reporting_reportversion v WHERE (v.errors, v.warnings) <> (
                SELECT count(*) FILTER (WHERE found ->> 'severity' = 'error'),
                       count(*) FILTER (WHERE found ->> 'severity' = 'warning')
                FROM jsonb_array_elements(v.findings) AS found)
            """,
        ),
        Invariant(
            "accepted-version-of-its-report",
            _("The accepted version of a report is one of its own versions."),
            """
            SELECT r.id FROM reporting_report r JOIN reporting_reportversion v ON v.id = r.accepted_version_id
            WHERE v.report_id <> r.id
            """,
        ),
        Invariant(
            "accepted-by-a-step",
            _("The accepted version of an accepted report has been accepted by a person."),
            """
            SELECT r.id FROM reporting_report r
            WHERE r.state = 'accepted' AND NOT EXISTS (
                SELECT FROM reporting_reportstep s JOIN reporting_reportversion v ON v.id = s.version_id
                WHERE s.version_id = r.accepted_version_id AND s.move = 'accept' AND v.report_id = r.id)
              AND EXISTS (SELECT FROM reporting_reportversion v
              WHERE v.id = r.accepted_version_id AND v.report_id = r.id)
            """,
        ),
        Invariant(
            "accepted-by-another-than-its-referee",
            _("No one accepts a report that they began or submitted."),
            """
            SELECT s.id FROM reporting_reportstep s
            JOIN reporting_reportversion v ON v.id = s.version_id JOIN reporting_report r ON r.id = v.report_id
            WHERE s.move = 'accept' AND (s.by_id = r.submitted_by_id OR EXISTS (
                SELECT FROM reporting_reportstep own
                WHERE own.version_id = s.version_id AND own.move = 'submit' AND own.by_id = s.by_id))
            """,
        ),
        Invariant(
            "submitted-by-a-step",
            _("A report that the office has, or has decided about, was submitted."),
            """
            SELECT r.id FROM reporting_report r
            WHERE r.state NOT IN ('draft', 'withdrawn') AND NOT EXISTS (
                SELECT FROM reporting_reportstep s JOIN reporting_reportversion v ON v.id = s.version_id
                WHERE v.report_id = r.id AND s.move = 'submit')
            """,
        ),
        Invariant(
            "comment-on-a-warning",
            _("A comment on a warning is about a warning of its version."),
            """
            SELECT c.id FROM reporting_warningcomment c JOIN reporting_reportversion v ON v.id = c.version_id
            WHERE v.findings -> c.finding::integer ->> 'severity' IS DISTINCT FROM 'warning'
            """,
        ),
        Invariant(
            "each-warning-commented",
            _("Each warning of an accepted version has a comment."),
            """
            SELECT r.id FROM reporting_report r JOIN reporting_reportversion v ON v.id = r.accepted_version_id
            WHERE r.state = 'accepted' AND EXISTS (
                SELECT FROM jsonb_array_elements(v.findings) WITH ORDINALITY AS found (data, place)
                WHERE data ->> 'severity' = 'warning' AND NOT EXISTS (
                    SELECT FROM reporting_warningcomment c WHERE c.version_id = v.id AND c.finding = place - 1))
            """,
        ),
        Invariant(
            "one-accepted-report",
            _("A result set has one accepted report at most."),
            """
            SELECT min(id) FROM reporting_report WHERE state = 'accepted' GROUP BY result_set_id HAVING count(*) > 1
            """,
        ),
        Invariant(
            "correction-of-its-tournament",
            _("A submitted correction is a later revision of the tournament that it corrects."),
            """
            SELECT r.id FROM reporting_report r JOIN reporting_resultset s ON s.id = r.result_set_id
            WHERE r.state NOT IN ('draft', 'withdrawn') AND r.corrects_code IS NOT NULL
              AND (s.code <> r.corrects_code OR s.revision = 0)
            """,
        ),
        Invariant(
            "request-answered",
            _("An answered request has an answer as its newest entry."),
            """
            SELECT q.id FROM reporting_correctionrequest q WHERE (q.state = 'answered') <> coalesce((
                SELECT e.kind = 'answer' FROM reporting_requestentry e
                WHERE e.correction_request_id = q.id ORDER BY e.id DESC LIMIT 1
            ), false)
            """,
        ),
    )
