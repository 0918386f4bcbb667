"""What a request brings is read by forms only: views bind them to it, and read nothing from it by hand."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.forms import BaseForm

from reporting.web.forms import text_area, typed_text
from titles.norms.forms import DecisionForm

ROOT = Path(__file__).parents[2]
ROOMS = ("reporting", "ratings", "titles")
SENT = {"GET", "POST", "FILES"}

ALLOWED = {
    # allauth reads the kept request once more after the query string is emptied.
    "step_up.py: request.GET",
    # allauth takes a body without a code for a security key.
    "accounts.py: 'code' not in request.POST",
    "accounts.py: request.POST = QueryDict('code=')",
    # A form reads the last of the values that a name was sent with.
    "bodies.py: form.files.getlist",
    # Of an answer that is made the parameters go into its lasting address, as they are.
    "query_params.py: request.GET.items",
}
DJANGO_WORDS = (
    "This field", "Select a valid", "Ensure", "Enter a valid", "Enter a number.", "Enter a whole number.",
    "No file was", "The submitted",
)  # fmt: skip
PROGRAM = "recompute.py"  # given to readers; its files are those of a list


def is_form(function: ast.expr) -> bool:
    """`UploadForm(…)`, `answer_form(…)`, `sent_row_forms(…)`, and `TitleFilterSet(…)`, which makes a form."""
    name = function.id if isinstance(function, ast.Name) else ""
    return name.endswith(("Form", "_form", "_forms", "FilterSet"))


def sent_values(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Each value of a request, and the expression or statement that uses it."""
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in SENT:
            used: ast.AST = parents[node]
            while isinstance(used, ast.IfExp | ast.BoolOp | ast.keyword) and node is not getattr(
                used, "test", None
            ):
                used = parents[used]
            yield node, used


def hand_read(source: str) -> Iterator[str]:
    """The uses of a request's values that bind no form, and reads of the data of a form past its fields."""
    tree = ast.parse(source)
    for node, used in sent_values(tree):
        if not (isinstance(used, ast.Call) and is_form(used.func)):
            yield ast.unparse(node if isinstance(used, ast.Expr) else used)
    for node in ast.walk(tree):
        gets = isinstance(node, ast.Attribute) and node.attr in {"get", "getlist"}
        if gets or isinstance(node, ast.Subscript):
            data = node.value
            if isinstance(data, ast.Attribute) and data.attr in {"data", "files"}:
                yield ast.unparse(node)


def test_views_read_what_a_request_brings_with_forms():
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    assert len(paths) > 200
    found = {
        f"{path.name}: {line}"
        for path in paths
        if path.name != PROGRAM
        for line in hand_read(path.read_text())
    }
    # What is allowed is needed: an exception that went away leaves the list.
    assert found == ALLOWED


def subclasses(form: type[BaseForm]) -> Iterator[type[BaseForm]]:
    for below in form.__subclasses__():
        yield below
        yield from subclasses(below)


def test_no_field_refuses_a_value_in_the_words_of_django():
    import_module("config.urls")  # which imports every page, and with it every form
    forms = [form for form in subclasses(BaseForm) if form.__module__.partition(".")[0] in ROOMS]
    assert len(forms) > 100
    found = set()
    for form in forms:
        for name, field in getattr(form, "base_fields", {}).items():
            refused = [getattr(validator, "message", "") for validator in field.validators]
            of_decimals = [
                sentence
                for validator in field.validators
                for sentence in getattr(validator, "messages", {}).values()
            ]
            sentences = map(str, (*field.error_messages.values(), *refused, *of_decimals))
            found |= {(form.__name__, name) for sentence in sentences if sentence.startswith(DJANGO_WORDS)}
    assert found == {("CompareForm", "pool")}  # a slug, with a sentence of its own


def test_a_line_break_is_one_character_and_the_browser_cuts_no_text():
    field = typed_text(max_length=5)
    assert field.clean("a\r\nb\r\nc") == "a\nb\nc"
    with pytest.raises(ValidationError):
        field.clean("a\nb\nc\n")
    for each in (field, text_area()):
        assert "maxlength" not in each.widget.attrs


def test_a_reason_that_is_too_long_is_not_called_missing():
    assert len(DecisionForm({"action": "refuse", "reason": "x" * 2001}).errors["reason"]) == 1
    assert len(DecisionForm({"action": "refuse", "reason": " "}).errors["reason"]) == 1
