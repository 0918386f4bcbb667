"""The addresses that only this federation has."""

from django.urls import path

from titles.federations.fmjd.world_cup import public_views
from titles.federations.fmjd.world_cup import views as world_cup

urlpatterns = [
    path("office/world-cup/", world_cup.office_classification, name="office-world-cup"),
    path("world-cup/what-must-i-score/", public_views.what_must_i_score, name="what-must-i-score"),
    path("youth-teams/<number:year>/<slug:tempo>/", public_views.youth_teams, name="youth-teams"),
]
