"""The public pages at which anybody can verify a certificate, and its file."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from reporting.rules.register.titles import discipline_of_titles
from reporting.web.forms import StyledFormMixin
from reporting.web.http_cache import cached, public_page
from reporting.web.query_params import declare_parameters
from reporting.web.values import day, first_name_first, title_label
from titles.certificates.print_certificate import certificate_pdf
from titles.certificates.selectors import Certificate, find_certificate
from titles.labels import colour_text
from titles.models import Norm
from titles.register.selectors import titles_stamp

LOOK_ALIKES = str.maketrans("018", "OIB")
CODE = r"\A[TN][1-9][0-9]{0,8}-[A-Z2-7]{8}\Z"


class CodeField(forms.RegexField):
    """A code as people copy it: with spaces, in small letters, with digits that no code has."""

    def to_python(self, value: Any) -> str:
        kind_and_number, hyphen, check = "".join(str(super().to_python(value)).upper().split()).partition("-")
        return kind_and_number + hyphen + check.translate(LOOK_ALIKES)


class CodeForm(StyledFormMixin, forms.Form):
    """The code of a certificate, as it is printed."""

    code = CodeField(
        CODE,
        label=_("Code of the certificate"),
        help_text=_("As it is printed: T12-7KQ2MXPA."),
        error_messages={"invalid": _("A code has a letter, a number, a hyphen and eight letters or digits.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


@login_not_required
@require_safe
@declare_parameters(CodeForm)
def certificates(request: HttpRequest) -> HttpResponse:
    """Enter the code of a certificate."""
    form = CodeForm(request.GET)
    if form["code"].value() is None:
        form = CodeForm()
    elif form.is_valid():
        return redirect("title-certificate", form.cleaned_data["code"])
    context = {"form": form, "is_refused_query": form.is_bound}
    return render(request, "titles/certificates.html", context)


@login_not_required
@require_safe
@declare_parameters()
def certificate(request: HttpRequest, code: str) -> HttpResponseBase:
    """What the register says about a certificate; 404 for a code that belongs to none."""
    found = find_certificate(code)

    def render_page() -> str:
        return render_to_string("titles/certificate.html", {"certificate": found, "code": code}, request)

    stamp = (*titles_stamp(), found.validity if found else "")
    return public_page(request, stamp, render_page, status=200 if found else 404)


@login_not_required
@require_safe
def certificate_file(request: HttpRequest, code: str) -> HttpResponse:
    """The certificate as PDF."""
    found = find_certificate(code)
    if found is None or not found.is_printed:
        raise Http404
    office = (settings.OFFICE_URL or request.build_absolute_uri("/")).rstrip("/")
    texts = texts_of(found, f"{office}{reverse('title-certificate', args=[code])}")
    pdf = cached(("certificate", get_language(), *texts.items()), lambda: certificate_pdf(texts))
    return HttpResponse(
        pdf,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="certificate-{code}.pdf"'},
    )


def texts_of(found: Certificate, address: str) -> dict[str, str]:
    """The texts of a certificate, in the language of the page."""
    board = gettext(discipline_of_titles(found.discipline))
    values = {"title": title_label(found.title), "board": board, "day": day(found.day)}
    texts = {
        "issuer": gettext("Rating Office"),
        "player": first_name_first(found.player.printed_name),
        "federation": found.player.federation.name,
        "verify": gettext("Verify this certificate, code %(code)s, at") % {"code": found.code},
        "address": address,
    }
    if found.norm is None:
        return texts | {
            "heading": gettext("Certificate of title"),
            "title": values["title"],
            "line": board,
            "day": gettext("Registered on %(day)s") % values if found.day else "",
        }
    norm = found.norm
    values |= {
        "tournament": norm.result_set.name,
        "played": day(norm.result_set.played_to),
        "colour": colour_text("colour", norm.colour),
        "games": str(norm.games),
    }
    if norm.kind == Norm.Kind.TITLE:
        kind = gettext("%(title)s, automatic title")
    else:
        kind = gettext("%(title)s, %(colour)s norm") if norm.colour else gettext("%(title)s norm")
    return texts | {
        "heading": gettext("Certificate of norm"),
        "title": kind % values,
        "line": gettext("%(tournament)s, last round on %(played)s, %(board)s, %(games)s games") % values,
        "day": gettext("Published in the list of %(day)s") % values,
    }
