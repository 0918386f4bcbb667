"""The addresses of this app."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from titles.applications import views as applications
from titles.certificates import views as certificates
from titles.federations.registry import pages_of_federations
from titles.forecasts import views as forecasts
from titles.ledger import views as ledger
from titles.norms import views as norms
from titles.register import views as register


class CodeConverter(StringConverter):
    """The code of a certificate: a kind, a number and a check."""

    regex = r"[TN][1-9][0-9]{0,8}-[A-Z2-7]{8}"


register_converter(CodeConverter, "certificate")

urlpatterns = [
    path("tournaments/<slug:code>/norms/", norms.tournament_norms, name="tournament-norms"),
    path("titles/norms/", norms.norm_drafts, name="norm-drafts"),
    path("titles/norms/<number:number>/", norms.norm, name="norm"),
    path("titles/norms/<number:number>/requirements/", norms.public_norm, name="title-norm"),
    path("titles/norms/<slug:pool>/<day:in_force>/", norms.norms_of_draft, name="norms-of-draft"),
    path("titles/norms/<slug:pool>/<day:in_force>/claim/", norms.claim, name="norm-claim"),
    path("titles/", register.titles, name="titles"),
    path("titles/feed.atom", register.feed, name="title-feed"),
    path("titles/forecast/", forecasts.entrants_forecast, name="title-forecast"),
    path("titles/points/<slug:system>/", forecasts.points_for_norm, name="title-points"),
    path("titles/forecast/report/", forecasts.running_forecast, name="title-forecast-running"),
    path(
        "titles/forecast/reports/<number:number>/", forecasts.report_forecast, name="title-forecast-of-report"
    ),
    path("titles/certificates/", certificates.certificates, name="title-certificates"),
    path("titles/certificates/<certificate:code>/", certificates.certificate, name="title-certificate"),
    path(
        "titles/certificates/<certificate:code>/certificate.pdf",
        certificates.certificate_file,
        name="title-certificate-file",
    ),
    path("titles/players/", ledger.ledgers, name="title-ledgers"),
    path("titles/players/<player:address>/", ledger.ledger, name="title-ledger"),
    path("titles/applications/", applications.applications, name="title-applications"),
    path("titles/applications/<number:number>/", applications.application, name="title-application"),
    *(path("", include(addresses)) for addresses in pages_of_federations()),
]
