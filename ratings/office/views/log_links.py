"""Links of the audit log to periods and lists."""

import re
from collections.abc import Mapping
from datetime import date

from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext

from ratings.queries.addresses import PoolDay, periods_of_the_office, published_days
from reporting.log.views.log_links import LogLink, register_finders
from reporting.models import User

DAY = re.compile(r"([a-z0-9-]+)[ /]([0-9]{4}-[0-9]{2}-[0-9]{2})\Z")


def _periods(numbers: list[str], reader: User) -> Mapping[str, LogLink]:  # noqa: ARG001 (readers of the log see drafts)
    return _links_of_days(numbers, gettext("Period %(pool)s, %(day)s"))


def _lists(numbers: list[str], reader: User) -> Mapping[str, LogLink]:  # noqa: ARG001 (readers of the log see drafts)
    return _links_of_days(numbers, gettext("List %(pool)s, %(day)s"))


def _links_of_days(numbers: list[str], label: str) -> dict[str, LogLink]:
    days = {text: day for text in numbers if (day := _pool_day(text)) is not None}
    periods = periods_of_the_office(days.values())
    published = published_days(day for day in days.values() if day not in periods)
    return {
        text: LogLink(
            label % {"pool": day[0], "day": formats.date_format(day[1], "j M Y")},
            href=reverse("office-period", args=day)
            if day in periods
            else reverse("list-of-day", args=day)
            if day in published
            else "",
        )
        for text, day in days.items()
    }


def _pool_day(text: str) -> PoolDay | None:
    written = DAY.match(text)
    if written is None:
        return None
    try:
        return written[1], date.fromisoformat(written[2])
    except ValueError:
        return None


register_finders({"period": _periods, "list": _lists})
