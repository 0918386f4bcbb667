"""The fields of answers that several endpoints have, and a page of rows."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import serializers


@extend_schema_field({"type": "string", "format": "uri-reference"})
class AddressField(serializers.CharField):
    """An address on this site, from the slash on."""


class OptionalTextField(serializers.CharField):
    """A text; null where there is none, also where the database has an empty one."""

    def __init__(self, **named: Any) -> None:
        super().__init__(allow_null=True, **named)

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) or None


class OptionalChoiceField(serializers.ChoiceField):
    """One of some values; null for none."""

    def __init__(self, choices: Sequence[Any], **named: Any) -> None:
        super().__init__(choices, allow_null=True, **named)

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) or None


def row_pages(
    row: type[serializers.Serializer[Any]],
    *,
    rows: serializers.Serializer[Any] | None = None,
    **more: serializers.Field[Any, Any, Any, Any],
) -> serializers.Serializer[Any]:
    """The serializer of a page of rows: the number of all, the addresses of other pages, the rows.

    `rows` are what they are made of, where that is not `row` alone; `more` stands before them.
    """
    return inline_serializer(
        f"{row.__name__.removesuffix('Serializer')}Page",
        {
            **more,
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": rows or row(many=True),
        },
    )
