"""The catalogue of refusals and the places that refuse: each key has a sentence, each sentence its values."""

import ast
from pathlib import Path
from string import Formatter

import pytest
from django.utils import translation

from reporting.models import Role, User
from reporting.policies import require_role
from reporting.refusals.domain_error import DomainError, refusal_catalogue
from reporting.rules.sentences import Listed, Plural
from tests.pseudo_language import CODE, pseudo, pseudo_language

ROOT = Path(__file__).parents[2]
APPS = ("reporting", "ratings", "titles", "config")


def refusing():
    """File, line, keys and names of the values of every `DomainError(...)` in the apps."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "DomainError":
                    keys = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
                    yield (
                        f"{path.relative_to(ROOT)}:{node.lineno}",
                        node.args[0],
                        keys,
                        {k.arg for k in node.keywords},
                    )


def keys_used(first, keys):
    if isinstance(first, ast.JoinedStr):  # one case of several, by a value
        return [key for key in refusal_catalogue() if key.startswith(keys[0])]
    return [key for key in keys if isinstance(key, str)]


def names_in(template):
    parts = (template.one, template.many) if isinstance(template, Plural) else (template,)
    return {name for part in parts for _, name, _, _ in Formatter().parse(part) if name}


def test_each_place_gives_a_key_of_the_catalogue_and_its_values():
    wrong = []
    for place, first, keys, given in refusing():
        for key in keys_used(first, keys):
            if key not in refusal_catalogue():
                wrong.append((place, key, "not in the catalogue"))
            elif missing := names_in(refusal_catalogue()[key]) - given:
                wrong.append((place, key, missing))
    assert wrong == []


def test_each_key_of_the_catalogue_is_used():
    used = {key for _, first, keys, _ in refusing() for key in keys_used(first, keys)}
    used |= {
        node.value
        for node in ast.walk(ast.parse((ROOT / "reporting/models/locks.py").read_text()))
        if isinstance(node, ast.Constant)
    }
    assert set(refusal_catalogue()) - used == set()


def test_a_key_outside_the_catalogue_is_a_fault_of_the_program():
    with pytest.raises(KeyError):
        DomainError("no_such_refusal")


def test_a_refusal_has_its_code_its_values_and_its_sentence():
    refusal = DomainError("comments_missing", count=2)
    assert (refusal.code, refusal.message) == ("comments_missing", "2 warnings have no comment yet.")
    assert DomainError("comments_missing", count=1).message == "1 warning has no comment yet."
    assert DomainError("wrong_state.submit").code == "wrong_state"


def test_roles_are_codes_when_it_is_raised_and_labels_when_it_is_shown(monkeypatch):
    monkeypatch.setattr(User, "has_role", lambda *_: False)
    with pytest.raises(DomainError) as raised:
        require_role(User(), Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR)
    refusal = raised.value
    assert refusal.values == {"roles": Listed(("rating_officer", "tournament_director"))}
    assert refusal.message.endswith("one of these roles: Rating officer, Tournament director.")
    with pseudo_language(), translation.override(CODE):
        assert f"{pseudo('Rating officer')}, {pseudo('Tournament director')}" in refusal.message
