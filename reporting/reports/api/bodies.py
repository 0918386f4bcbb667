"""What programs send: JSON by a schema that the OpenAPI file shows too, and forms with a file.

The names and kinds of tournament details are those of their one declaration. A value of the right type that the
regulations refuse is no error here: it becomes a finding of the report, as on its page.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import IO, Any, NoReturn, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from rest_framework import exceptions
from rest_framework.parsers import JSONParser

from reporting.reports.forms import form_groups, is_asked_of_referee
from reporting.reports.views.check_file import NOT_ASKED
from reporting.rules.details.detail_declaration import Detail
from reporting.rules.details.detail_kinds import MAX_NUMBER, MAX_PARTS, Kind, parse_day
from reporting.rules.details.known_details import details_of, details_type, known_details, private_details
from reporting.rules.findings.finding_list import MAX_FINDINGS
from reporting.rules.report import MAX_GAMES_OF_ROUND, MAX_ROUNDS
from reporting.web.access import MAX_TEXT_LENGTH
from reporting.web.api.errors import BadParametersError
from reporting.web.api.parameters import shortened
from reporting.web.query_params import WholeNumberField

LARGEST_NUMBER = 2**63 - 1
"""Of a row of the database."""
MOST_LEVELS = 50
MOST_ENTRIES = 200
"""Of a list of shared places, tie-breaks, draws or orders."""

UNKNOWN_NAME = gettext_noop("There is no such name here.")
REPEATED_NAME = gettext_noop("This name is there more than once.")
SENTENCES = {
    "type": gettext_noop("This must be of the type %(values)s."),
    "enum": gettext_noop("This must be one of %(values)s."),
    "format": gettext_noop("This must be a day, such as 2026-11-14."),
    "minimum": gettext_noop("This must be %(values)s or more."),
    "maximum": gettext_noop("This must be %(values)s or less."),
    "exclusiveMinimum": gettext_noop("This must be more than %(values)s."),
    "maxLength": gettext_noop("This must have at most %(values)s characters."),
    "maxItems": gettext_noop("This must have at most %(values)s values."),
    "pattern": gettext_noop("This must be like %(values)s."),
    "anyOf": gettext_noop("This must be a whole number from 1 to 999999 or a text."),
}
"""What is wrong with a value, by the key of the schema that does not admit it."""

NO_NULLS = "^[^\\x00]*$"
HAS_NULLS = gettext_noop("This must have no null characters.")

Schema = dict[str, Any]


def public_names() -> tuple[str, ...]:
    """The details that a person who reports gives; the office gives the others, on its pages."""
    return (*(name for _, names in form_groups() for name in names), "players", "newcomers")


def checked_names() -> tuple[str, ...]:
    """The details for the check of a file."""
    return tuple(name for name in public_names() if name not in NOT_ASKED)


def own_names() -> tuple[str, ...]:
    """The details that the person gives whose report it is."""
    return (*public_names(), *private_details())


def asked_names(names: Sequence[str], values: Mapping[str, Any]) -> tuple[str, ...]:
    """These details without those that the federation of a report with these values leaves to the office."""
    own = details_of(details_type(values))
    return tuple(name for name in names if name not in own or is_asked_of_referee(name, own[name]))


def read_json(text: str) -> Any:
    """What a JSON text says.

    Raises BadParametersError for a name that an object has twice, ValueError or RecursionError for what is not JSON or
    has more than MOST_LEVELS levels.
    """
    read = json.loads(text, parse_constant=_float_of_json, object_pairs_hook=_object_of_json)
    level = [read]
    for _ in range(MOST_LEVELS):
        inner = (
            value.values() if isinstance(value, dict) else value
            for value in level
            if isinstance(value, dict | list)
        )
        level = [value for values in inner for value in values]
        if not level:
            return read
    raise RecursionError


def _float_of_json(name: str) -> NoReturn:
    """NaN and the infinite are numbers for Python, and none for JSON."""
    raise ValueError(name)


def _object_of_json(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    counted = Counter(name for name, _ in pairs)
    repeated = [name for name, times in counted.items() if times > 1]
    if repeated:
        raise BadParametersError(
            [_finding("bad_value", [shortened(name)], "", gettext(REPEATED_NAME)) for name in repeated]
        )
    return dict(pairs)


def not_json(error: Exception) -> str:
    """The sentence for an error of `read_json`: where the text is no JSON, as far as that is known."""
    if isinstance(error, json.JSONDecodeError):
        place = {"line": error.lineno, "column": error.colno}
        return gettext("This is not JSON: see line %(line)s, column %(column)s.") % place
    return gettext("This is not JSON.")


class BodyParser(JSONParser):
    """JSON as `read_json` reads it, in UTF-8."""

    def parse(self, stream: IO[bytes], *_: Any) -> Any:
        try:
            return read_json(stream.read().decode())
        except (ValueError, RecursionError) as error:
            raise exceptions.ParseError(not_json(error)) from error


# --- schemas


def text(max_length: int) -> Schema:
    """A text without null characters."""
    return {"type": "string", "maxLength": max_length, "pattern": NO_NULLS}


def list_of(items: Schema, most: int = MOST_ENTRIES) -> Schema:
    return {"type": "array", "items": items, "maxItems": most}


def object_of(properties: Mapping[str, Schema], *required: str) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def object_by(key: str, value: Schema) -> Schema:
    return {"type": "object", "propertyNames": {"pattern": key}, "additionalProperties": value}


DAY: Schema = {"type": "string", "format": "date"}
PLAYER_NUMBER = "^[1-9][0-9]{0,3}$"
VERSION: Schema = {"type": "integer", "minimum": 1, "maximum": 9999}
COMMENTS: Mapping[str, Schema] = {
    "comments": {
        **object_by("^(0|[1-9][0-9]{0,3})$", text(MAX_TEXT_LENGTH)),
        "description": "Comments on single warnings, by the index of the finding.",
    },
    "kinds": {
        **object_by("^[a-z0-9-]{1,60}$", text(MAX_TEXT_LENGTH)),
        "description": "Comments on all warnings of a code.",
    },
}
COMMENTS_SCHEMA = object_of({"version": VERSION, **COMMENTS}, "version", "comments", "kinds")
SUBMISSION_SCHEMA = object_of({"version": VERSION, **COMMENTS}, "version")
TAKE_BACK_SCHEMA = object_of({"version": VERSION, "reason": text(2_000)}, "version")


NUMBER: Schema = {"type": "integer", "minimum": 1, "maximum": MAX_NUMBER}
PERSON = object_of(
    {name: text(100) for name in ("last_name", "first_name", "country", "sex")} | {"born": DAY},
)
OF_KIND: Mapping[Kind, Schema] = {
    Kind.DAY: DAY,
    Kind.YES_OR_NO: {"type": "boolean"},
    Kind.NUMBER: NUMBER,
    Kind.PART: {"type": "integer", "minimum": 1, "maximum": MAX_PARTS},
    Kind.MINUTES: {"type": "number", "exclusiveMinimum": 0, "maximum": 9999},
    Kind.TIME_CONTROLS: list_of(text(40), MAX_GAMES_OF_ROUND),
    Kind.DAYS: list_of(DAY, MAX_ROUNDS),
    Kind.NUMBERS: list_of(NUMBER),
    Kind.PLACES: list_of(text(400)),
    Kind.ROUND_SCORES: list_of(text(400)),
    Kind.PLUS_DRAWS: list_of(text(400)),
    Kind.ORDERS: list_of(text(400)),
    Kind.PLAYERS: object_by(PLAYER_NUMBER, {"anyOf": [NUMBER, text(20)]}),
    Kind.NEW_PLAYERS: object_by(PLAYER_NUMBER, PERSON),
}
"""The JSON types of details that are neither texts nor choices."""


def detail_schema(detail: Detail) -> Schema:
    """The JSON type of a detail; null, which removes it, is of every type."""
    choices = [name for name, _ in detail.labelled_choices()]
    if detail.kind is Kind.TIE_BREAKS:
        # FIDE's keys differ from others by capital letters alone, as names of most languages must not.
        names = [f"FIDE_{key}" if key.isupper() else key.upper() for key in choices]
        names = [re.sub(r"[^A-Z0-9]", "_", name) for name in names]
        schema = list_of({"type": "string", "enum": choices, "x-enum-varnames": names})
    elif detail.kind is Kind.NUMBER_CHOICE:
        schema = {"type": "integer", "enum": [*map(int, choices), None]}
    elif choices:
        schema = {"type": "string", "enum": [*choices, None]}
    else:
        schema = OF_KIND.get(detail.kind) or text(detail.max_length or 400)
    if detail.kind in EXAMPLES:
        schema = {**schema, "examples": [EXAMPLES[detail.kind]]}
    description = f"{detail.about} ({detail.article})" if detail.article else detail.about
    return {**schema, "type": [schema["type"], "null"], "description": description}


EXAMPLE_DAY = "2026-11-14"
EXAMPLES: Mapping[Kind, Any] = {
    Kind.COUNTRY: "NED",
    Kind.DAY: EXAMPLE_DAY,
    Kind.DAYS: [EXAMPLE_DAY, "2026-11-15"],
    Kind.NUMBERS: [4, 12],
    Kind.MINUTES: 127.5,
    Kind.TIME_CONTROL: "80+30",
    Kind.TIME_CONTROLS: ["80+30", "15+5", "5+3"],
    Kind.TIE_BREAKS: ["solkoff", "wins"],
    Kind.PLACES: ["2-3", "7-9"],
    Kind.ROUND_SCORES: ["12-0", "9-3", "8-4", "7-5"],
    Kind.PLUS_DRAWS: ["3: 4-7", "5: 2-9"],
    Kind.ORDERS: ["7-3", "12-4-9"],
    Kind.PLAYERS: {"7": 11285, "9": "knsb-4711"},
    Kind.NEW_PLAYERS: {
        "8": {
            "last_name": "Hagedoorn", "first_name": "Lien", "country": "NED", "sex": "W", "born": "2009-03-01",
        },
    },
}  # fmt: skip
"""How values are written, by the kind of the detail."""


def details_schema(names: Sequence[str]) -> Schema:
    known = known_details()
    return object_of({name: detail_schema(known[name]) for name in names})


def changes_schema(names: Sequence[str]) -> Schema:
    return object_of({"version": VERSION, "details": details_schema(names)}, "version", "details")


DETAILS_OBJECT: Schema = {"$ref": "#/components/schemas/TournamentDetails"}
CHECKED_DETAILS_OBJECT: Schema = {"$ref": "#/components/schemas/CheckedDetails"}
CHANGES_OBJECT = object_of({"version": VERSION, "details": DETAILS_OBJECT}, "version", "details")


def with_details(result: Schema, generator: object, request: object, public: object) -> Schema:  # noqa: ARG001
    """A hook of drf-spectacular: tournament details are described once."""
    result["components"]["schemas"] |= {
        "TournamentDetails": details_schema(own_names())
        | {"description": "Details of a report. null removes one."},
        "CheckedDetails": details_schema(checked_names())
        | {"description": "Details for the check of a file."},
    }
    return result


def form_schema(*required: str, **properties: Schema) -> Schema:
    """A form with a file."""
    file = {"type": "string", "format": "binary", "minLength": 1}
    return object_of({"file": file, **properties}, "file", *required)


# --- what was sent


def validated(sent: Any, schema: Schema, path: Sequence[str] = ()) -> Any:
    """What was sent, if the schema admits it. Raises BadParametersError with what is wrong."""
    try:
        json.dumps(sent, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:  # half of a character, which no database stores
        raise exceptions.ParseError from error
    found = Draft202012Validator(schema, format_checker=FormatChecker(["date"])).iter_errors(sent)
    # A long list of nothing that fits, or of unknown names, would take minutes, and no one reads more.
    in_order = sorted(islice(found, MAX_FINDINGS), key=lambda error: list(map(str, error.absolute_path)))
    findings = islice((finding for error in in_order for finding in _findings(error, path)), MAX_FINDINGS)
    if distinct := {tuple(finding.values()): finding for finding in findings}:
        raise BadParametersError([*distinct.values()])
    return sent


def _findings(error: ValidationError, path: Sequence[str]) -> Iterator[dict[str, str]]:
    """What is wrong with one value, or with each name that is missing or not known."""
    place = [*path, *map(str, error.absolute_path)]
    if error.validator == "additionalProperties":
        for name in sorted(error.instance.keys() - error.schema["properties"].keys()):
            yield _finding("unknown_parameter", [*place, shortened(name)], "", gettext(UNKNOWN_NAME))
    elif error.validator == "required":
        for name in sorted(set(error.validator_value) - error.instance.keys()):
            yield _finding("bad_value", [*place, name], "", gettext("This value is missing."))
    elif "propertyNames" in error.absolute_schema_path:
        name = shortened(str(error.instance))
        message = gettext("Names here are like %(pattern)s.") % {"pattern": error.validator_value}
        yield _finding("bad_value", [*place, name], "", message)
    else:
        wrong = shortened(json.dumps(error.instance, ensure_ascii=False))
        known = error.validator_value
        known = known if isinstance(known, list) else [known]
        values = ", ".join("null" if value is None else str(value) for value in known)
        sentence = SENTENCES.get(str(error.validator), "This value cannot be used.")
        message = gettext(HAS_NULLS if values == NO_NULLS else sentence) % {"values": values}
        yield _finding("bad_value", place, wrong, message)


def _finding(code: str, place: Sequence[str], found: str, message: str) -> dict[str, str]:
    return {"code": code, "field": ".".join(place) or "body", "found": found, "message": message}


def detail_values(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Validated details as values of the sidecar file, as the form of the page gives them."""
    known = known_details()
    return {name: _stored(known[name].kind, value) for name, value in sent.items()}


