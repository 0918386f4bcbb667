"""What pages say of a report: its format, its encoding, the numbers of its findings."""

from django import template
from django.db.models import TextChoices
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from reporting.models import Report
from reporting.rules.findings.finding_list import FindingCounts
from reporting.rules.report import ENCODINGS
from reporting.templatetags.dates import number

register = template.Library()


class ReportFormat(TextChoices):
    """The formats of reports by their keys, as docs/reference/report-formats.md names them."""

    FMJD = "fmjd", _("Annex 9 art. 11")
    TRF16 = "trf16", "TRF16"
    TRF26 = "trf26", "TRF26"
    DRAUGHTS_ARBITER = "draughts-arbiter", "Draughts Arbiter"
    TOERNOOIBASE = "toernooibase", "toernooibase"
    SPREADSHEET = "spreadsheet", _("spreadsheet template")
    TABLE_FORM = "table-form", _("table format")


@register.filter
def format_label(key: str) -> str:
    """What a reader calls the format of a report: `spreadsheet` is `spreadsheet template`."""
    return str(ReportFormat(key).label) if key in ReportFormat.values else key


@register.simple_tag
def finding_counts(counts: FindingCounts, report: Report | None = None) -> SafeString:
    """`2 errors, 68 people to identify, 5 details missing, 1 warning`; of a report with links to its steps."""
    texts = (
        ("", ngettext("%(n)s error", "%(n)s errors", counts.errors), counts.errors),
        (
            "report-people",
            ngettext("%(n)s person to identify", "%(n)s people to identify", counts.people),
            counts.people,
        ),
        (
            "report-details",
            ngettext("%(n)s detail missing", "%(n)s details missing", counts.missing),
            counts.missing,
        ),
        ("", ngettext("%(n)s warning", "%(n)s warnings", counts.warnings), counts.warnings),
    )
    parts = [
        format_html('<a href="{}">{}</a>', reverse(page, args=[report.pk]), text % {"n": number(count)})
        if page and report
        else escape(text % {"n": number(count)})
        for page, text, count in texts
        if count
    ]
    return format_html_join(
        ", ", "{}", ((part,) for part in parts or [escape(gettext("No errors, no warnings"))])
    )


@register.filter
def encoding_label(key: str) -> str:
    """What a reader calls an encoding: `cp1251` is `Cyrillic (Windows-1251)`."""
    return gettext(ENCODINGS[key]) if key in ENCODINGS else key.upper()
