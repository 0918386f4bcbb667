"""What was saved is confirmed where the person is looking: under the heading of the section that was changed.

A view names the section, and redirects to it; its template has `{% confirmation 'name' %}` there. A confirmation whose
section is not on the page, and one without a section, is first on the page.
"""

from django import template
from django.contrib.messages.storage.base import Message
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag(takes_context=True)
def confirmation(context: Context, section: str) -> SafeString:
    """What was saved in this section, where the template has this tag."""
    return _shown([message for message in context.get("messages") or () if message.extra_tags == section])


@register.simple_block_tag(takes_context=True, end_name="end_page_messages")
def page_messages(context: Context, content: str) -> SafeString:
    """The content, after the messages that none of its sections shows."""
    left = [message for message in context.get("messages") or () if not hasattr(message, "is_shown")]
    return _shown(left) + mark_safe(content)  # noqa: S308 (rendered by the templates inside the tag)


def _shown(of_place: list[Message]) -> SafeString:
    for message in of_place:
        message.is_shown = True  # type: ignore[attr-defined]
    return render_to_string("parts/messages.html", {"messages": of_place})