def _stored(kind: Kind, value: Any) -> Any:
    if isinstance(value, str):
        value = value.strip()
        return parse_day(value) if kind is Kind.DAY else value
    if kind is Kind.DAYS and value:
        return [parse_day(day) for day in value]
    if kind is Kind.NEW_PLAYERS and value:
        return {
            number: {name: parse_day(text) if name == "born" else text for name, text in person.items()}
            for number, person in value.items()
        }
    return Decimal(str(value)) if kind is Kind.MINUTES and value is not None else value


class DetailsField(forms.CharField):
    """Tournament details as JSON in a field of a form, for `names`; empty for none."""

    def __init__(self, names: Callable[[], Sequence[str]] = own_names) -> None:
        super().__init__(required=False, strip=False)
        self.names = names

    def clean(self, value: Any) -> dict[str, Any]:
        """Raise ValidationError for what is not JSON, BadParametersError for values of another type."""
        written = super().clean(value)
        if not written:
            return {}
        try:
            sent = read_json(written)
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(not_json(error)) from None
        return detail_values(validated(sent, details_schema(self.names()), ["details"]))


class FileForm(forms.Form):
    """A report file, as a program sends it."""

    file = forms.FileField(max_length=200)


def checked_form(form: FileForm) -> dict[str, Any]:
    """The values of a bound form. Raises BadParametersError with everything that is wrong, unknown names too."""
    data = cast("QueryDict", form.data)
    findings = [
        {"code": "unknown_parameter", "field": shortened(name), "found": "", "message": gettext(UNKNOWN_NAME)}
        for name in {**data, **form.files}
        if name not in form.fields
    ]
    findings += [
        {"code": "bad_parameter", "field": name, "found": "", "message": gettext(REPEATED_NAME)}
        for name in form.fields
        if len([*data.getlist(name), *form.files.getlist(name)]) > 1
    ]
    findings += [
        {
            "code": "bad_parameter",
            "field": name,
            "found": shortened(data.get(name, "")),
            "message": str(message),
        }
        for name, messages in form.errors.items()
        for message in messages
    ]
    if findings:
        raise BadParametersError(findings)
    return form.cleaned_data


class CheckForm(FileForm):
    """A file to check, with details."""

    details = DetailsField(checked_names)


class UploadForm(FileForm):
    """The file of a new report, with details, and its announcement."""

    details = DetailsField()
    announcement = WholeNumberField(required=False, min_value=1, max_value=LARGEST_NUMBER)


class VersionForm(FileForm):
    """Another file for a report, and the version that it replaces."""

    version = WholeNumberField(min_value=1, max_value=9999)
