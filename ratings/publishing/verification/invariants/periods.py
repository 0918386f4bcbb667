"""Statements about periods, their manifests, calculations and corrections."""

from django.utils.translation import gettext_noop as _

from reporting.log.invariants.registry import Invariant


def statements() -> tuple[Invariant, ...]:
    return (
        Invariant(
            "manifest-of-an-accepted-version",
            _("A line of a manifest is an accepted version of a report of its result set."),
            """
            SELECT m.id FROM ratings_periodreport m
            WHERE NOT EXISTS (
                SELECT FROM reporting_reportstep s JOIN reporting_reportversion v ON v.id = s.version_id
                JOIN reporting_report r ON r.id = v.report_id
                WHERE s.version_id = m.version_id AND s.move = 'accept' AND r.result_set_id = m.result_set_id)
            """,
        ),
        Invariant(
            "counted-report-stays-accepted",
            _("A result set that a published list counts has an accepted report."),
            """
            SELECT m.id FROM ratings_periodreport m
            JOIN ratings_ratinglist l ON l.period_id = m.period_id
              AND l.correction_id IS NOT DISTINCT FROM m.correction_id
            WHERE l.state = 'published' AND NOT EXISTS (
                SELECT FROM reporting_report r WHERE r.result_set_id = m.result_set_id AND r.state = 'accepted')
            """,
        ),
        Invariant(
            "manifest-ends-with-its-period",
            _("A result set in a manifest counts by a day on or before the closing date of the period."),
            """
            SELECT m.id FROM ratings_periodreport m
            JOIN ratings_period p ON p.id = m.period_id JOIN reporting_resultset s ON s.id = m.result_set_id
            WHERE s.counting_day > p.closing
            """,
        ),
        Invariant(
            "manifest-of-a-frozen-period",
            _("An open period has no manifest."),
            """
            SELECT m.id FROM ratings_periodreport m JOIN ratings_period p ON p.id = m.period_id WHERE p.state = 'open'
            """,
        ),
        Invariant(
            "manifest-counts-once",
            _("A manifest counts each part of a tournament once."),
            """
            SELECT min(m.id) FROM ratings_periodreport m JOIN reporting_resultset s ON s.id = m.result_set_id
            GROUP BY m.period_id, m.correction_id, s.code, s.part HAVING count(*) > 1
            """,
        ),
        Invariant(
            "manifest-of-its-correction",
            _("The manifest of a correction is of the period of the list that it replaces."),
            """
            SELECT m.id FROM ratings_periodreport m JOIN ratings_correction c ON c.id = m.correction_id
            JOIN ratings_ratinglist l ON l.id = c.replaces_id WHERE l.period_id IS DISTINCT FROM m.period_id
            """,
        ),
        Invariant(
            "published-period-has-its-list",
            _("A published period has a published list of its pool and day."),
            """
            SELECT p.id FROM ratings_period p
            LEFT JOIN ratings_ratinglist l ON l.period_id = p.id AND l.state = 'published' AND l.pool_id = p.pool_id
                AND l.in_force = p.in_force
            WHERE p.state IN ('published', 'correcting') AND l.id IS NULL
            """,
        ),
        Invariant(
            "list-of-a-published-period",
            _("The period of a published list is published, or its list is being corrected."),
            """
            SELECT l.id FROM ratings_ratinglist l JOIN ratings_period p ON p.id = l.period_id
            WHERE l.state = 'published' AND p.state NOT IN ('published', 'correcting')
            """,
        ),
        Invariant(
            "period-frozen-by-a-person",
            _("A period that is not open was frozen by someone."),
            """
            SELECT p.id FROM ratings_period p LEFT JOIN reporting_user u ON u.id = p.frozen_by_id
            WHERE p.state <> 'open' AND (u.id IS NULL OR p.frozen_at IS NULL)
            """,
        ),
        Invariant(
            "periods-apart",
            _("No two periods of a pool have a moment in common."),
            """
            SELECT p.id FROM ratings_period p
            JOIN ratings_period other ON other.pool_id = p.pool_id AND other.id <> p.id
            WHERE (p.played_since, p.played_before) OVERLAPS (other.played_since, other.played_before)
            """,
        ),
        Invariant(
            "period-closes-before-its-list",
            _("A period closes before its list is in force."),
            "SELECT id FROM ratings_period WHERE closing >= in_force",
        ),
        Invariant(
            "calculation-of-its-period",
            _("A finished calculation has made a list of its period."),
            """
            SELECT r.id FROM ratings_calculationrun r
            LEFT JOIN ratings_ratinglist l ON l.id = r.list_id AND l.period_id = r.period_id
            WHERE r.state = 'done' AND l.id IS NULL
            """,
        ),
        Invariant(
            "list-of-a-calculation",
            _("Each list of a period was made by a calculation."),
            """
            SELECT l.id FROM ratings_ratinglist l LEFT JOIN ratings_calculationrun r ON r.list_id = l.id
            WHERE NOT l.is_opening AND r.id IS NULL
            """,
        ),
        Invariant(
            "revision-follows-the-one-it-replaces",
            _("A published revision replaces the published revision before it."),
            """
            SELECT l.id FROM ratings_ratinglist l
            LEFT JOIN ratings_correction c ON c.id = l.correction_id
            LEFT JOIN ratings_ratinglist replaced ON replaced.id = c.replaces_id AND replaced.state = 'published'
                AND (replaced.pool_id, replaced.in_force, replaced.revision) = (l.pool_id, l.in_force, l.revision - 1)
            WHERE l.state = 'published' AND l.revision > 1 AND replaced.id IS NULL
            """,
        ),
        Invariant(
            "correction-follows-an-earlier-list",
            _("A correction that follows another is of a later list of the same pool."),
            """
            SELECT c.id FROM ratings_correction c JOIN ratings_ratinglist l ON l.id = c.replaces_id
            JOIN ratings_correction first ON first.id = c.follows_id
            JOIN ratings_ratinglist earlier ON earlier.id = first.replaces_id
            WHERE earlier.pool_id <> l.pool_id OR earlier.in_force >= l.in_force
            """,
        ),
        Invariant(
            "anomaly-of-a-list",
            _("Each anomaly belongs to a list."),
            """
            SELECT a.id FROM ratings_anomaly a LEFT JOIN ratings_ratinglist l ON l.id = a.list_id WHERE l.id IS NULL
            """,
        ),
        Invariant(
            "anomaly-answered",
            _("Each anomaly of an approved or published list has an answer."),
            """
            SELECT a.id FROM ratings_anomaly a JOIN ratings_ratinglist l ON l.id = a.list_id
            LEFT JOIN ratings_anomalyanswer answer ON answer.anomaly_id = a.id
            WHERE l.state IN ('approved', 'published') AND answer.id IS NULL
            """,
        ),
    )
