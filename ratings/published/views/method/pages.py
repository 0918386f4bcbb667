"""How ratings are calculated: worked examples, tables, the rulings and the numbers of a system's regulations."""

import hashlib
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from ratings.federations.facet import RatingSystem
from ratings.federations.method import Calculated, Method, WorkedExample, calculator_values
from ratings.federations.registry import (
    edition_in_force,
    method_section,
    more_rulings,
    rating_system,
    rating_systems,
)
from ratings.published.views.list_query import address as address_with
from reporting.web.forms import styled_form
from reporting.web.http_cache import public_file, public_page
from reporting.web.query_params import declare_parameters


def system_or_404(code: str) -> RatingSystem:
    """The rating system of an address."""
    try:
        return rating_system(code)
    except LookupError:
        raise Http404 from None


def method_or_404(code: str) -> tuple[RatingSystem, Method]:
    """The rating system of an address, with its method for readers."""
    system = system_or_404(code)
    if system.explanation.method is None:
        raise Http404
    return system, system.explanation.method


def methods() -> list[Method]:
    """The methods of the rating systems that declare one."""
    return [system.explanation.method for system in rating_systems() if system.explanation.method]


@login_not_required
@require_safe
@declare_parameters()
def method(request: HttpRequest, system: str) -> HttpResponseBase:
    """How a rating is made, with worked examples; then every ruling, with the parameters it settles in the edition in
    force today; then the rulings on reports, tie-breaks and titles."""
    found = system_or_404(system)
    rules, explanation = edition_in_force(found, timezone.localdate()), found.explanation

    section = method_section(system)

    def render_page() -> str:
        context: dict[str, Any] = {
            "system": found,
            "rules": rules,
            "rulings": [
                (ruling, [explanation.parameter(rules, name) for name in ruling.values])
                for ruling in explanation.rulings
            ],
            "more_rulings": more_rulings(system),
            "more": section and render_to_string(section.template, dict(section.context()), request),
        }
        if explanation.method:
            context |= {
                "summary": explanation.method.summary(rules),
                "examples": [
                    (
                        example,
                        calculated_example(explanation.method, rules, example),
                        address_with(
                            reverse("method-calculator", args=[system]),
                            calculator_values(example.player, example.results),
                        ),
                    )
                    for example in explanation.method.worked_examples(rules)
                ],
            }
        return render_to_string("ratings/method.html", context, request)

    return public_page(request, (rules.id,), render_page)


def calculated_example(method: Method, rules: Any, example: WorkedExample) -> Calculated:
    """An example, calculated like what readers type into the calculator."""
    form = method.player_form(example.player, rules=rules)
    assert form.is_valid(), form.errors  # noqa: S101 (the system's own values)
    return method.calculate(rules, form.cleaned_data, example.results)


@login_not_required
@require_safe
@declare_parameters(lambda: [method.lookup_form for method in methods()])
def method_tables(request: HttpRequest, system: str) -> HttpResponseBase:
    """The tables of the regulations, and what they have for a value."""
    found, method = method_or_404(system)
    lookup_form = styled_form(method.lookup_form)
    form = lookup_form(request.GET)
    is_valid = form.is_valid()

    def render_page() -> str:
        context = {
            "system": found,
            "form": form,
            "is_refused_query": not is_valid,
            "found": method.look_up(form.cleaned_data) if is_valid else (),
            "tables": method.tables(),
        }
        return render_to_string("ratings/method_tables.html", context, request)

    status = HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    return public_page(
        request, ("method-tables",), render_page, status=status, in_memory=not form.has_changed()
    )


@login_not_required
@require_safe
def recompute_program(request: HttpRequest, system: str) -> HttpResponseBase:
    """The program that recalculates the system's lists from their published files."""
    recomputation = system_or_404(system).recomputation
    if recomputation is None:
        raise Http404
    content = recomputation.program.read_bytes()
    return public_file(
        request,
        hashlib.sha256(content).hexdigest(),
        recomputation.program.name,
        lambda: HttpResponse(content, content_type="text/x-python; charset=utf-8"),
    )
