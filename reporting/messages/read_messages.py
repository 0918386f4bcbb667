"""Which messages a person has read: those that were on the page of messages when it was last opened."""

from reporting.models import User


def mark_messages_read(*, reader: User, newest: int) -> None:
    """Mark the messages of a person up to this number as read. 1 query, none without an unread one."""
    if not reader.unread_messages:
        return
    User.objects.filter(pk=reader.pk, messages_read_to__lt=newest).update(messages_read_to=newest)
    reader.messages_read_to, reader.unread_messages = newest, 0
