"""What the answers about reports are made of."""

from typing import Any

from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DateTimeField,
    DictField,
    IntegerField,
    JSONField,
    ListField,
    Serializer,
)

from reporting.reports.selectors.reports import AnnouncementState
from reporting.rules.findings.finding_list import Severity
from reporting.rules.lifecycle import ReportState, Turn
from reporting.web.api.fields import AddressField, OptionalTextField


class FindingOfReportSerializer(Serializer[Any]):
    """A finding: codes and values, its place in the file from 1, and the sentences made of them."""

    severity = ChoiceField([severity.value for severity in Severity])
    code = CharField()
    values = DictField(child=JSONField())
    line = IntegerField(allow_null=True, help_text="null for a finding about the whole file or a detail.")
    column = IntegerField(allow_null=True, help_text="In characters.")
    field = CharField(allow_null=True, help_text="The detail, or the part of the file.")
    found = OptionalTextField()
    expected = OptionalTextField()
    article = OptionalTextField()
    message = CharField()
    suggestion = OptionalTextField()
    asked_detail = OptionalTextField(help_text="The tournament detail that settles it.")
    proposed_value = OptionalTextField(
        help_text="The value of the detail that fits, as its form has it; without a detail the text that replaces"
        " what was found.",
    )


class VersionFindingSerializer(FindingOfReportSerializer):
    """A finding of a version: comments refer to its index."""

    index = IntegerField(help_text="By which a comment names it.")
    comment = OptionalTextField()


class CheckedFileSerializer(Serializer[Any]):
    """A file as it was read, with its findings."""

    format = OptionalTextField(help_text="null if it is not known.")
    encoding = OptionalTextField()
    info = DictField(
        child=JSONField(), help_text="What the file says of the tournament, by names of details."
    )
    players = IntegerField()
    rounds = IntegerField()
    games = IntegerField(help_text="Played games.")
    errors: Any = IntegerField()
    warnings = IntegerField()
    findings = FindingOfReportSerializer(many=True)


class ReportSerializer(Serializer[Any]):
    """A report with the figures of its newest version."""

    number = IntegerField()
    state = ChoiceField([state.value for state in ReportState])
    waits_for = ChoiceField([Turn.REFEREE.value, Turn.OFFICE.value, Turn.NONE.value])
    name = CharField(help_text="Of the tournament, as read; else the name of the file.")
    tournament = CharField(allow_null=True, help_text="Its code, once the report was submitted.")
    part = IntegerField(
        help_text="Of a tournament that is reported in parts, once the report was submitted; else 1."
    )
    corrects = CharField(allow_null=True, help_text="The code of the tournament that it corrects.")
    announcement = IntegerField(allow_null=True, help_text="The number of its announcement.")
    submitted_at = DateTimeField(allow_null=True, help_text="First submission.")
    due = DateField(allow_null=True, help_text="The last day in time.")
    version = IntegerField(help_text="The newest one; a change names it.")
    format = OptionalTextField()
    players = IntegerField()
    games = IntegerField(help_text="Played games.")
    errors: Any = IntegerField()
    warnings = IntegerField()
    url = AddressField()


class UploadedSerializer(ReportSerializer):
    """A report after an upload; `already_there` if nothing was stored, `details_left` if details were not used."""

    already_there = BooleanField()
    details_left = BooleanField()
    test = BooleanField(help_text="Whether it was only tried: its number then leads to nothing.")
    findings = FindingOfReportSerializer(
        many=True,
        allow_null=True,
        help_text="Those of a test; null for others, which have them at their address.",
    )


class VersionSerializer(Serializer[Any]):
    """A version of a report: a file with details as it was stored."""

    number = IntegerField()
    filename = CharField()
    sha256 = CharField()
    format = OptionalTextField()
    encoding = OptionalTextField()
    created_at = DateTimeField()
    created_by = CharField()
    errors: Any = IntegerField()
    warnings = IntegerField()


class RemarkSerializer(Serializer[Any]):
    """A remark of the office on a version, about a line, a detail or the whole."""

    version = IntegerField()
    line = IntegerField(allow_null=True)
    field = OptionalTextField()
    text = CharField()


class WholeReportSerializer(ReportSerializer):
    """A report with its versions, newest first, and the remarks of the office."""

    versions = VersionSerializer(many=True)
    remarks = RemarkSerializer(many=True)


class DetailsSerializer(Serializer[Any]):
    """The tournament details of the newest version, as they were given."""

    version = IntegerField()
    details = DictField(child=JSONField())


class CommentsSerializer(Serializer[Any]):
    """Comments on warnings as they are saved, and the indexes of the warnings without one."""

    version = IntegerField()
    comments = DictField(child=CharField())
    kinds = DictField(child=CharField())
    missing = ListField(child=IntegerField(), help_text="Indexes of the warnings without a comment.")


class AnnouncementSerializer(Serializer[Any]):
    """An announced tournament. It is withdrawn by the person who announced it, before there is a report."""

    number = IntegerField(help_text="By which an upload names it.")
    state = ChoiceField([state.value for state in AnnouncementState])
    name = CharField()
    place = OptionalTextField()
    country = OptionalTextField()
    played_from = DateField()
    played_to = DateField()
    rating_system = OptionalTextField()
    discipline = OptionalTextField()
    time_control = OptionalTextField(help_text="As it was announced, such as 80+30.")
    system = OptionalTextField()
    announced_on = DateField()
    in_time = BooleanField(help_text="Whether it was announced as early as the regulations require (R11).")
    required_notice_days = IntegerField(
        allow_null=True, help_text="null where the regulations require no announcement."
    )
    own = BooleanField(help_text="Whether you announced it.")
    tournament = CharField(allow_null=True, help_text="Its code, once a report was submitted.")
    stars = IntegerField(allow_null=True, help_text="Of a World Cup event, as approved; null without.")
    prize_money = IntegerField(
        allow_null=True, help_text="The sum of its prizes in euros; null without stars."
    )
    url = AddressField()


class AnnouncedSerializer(AnnouncementSerializer):
    """A tournament as it was announced; `already_there` if you had announced the same before."""

    already_there = BooleanField()
    test = BooleanField(help_text="Whether it was only tried: its number then leads to nothing.")
