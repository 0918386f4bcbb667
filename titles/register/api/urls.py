"""Addresses of titles and norms below `/api/v1/`."""

from django.urls import include, path

from reporting.web.access import allow_large_body
from titles.federations.registry import endpoints_of_federations
from titles.forecasts.api import MOST_BYTES, PredictView
from titles.register.api import certificates, norms, titles

urlpatterns = [
    path("predict/", allow_large_body(MOST_BYTES)(PredictView.as_view()), name="api-predict"),
    path("titles/", titles.TitlesView.as_view(), name="api-titles"),
    path("norms/", norms.NormsView.as_view(), name="api-norms"),
    path("norms/<number:number>/", norms.NormView.as_view(), name="api-norm"),
    path("players/<player:address>/titles/", titles.PlayerTitlesView.as_view(), name="api-player-titles"),
    path("certificates/<certificate:code>/", certificates.CertificateView.as_view(), name="api-certificate"),
    *(path("", include(addresses)) for addresses in endpoints_of_federations()),
]
