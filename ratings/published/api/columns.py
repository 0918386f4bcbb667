"""The types of rows with the columns of a rating system, by its declaration: entries, figures, lists compared."""

from collections.abc import Callable, Mapping
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    Field,
    FloatField,
    IntegerField,
    Serializer,
)

from ratings.federations.registry import rating_systems
from ratings.rules.declared import Column, Declaration, Kind
from reporting.web.api.fields import OptionalChoiceField, OptionalTextField

SEXES = ("W", "M")


class EntrySerializer(Serializer[Any]):
    """A player on a list, as printed: the columns of list.csv by their names."""

    player = CharField(allow_null=True, help_text="The player in addresses; null for an erased name.")
    rank = IntegerField(help_text="On the variant asked for.")
    name = CharField()
    federation = CharField()
    sex = OptionalChoiceField(SEXES)
    birth_year = IntegerField(allow_null=True)
    title = OptionalTextField()
    rating = IntegerField()
    change = IntegerField(allow_null=True, help_text="Against the list before; null for a new player.")
    period_games = IntegerField()
    games = IntegerField()


def column_field(column: Column) -> Field[Any, Any, Any, Any]:
    """The type of a declared column; null where a row, or an earlier list, has no value of it, or an empty one."""
    may_be_empty = (
        column.kind in {Kind.DAY, Kind.PLAYER, Kind.CLUB} or column.words_from or "" in column.words
    )
    named: dict[str, Any] = {
        "help_text": column.meaning,
        "allow_null": bool(column.given or column.since or may_be_empty),
    }
    match column.kind:
        case Kind.WHOLE | Kind.DIFFERENCE | Kind.PLAYER:
            return IntegerField(**named)
        case Kind.SCALED | Kind.HALVES:
            return FloatField(**named)
        case Kind.DAY:
            return DateField(**named)
        case Kind.FLAG:
            return BooleanField(**named)
        case Kind.WORD if column.words:
            return ChoiceField([word for word in column.words if word], **named)
        case _:
            return CharField(**named)


def own_columns(declaration: Declaration) -> dict[str, Column]:
    """The columns of list files that `EntrySerializer` has not for all rating systems, by their names in files."""
    names = dict.fromkeys(("register_number", *declaration.list_file))
    return {
        declaration.header(name): declaration.column(name)
        for name in names
        if name not in EntrySerializer._declared_fields
    }


class FiguresSerializer(Serializer[Any]):
    """The columns of changes.csv by their names."""


class ComparedFiguresSerializer(Serializer[Any]):
    """The columns of differences.csv by their names, on one of the two lists."""


class ComparedPlayerSerializer(Serializer[Any]):
    """A player on one of two lists or both; null for a list without the player. The person is as on the second list."""

    player = CharField(allow_null=True, help_text="The player in addresses; null for an erased name.")
    name = CharField()
    federation = CharField()
    title = OptionalTextField()
    rating_before = IntegerField(allow_null=True)
    rating_after = IntegerField(allow_null=True)
    games_before = IntegerField(allow_null=True)
    games_after = IntegerField(allow_null=True)


def register_column(declaration: Declaration) -> dict[str, Column]:
    """The number of a player in the register of a rating system, by its name in files."""
    return {declaration.header("register_number"): declaration.column("register_number")}


def figure_columns(declaration: Declaration) -> dict[str, Column]:
    """The columns of `changes.csv`, by their names in files."""
    return {column.in_files: column for column in map(declaration.change_column, declaration.change_file)}


def compared_columns(declaration: Declaration) -> dict[str, Column]:
    """The columns of `differences.csv` of one list, by their names in files."""
    return {declaration.header(name): declaration.column(name) for name in declaration.compared}


def by_system(
    base: type[Serializer[Any]],
    columns: Callable[[Declaration], Mapping[str, Column]],
    *,
    many: bool = False,
) -> Any:
    """One of the types that the rating systems make of `base` by their columns. It only describes, and is not asked."""
    types = [
        type(
            f"{system.code.capitalize()}{base.__name__}",
            (base,),
            {
                "__doc__": base.__doc__,
                **{header: column_field(column) for header, column in columns(system.declaration).items()},
            },
        )
        for system in rating_systems()
    ]
    if len(types) == 1:
        return types[0](many=many)
    name = base.__name__.removesuffix("Serializer")
    return PolymorphicProxySerializer(
        component_name=name, serializers=types, resource_type_field_name=None, many=many or None
    )


def typed_value(column: Column, value: Any, *, is_whole: bool = False) -> Any:
    """A stored value as its `column_field` describes it.

    A scaled one has at most 15 digits in all systems, of which JSON keeps each.
    """
    match column.kind:
        case Kind.SCALED if value is not None:
            scale = 10**column.decimals
            return value // scale if is_whole else value / scale
        case Kind.HALVES if value is not None:
            return value / 2
        case _:
            return None if value == "" else value


class TypedField(Field[Any, Any, Any, Any]):
    """Figures that are `typed_value`s already."""

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field(by_system(FiguresSerializer, figure_columns))
class FiguresField(TypedField):
    """The figures of a change."""


@extend_schema_field(by_system(ComparedFiguresSerializer, compared_columns))
class ComparedFiguresField(TypedField):
    """The figures of a player on one of two lists."""
