"""Statements about published lists, their files, and the feed of changes."""

from django.utils.translation import gettext_noop as _

from reporting.log.invariants.registry import Invariant


def statements() -> tuple[Invariant, ...]:
    return (
        Invariant(
            "list-signed-by-two",
            _("A published list is approved by one person and published by another."),
            """
            SELECT id FROM ratings_ratinglist
            WHERE state = 'published' AND (approved_by_id IS NULL OR published_by_id IS NULL
                OR approved_by_id = published_by_id)
            """,
        ),
        Invariant(
            "list-signed-as-it-is",
            _("Both signatures of a published list name its SHA-256."),
            """
            SELECT id FROM ratings_ratinglist
            WHERE state = 'published' AND (approved_sha256 <> sha256 OR published_sha256 <> sha256)
            """,
        ),
        Invariant(
            "list-approved-by-another-than-its-importer",
            _("Who uploaded the table of an opening list does not approve it."),
            "SELECT id FROM ratings_ratinglist WHERE approved_by_id = imported_by_id",
        ),
        Invariant(
            "list-approved-before-it-is-published",
            _("A list is calculated before it is approved, and approved before it is published."),
            """
            SELECT id FROM ratings_ratinglist
            WHERE state = 'published' AND NOT (calculated_at <= approved_at AND approved_at <= published_at)
            """,
        ),
        Invariant(
            "list-rests-on-a-published-list",
            _("The list before a published list is a published list of its pool, of its day or before."),
            """
            SELECT l.id FROM ratings_ratinglist l LEFT JOIN ratings_ratinglist before ON before.id = l.previous_id
                AND before.state = 'published' AND before.pool_id = l.pool_id AND before.in_force <= l.in_force
            WHERE l.state = 'published' AND l.previous_id IS NOT NULL AND before.id IS NULL
            """,
        ),
        Invariant(
            "list-names-the-digest-before",
            _("A published list names the SHA-256 of the list before it."),
            """
            SELECT l.id FROM ratings_ratinglist l LEFT JOIN ratings_ratinglist before ON before.id = l.previous_id
            WHERE l.state = 'published' AND l.previous_sha256 <> coalesce(before.sha256, '')
            """,
        ),
        Invariant(
            "list-has-its-figures-file",
            _("A published list has a figures file of its SHA-256."),
            """
            SELECT l.id FROM ratings_ratinglist l LEFT JOIN ratings_publishedfile f
                ON f.list_id = l.id AND f.name = 'figures.csv' AND f.sha256 = l.sha256
            WHERE l.state = 'published' AND f.id IS NULL
            """,
        ),
        Invariant(
            "file-has-its-digest",
            _("A file of a list has the SHA-256 and the size that are stored with it."),
            """
            SELECT id FROM ratings_publishedfile
            WHERE size <> length(content) OR size > 0 AND sha256 <> encode(sha256(content), 'hex')
               OR size = 0 AND NOT has_names
            """,
        ),
        Invariant(
            "changes-without-gaps",
            _("The feed of changes is numbered from 1 without gaps."),
            """
            SELECT number FROM ratings_publicchange c
            WHERE number <> 1 AND NOT EXISTS (SELECT FROM ratings_publicchange b WHERE b.number = c.number - 1)
            """,
        ),
        Invariant(
            "statements-without-gaps",
            _("The signed history is numbered from 1 without gaps."),
            """
            SELECT number FROM ratings_signedstatement s
            WHERE number <> 1 AND NOT EXISTS (SELECT FROM ratings_signedstatement b WHERE b.number = s.number - 1)
            """,
        ),
        Invariant(
            "list-read-published-lists",
            _("A published list is calculated from published lists of its day or before."),
            """
            SELECT l.id FROM ratings_ratinglist l, unnest(l.input_lists) AS input (list)
            LEFT JOIN ratings_ratinglist read ON read.id = input.list AND read.state = 'published'
            WHERE l.state = 'published' AND (read.id IS NULL OR read.in_force > l.in_force)
            """,
        ),
        Invariant(
            "list-read-other-pools",
            _("A list is calculated from published lists of earlier days of other pools of its system."),
            """
            SELECT l.id FROM ratings_ratinglist l, unnest(l.other_lists) AS input (list)
            LEFT JOIN ratings_ratinglist read ON read.id = input.list AND read.state = 'published'
            WHERE read.id IS NULL OR read.in_force >= l.in_force OR read.system <> l.system OR read.pool_id = l.pool_id
            """,
        ),
        Invariant(
            "list-read-sources",
            _("A list is calculated from imported lists of sources of its day or before."),
            """
            SELECT l.id FROM ratings_ratinglist l, unnest(l.source_lists) AS input (list)
            LEFT JOIN ratings_sourcelist read ON read.id = input.list
            WHERE read.id IS NULL OR read.in_force > l.in_force
            """,
        ),
        Invariant(
            "list-of-the-system-of-its-pool",
            _("A list has the rating system of its pool."),
            """
            SELECT l.id FROM ratings_ratinglist l LEFT JOIN ratings_pool p ON p.id = l.pool_id
            WHERE p.system IS DISTINCT FROM l.system
            """,
        ),
        Invariant(
            "list-counts-known-decisions",
            _("The decisions on tournaments that a list counts exist."),
            """
            SELECT l.id FROM ratings_ratinglist l, unnest(l.decisions) AS counted (decision)
            LEFT JOIN reporting_tournamentdecision d ON d.id = counted.decision WHERE d.id IS NULL
            """,
        ),
        Invariant(
            "list-read-with-known-merges",
            _("The merges that a list is read with exist."),
            """
            SELECT l.id FROM ratings_ratinglist l, unnest(l.merges) AS read (merge)
            LEFT JOIN reporting_playermerge m ON m.id = read.merge WHERE m.id IS NULL
            """,
        ),
        Invariant(
            "carried-from-an-earlier-list",
            _("A list carries the difference of a correction of an earlier list of its pool."),
            """
            SELECT c.id FROM ratings_carriedcorrection c JOIN ratings_ratinglist l ON l.id = c.list_id
            LEFT JOIN ratings_correction k ON k.id = c.correction_id
            LEFT JOIN ratings_ratinglist corrected ON corrected.id = k.replaces_id
                AND corrected.pool_id = l.pool_id AND corrected.in_force < l.in_force
            WHERE corrected.id IS NULL
            """,
        ),
        Invariant(
            "list-has-its-files",
            _("A published list has its files as CSV, JSON, text and workbook."),
            """
            SELECT l.id FROM ratings_ratinglist l
            WHERE l.state = 'published' AND 4 <> (
                SELECT count(*) FROM ratings_publishedfile f
                WHERE f.list_id = l.id AND f.name IN ('list.csv', 'list.json', 'list.txt', 'list.xlsx'))
            """,
        ),
        Invariant(
            "compressed-file-of-content",
            _("Only a file with content is stored compressed."),
            """
            SELECT c.id FROM ratings_compressedfile c
            LEFT JOIN ratings_publishedfile f ON f.id = c.file_id AND f.size > 0 WHERE f.id IS NULL
            """,
        ),
        Invariant(
            "publication-in-the-log",
            _("The log says who published a list."),
            """
            SELECT l.id FROM ratings_ratinglist l JOIN ratings_pool p ON p.id = l.pool_id
            WHERE l.state = 'published' AND NOT EXISTS (
                SELECT FROM reporting_logentry e
                WHERE e.action = 'list.publish' AND e.actor_id = l.published_by_id
                  AND e.subject = 'list ' || p.code || '/' || to_char(l.in_force, 'YYYY-MM-DD'))
            """,
        ),
        Invariant(
            "publication-in-the-feed",
            _("The feed of changes has each published list, once it has read the whole log."),
            """
            SELECT l.id FROM ratings_ratinglist l
            WHERE l.state = 'published' AND NOT EXISTS (SELECT FROM ratings_unreadentry) AND NOT EXISTS (
                SELECT FROM ratings_publicchange c
                WHERE c.list_id = l.id AND c.event IN ('list.published', 'list.corrected'))
            """,
        ),
        Invariant(
            "change-of-the-log",
            _("Each change of the feed has an entry of the log, of the same moment."),
            """
            SELECT c.number FROM ratings_publicchange c
            LEFT JOIN reporting_logentry e ON e.id = c.entry_id AND e.at = c.at WHERE e.id IS NULL
            """,
        ),
        Invariant(
            "change-of-a-published-list",
            _("A list of which the feed tells is published."),
            """
            SELECT c.number FROM ratings_publicchange c
            LEFT JOIN ratings_ratinglist l ON l.id = c.list_id AND l.state = 'published'
            WHERE c.event IN ('list.published', 'list.corrected') AND l.id IS NULL
            """,
        ),
        Invariant(
            "statement-of-a-published-list",
            _("A list in the signed history is published."),
            """
            SELECT s.number FROM ratings_signedstatement s
            LEFT JOIN ratings_ratinglist l ON l.id = s.list_id AND l.state = 'published'
            WHERE s.list_id IS NOT NULL AND l.id IS NULL
            """,
        ),
    )
