"""The summary of a refused form, first on its page and with the focus: what needs attention, with links to the fields.

The `form` or the `forms` of a page give it; rows that render their own inputs give `invalid_fields`.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django import template
from django.forms import BaseForm, BoundField
from django.forms.renderers import DjangoTemplates
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from reporting.rules.findings.finding_list import Finding, Severity

MOST_LINKS = 20

register = template.Library()


class InvalidField(NamedTuple):
    """A field that was refused: the id to link to, its label, and its message; of the whole form without a label."""

    id: str
    label: str
    message: str


def fields_of_findings(form: BaseForm, findings: Sequence[Finding]) -> list[InvalidField]:
    """The fields of a form with an error among the findings, in the order of the form."""
    return [
        InvalidField(form[found.field].id_for_label, str(form[found.field].label), found.message)
        for name in form.fields
        for found in findings
        if found.field == name and found.severity is Severity.ERROR
    ]


def fields_of_boxes(form: BaseForm, name: str, values: Sequence[object]) -> list[InvalidField]:
    """The errors of a choice whose boxes are in the rows of a table, with the ids `name-value`: at the first box."""
    label = str(form.fields[name].label or "")
    return [
        InvalidField(f"{name}-{values[0]}", label, str(error))
        for error in form.errors.get(name, ())
        if values
    ]


class MarkedField(BoundField):
    """A field that knows whether the page shows it as invalid: no link leads to one that is not shown."""

    is_marked = False

    def build_widget_attrs(self, attrs: dict[str, Any], widget: Any = None) -> dict[str, Any]:
        """Return the attributes of the input, and remember the mark."""
        attrs = super().build_widget_attrs(attrs, widget)
        self.is_marked = "aria-invalid" in attrs
        return attrs


class FormRenderer(DjangoTemplates):
    """The renderer of all forms."""

    bound_field_class = MarkedField


@register.simple_block_tag(takes_context=True, end_name="end_error_summary")
def error_summary(context: Context, content: str) -> SafeString:
    """The content, after a summary of its refused fields if it answers a sent form: a POST, or an `is_refused_query`.

    The summary takes the focus when the page is loaded or swapped in, unless the page `keeps_focus` in a field.
    """
    shown = mark_safe(content)  # noqa: S308 (rendered by the templates inside the tag)
    request = context.get("request")
    is_sent = request is not None and (request.method == "POST" or context.get("is_refused_query"))
    fields = [*_invalid_fields(context)] if is_sent else []
    if not fields:
        return shown
    values = {
        "fields": fields[:MOST_LINKS],
        "number": len(fields),
        "more": len(fields[MOST_LINKS:]),
        "takes_focus": not context.get("keeps_focus"),
    }
    return render_to_string("parts/error_summary.html", values) + shown


@register.simple_tag(takes_context=True)
def invalid(context: Context, address: str, hint: str = "") -> SafeString:
    """The attributes of an input with this id, whose page renders it: its hint, and its mark if it was refused."""
    is_refused = any(field.id == address for field in context.get("invalid_fields") or ())
    described = " ".join(filter(None, (hint, f"{address}-message" if is_refused else "")))
    mark = SafeString(' aria-invalid="true"' if is_refused else "")
    return format_html('{} aria-describedby="{}"', mark, described) if described else mark


@register.simple_tag(takes_context=True)
def invalid_message(context: Context, address: str) -> SafeString:
    """The message below an input with the attributes of `invalid`."""
    refused = [field for field in context.get("invalid_fields") or () if field.id == address]
    return format_html_join(
        "",
        '<p class="field__message" id="{}-message">{}</p>',
        ((field.id, field.message) for field in refused),
    )


def _invalid_fields(context: Context) -> Iterator[InvalidField]:
    for form in (context.get("form"), *(context.get("forms") or ())):
        if not isinstance(form, BaseForm):
            continue
        for error in form.non_field_errors():
            first = next((field.id_for_label for field in form.visible_fields()), "main")
            yield InvalidField(first, "", str(error))
        for field in form:
            if isinstance(field, MarkedField) and field.is_marked:
                # A choice of boxes has no id of its own: the link leads to its first box.
                address = field.id_for_label or f"{field.auto_id}_0"
                label = field.field.widget.attrs.get("aria-label", field.label)
                yield InvalidField(address, label, " ".join(map(str, field.errors)))
    yield from context.get("invalid_fields") or ()
