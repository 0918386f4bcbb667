"""Addresses of titles and norms below `/api/v1/`."""

from django.urls import path

from titles.register.api import certificates, norms, titles

urlpatterns = [
    path("titles/", titles.TitlesView.as_view(), name="api-titles"),
    path("norms/", norms.NormsView.as_view(), name="api-norms"),
    path("norms/<number:number>/", norms.NormView.as_view(), name="api-norm"),
    path("players/<player:address>/titles/", titles.PlayerTitlesView.as_view(), name="api-player-titles"),
    path("certificates/<certificate:code>/", certificates.CertificateView.as_view(), name="api-certificate"),
]
