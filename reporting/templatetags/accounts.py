"""What pages say of the person who reads: the masthead's links, the devices of sessions."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from reporting.models import User

register = template.Library()


@register.simple_tag
def messages_link_label(user: User) -> SafeString | str:
    """The link to one's messages, with the number of the unread ones; a screen reader says "Messages, 3 unread"."""
    if not user.unread_messages:
        return gettext("Messages")
    unread = ngettext("%(count)s unread", "%(count)s unread", user.unread_messages)
    return format_html(
        '{} <span class="masthead__count" aria-hidden="true">{}</span><span class="visually-hidden">, {}</span>',
        gettext("Messages"),
        user.unread_messages,
        unread % {"count": user.unread_messages},
    )


@register.simple_tag(takes_context=True)
def masthead_link(context: template.Context, name: str, label: str, *beneath: str) -> SafeString:
    """A link of the masthead; it is marked on its own page and on the pages below its address.

    `beneath` are the names of other links whose addresses begin with this one's: there they are marked instead.
    """
    address = reverse(name)
    request = context.get("request")
    here = request.path if request else ""
    current = (
        ' aria-current="page"'
        if here == address
        else ' aria-current="true"'
        if here.startswith(address) and not any(here.startswith(reverse(other)) for other in beneath)
        else ""
    )
    return format_html('<a class="masthead__link" href="{}"{}>{}</a>', address, SafeString(current), label)


BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}

DEVICES = {
    "iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "Mac OS": "Mac", "Linux": "Linux",
}  # fmt: skip


@register.filter
def browser(user_agent: str) -> str:
    """A browser by its user agent: `Firefox on Windows`. The first match counts: browsers name others too."""
    name = next((label for mark, label in BROWSERS.items() if mark in user_agent), gettext("Unknown browser"))
    device = next((label for mark, label in DEVICES.items() if mark in user_agent), "")
    if not device:
        return name
    return gettext("%(browser)s on %(device)s") % {"browser": name, "device": device}
