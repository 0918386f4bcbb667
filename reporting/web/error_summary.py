"""The summary of a refused form, first on its page and with the focus: what needs attention, with links to the fields.

It lists what the page itself marks: each field with `aria-invalid`, its label, and its message by `aria-describedby`.
So forms, rows of a table and fields of a grid need no list of their own, and no link leads to a field that is not
shown.
"""

from html.parser import HTMLParser
from typing import NamedTuple
from xml.etree.ElementTree import Element, TreeBuilder

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

MOST_LINKS = 20
MARK = 'aria-invalid="true"'
FIELDS = frozenset({"input", "select", "textarea"})
WITHOUT_END = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})

register = template.Library()


class InvalidField(NamedTuple):
    """A field as a page marks it: the id to link to, its label, and its message or ""."""

    id: str
    label: str
    message: str


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.builder = TreeBuilder()
        self.open = ["main"]
        self.builder.start("main", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.builder.start(tag, {name: value or "" for name, value in attrs})
        self.open.append(tag)
        if tag in WITHOUT_END:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open[1:]:
            while (ended := self.open.pop()) != tag:
                self.builder.end(ended)
            self.builder.end(tag)

    def handle_data(self, data: str) -> None:
        self.builder.data(data)

    def tree(self) -> Element:
        self.close()
        for tag in reversed(self.open):
            self.builder.end(tag)
        return self.builder.close()


def _text(element: Element | None) -> str:
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def _tree(content: str) -> Element:
    parser = _Tree()
    parser.feed(content)
    return parser.tree()


def _has_focus(tree: Element) -> bool:
    return any("autofocus" in element.attrib for element in tree.iter() if element.tag in FIELDS)


def invalid_fields(tree: Element) -> list[InvalidField]:
    """The fields that the content marks as invalid, in its order; the boxes of one choice are one field."""
    by_id = {element.get("id"): element for element in tree.iter() if "id" in element.attrib}
    labels = {label.get("for"): label for label in tree.iter("label")}
    choices = {box: choice for choice in tree.iter("fieldset") for box in choice.iter("input")}
    fields: dict[str, InvalidField] = {}
    for field in tree.iter():
        if field.get("aria-invalid") != "true" or "id" not in field.attrib:
            continue
        named_by = (by_id.get(name) for name in field.get("aria-labelledby", "").split())
        label = (
            field.get("aria-label") or " ".join(map(_text, named_by)) or _text(labels.get(field.get("id")))
        )
        described = field.get("aria-describedby", "")
        if field.get("type") in {"checkbox", "radio"} and field in choices:
            label = _text(choices[field].find("legend")) or label
            described = described or choices[field].get("aria-describedby", "")
        # The message comes last: Django names the hint first.
        message = _text(by_id.get(described.split(" ")[-1]))
        name = field.get("name") or field.attrib["id"]
        fields.setdefault(name, InvalidField(field.attrib["id"], label, message))
    return [*fields.values()]


@register.simple_block_tag(takes_context=True, end_name="end_error_summary")
def error_summary(context: Context, content: str) -> SafeString:
    """The content, after a summary of its invalid fields if it answers a sent form: a POST, or an `is_refused_query`.

    The summary takes the focus when the page is loaded or swapped in, unless a field of the content does. A page that
    `marks_findings` has no summary: its fields are marked for what is saved, not for what was sent.
    """
    shown = mark_safe(content)  # noqa: S308 (rendered by the templates inside the tag)
    request = context.get("request")
    is_sent = request is not None and (request.method == "POST" or context.get("is_refused_query", False))
    is_refused = is_sent and not context.get("marks_findings")
    if not is_refused or MARK not in content:
        return shown
    tree = _tree(content)
    fields = invalid_fields(tree)
    values = {
        "fields": fields[:MOST_LINKS],
        "number": len(fields),
        "more": len(fields[MOST_LINKS:]),
        "takes_focus": not _has_focus(tree),
    }
    return render_to_string("parts/error_summary.html", values) + shown
