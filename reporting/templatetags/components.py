"""Parts of pages that repeat, each written once: sections, tables, refusals, values with their names, the title."""

from collections.abc import Iterator
from html import unescape
from typing import Any

from django import template
from django.conf import settings
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, to_locale

from reporting.web.query_params import lasting_address

register = template.Library()


@register.simple_block_tag(end_name="endsection")
def section(content: str, name: str, heading: Any, note: Any = "", style: str = "section") -> SafeString:
    """A section with its heading, whose id is `name`, and a note beside the heading."""
    return format_html(
        '<section{} aria-labelledby="{}"><div class="section__head"><h2 id="{}">{}</h2>{}</div>{}</section>',
        format_html(' class="{}"', style) if style else "",
        name,
        name,
        heading,
        "" if note == "" else format_html('<span class="note">{}</span>', note),
        content,
    )


CAPTIONS = {
    "table": '<caption class="visually-hidden">{}</caption>',
    "titled_table": '<caption class="table__caption"><strong>{}</strong></caption>',
}


class TableNode(template.Node):
    """A table; `table` makes it."""

    child_nodelists = ("head", "rows")

    def __init__(self, name: str, options: list[FilterExpression], head: NodeList, rows: NodeList) -> None:
        """Which of `CAPTIONS`; the caption and the class of the table, if any; the headings, and the rows."""
        self.caption, self.options, self.head, self.rows = CAPTIONS[name], options, head, rows

    def render(self, context: Context) -> SafeString:
        """The table with its caption."""
        caption, *styles = (option.resolve(context) for option in self.options)
        return format_html(
            '<table class="{}">{}<thead><tr>{}</tr></thead><tbody>{}</tbody></table>',
            " ".join(["table", *styles]),
            format_html(self.caption, caption),
            self.head.render(context),
            self.rows.render(context),
        )


@register.tag("table")
@register.tag("titled_table")
def table(parser: Parser, token: Token) -> TableNode:
    """`{% table caption style %}` headings `{% rows %}` rows `{% endtable %}`: a table, its caption only read out.

    The caption of a `{% titled_table %}` is shown as its title.
    """
    name, *options = token.split_contents()
    head = parser.parse(("rows",))
    parser.delete_first_token()
    rows = parser.parse((f"end{name}",))
    parser.delete_first_token()
    return TableNode(name, [parser.compile_filter(option) for option in options], head, rows)


@register.simple_tag
def headings(styles: str, *labels: str) -> SafeString:
    """The headings of columns: for each a word of `styles`, whose parts are joined by hyphens, and its label.

    The parts: `text`, `num` (numbers), `mid` (signs), `wide` (left out on a phone), `hidden` (the label is only read
    out), `short` (two labels: the short one that is shown and the full one).
    """
    left = iter(labels)
    return format_html_join(
        "\n", '<th scope="col"{}>{}</th>', (_heading(style.split("-"), left) for style in styles.split())
    )


def _heading(parts: list[str], labels: Iterator[str]) -> tuple[SafeString, str]:
    """The class attribute of a heading and what it shows."""
    label = next(labels)
    if "hidden" in parts:
        label = format_html('<span class="visually-hidden">{}</span>', label)
    if "short" in parts:
        label = format_html('<abbr title="{}">{}</abbr>', next(labels), label)
    classes = " ".join(f"table__{part}" for part in parts if part in {"num", "mid", "wide"})
    return format_html(' class="{}"', classes) if classes else SafeString(), label


@register.simple_block_tag(takes_context=True, end_name="endconfirm")
def confirm(
    context: Context,
    content: str,
    label: Any,
    way_back: str,
    *,
    button: str = "main",
    style: str = "stack narrow",
) -> SafeString:
    """The form of a page that asks before it acts: its fields, the button that acts and the way back."""
    return format_html(
        '<form class="{}" method="post">{}{}<p class="row"><button class="button button--{}">{}</button> '
        '<a href="{}">{}</a></p></form>',
        style,
        CsrfTokenNode().render(context),
        content,
        button,
        label,
        way_back,
        gettext("Cancel"),
    )


@register.simple_block_tag(end_name="endalert")
def alert(content: str) -> SafeString:
    """What refused the page, with the focus: it is read out at once."""
    return format_html(
        '<div class="callout callout--bad callout--message" role="alert" tabindex="-1" autofocus>{}</div>',
        content,
    )


@register.simple_block_tag(end_name="endempty_state")
def empty_state(content: str, text: Any) -> SafeString:
    """What stands where a page has nothing to show, and below it where to go on."""
    below = format_html("<p>{}</p>", content) if content else ""
    return format_html('<div class="empty"><p class="empty__text">{}</p>{}</div>', text, below)


@register.simple_block_tag(end_name="endtabs")
def tabs(content: str, label: Any, style: str = "tabs") -> SafeString:
    """The tabs between the pages of one thing, or between the parts of a page."""
    return format_html('<nav class="{}" aria-label="{}">{}</nav>', style, label, content)


@register.simple_tag
def tab(
    label: Any, address: str, name: Any = "", shown: Any = None, *, number: int | None = None
) -> SafeString:
    """A tab, with the number of rows it leads to; the current one where its name is that of what is `shown`."""
    text = label if number is None else format_html("{} ({})", label, number)
    current = SafeString(' aria-current="page"') if name == shown else ""
    return format_html(
        '<a class="tabs__link" href="{}"{} data-label="{}">{}</a>', address, current, text, text
    )


@register.simple_block_tag(end_name="endvalue")
def value(content: str, name: str) -> SafeString:
    """A value of a list of values, with its name."""
    return format_html(
        '<div class="values__item"><dt class="values__name">{}</dt><dd class="values__value">{}</dd></div>',
        name,
        content,
    )


@register.simple_block_tag(end_name="endline")
def line(content: str, style: str) -> SafeString | str:
    """A line of the title block; nothing where the page has no such line."""
    return format_html('<p class="{}">{}</p>', style, content) if content.strip() else ""


@register.simple_tag(takes_context=True)
def text_of_block(context: Context, *names: str) -> str:
    """The text of a block of the page, without tags and line breaks: of the first of these that has any."""
    found = map(context.render_context[BLOCK_CONTEXT_KEY].get_block, names)
    shown = (strip_tags(block.render(context)) for block in found if block)
    return next((text for one in shown if (text := " ".join(unescape(one).split()))), "")


@register.simple_tag
def locale_of_page() -> str:
    """The language of the page as the Open Graph protocol writes it: en_GB."""
    return to_locale(get_language() or settings.LANGUAGE_CODE)


@register.simple_tag(takes_context=True)
def lasting_address_of_page(context: Context) -> str:
    """The path and query that other sites should name for this page; empty where they should name none.

    The path is that of the page's `card`, else its `lasting_path`, else the one that was requested.
    """
    request, card = context["request"], context.get("card")
    path: str = card.path if card else context.get("lasting_path") or request.path
    return lasting_address(request, path)


@register.simple_block_tag(end_name="endkey_figure")
def key_figure(content: str, name: str, number: Any, address: str = "") -> SafeString:
    """A number in large type, its name and the note that the content is; with an address a link, unless it is 0."""
    shown = format_html('<a href="{}">{}</a>', address, number) if address and number else number
    note = format_html('<dd class="figures__note">{}</dd>', content) if content else ""
    return format_html(
        '<div class="figures__item"><dt class="figures__name">{}</dt><dd class="figures__value">{}</dd>{}</div>',
        name,
        shown,
        note,
    )
