"""The addresses that only this federation has."""

from django.urls import path

from titles.federations.fmjd.world_cup.views import declarations, office, public

urlpatterns = [
    path("office/world-cup/", office.classification, name="office-world-cup"),
    path("office/world-cup/declarations/", declarations.declarations, name="office-declarations"),
    path("world-cup/what-must-i-score/", public.what_must_i_score, name="what-must-i-score"),
    path("youth-teams/<number:year>/<slug:tempo>/", public.youth_teams, name="youth-teams"),
]
