"""The endpoint that verifies a certificate by its public code."""

from typing import Any

from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from reporting.web.api.endpoints import PublicView
from titles.certificates.selectors import Certificate, find_certificate
from titles.register.api.serializers import CertificateSerializer
from titles.register.selectors import titles_stamp


class CertificateView(PublicView):
    """A certificate."""

    nothing_found = gettext_lazy("There is no certificate with this code.")

    @extend_schema(operation_id="retrieveCertificate", responses=CertificateSerializer)
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """What the register says about a certificate, and whether that holds now."""
        self.read(request)
        found = find_certificate(code)
        if found is None:
            raise Http404
        stamp = (*titles_stamp(), found.validity)
        return self.answer(request, stamp, lambda: CertificateSerializer(certificate_in_answer(found)).data)


def certificate_in_answer(found: Certificate) -> dict[str, Any]:
    names = ("code", "validity", "title", "discipline", "day")
    return {
        **{name: getattr(found, name) for name in names},
        "player": found.player.address,
        "name": found.player.printed_name,
        "federation": found.player.federation_id,
        "withdrawn_on": found.title_held and found.title_held.withdrawn_on,
        "tournament": found.norm and found.norm.result_set.code,
        "file": reverse("title-certificate-file", args=(found.code,)) if found.is_printed else None,
        "page": reverse("title-certificate", args=(found.code,)),
    }
