"""How ratings are calculated: the rulings and the numbers of the law in force."""

from dataclasses import fields
from functools import cache
from pathlib import Path

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from ratings.rules import fmjd
from ratings.rules.fmjd.parameters import Parameters, edition_in_force
from ratings.rules.rulings import Ruling, read_rulings
from ratings.views.answers import public_page

RULINGS = Path(fmjd.__file__).with_name("rulings.toml")


@cache
def rulings() -> tuple[Ruling, ...]:
    """The rulings on Annex 9, in order."""
    return read_rulings(RULINGS)


@login_not_required
@require_safe
def fmjd_method(request: HttpRequest) -> HttpResponseBase:
    """Every ruling, with the parameters it settles in the edition in force today."""
    parameters = edition_in_force(timezone.localdate())

    def draw() -> str:
        context = {
            "parameters": parameters,
            "rulings": [
                (ruling, [(name, value_of(parameters, name)) for name in ruling.values])
                for ruling in rulings()
            ],
        }
        return render_to_string("ratings/method.html", context, request)

    return public_page(request, (parameters.id,), draw)


def value_of(parameters: Parameters, name: str) -> str:
    """A parameter in words."""
    value = getattr(parameters, name)
    if name in {"classical_development", "rapid_blitz_development"}:
        return ", ".join(
            f"from {seconds // 60} min {seconds % 60:02} s {share} %" for seconds, share in value
        )
    if name == "closing_days":
        return ", ".join(f"{day}.{month}. for {to}.{start}." for (month, day), (start, to) in value)
    if name == "derived_lists":
        return ", ".join(each.title for each in value)
    return str(value)


def parameter_names() -> set[str]:
    """The fields a ruling may name."""
    return {field.name for field in fields(Parameters)}
