"""The addresses that only this federation has."""

from django.urls import path

from titles.federations.fmjd.championships.views import office as championships
from titles.federations.fmjd.championships.views import public as public_championships
from titles.federations.fmjd.world_cup.events import views as events
from titles.federations.fmjd.world_cup.views import declarations, office, public, publications, published
from titles.federations.fmjd.world_cup.youth_teams import views as youth_teams

CLASSIFICATION = "world-cup/<slug:section>/<day:day>/"
REVISION = f"{CLASSIFICATION}r<revision:revision>/"
WOMEN = {"women": True}

urlpatterns = [
    path("world-cup/", published.world_cup, name="world-cup"),
    path("world-cup/recompute.py", published.recompute_program, name="world-cup-recompute"),
    path(CLASSIFICATION, published.classification, name="world-cup-open"),
    path(REVISION, published.classification, name="world-cup-open"),
    path(f"{CLASSIFICATION}women/", published.classification, WOMEN, name="world-cup-women"),
    path(f"{REVISION}women/", published.classification, WOMEN, name="world-cup-women"),
    path(f"{REVISION}<file:name>", published.file, name="world-cup-open-file"),
    path(f"{REVISION}women/<file:name>", published.file, WOMEN, name="world-cup-women-file"),
    path("office/world-cup/", office.classification, name="office-world-cup"),
    path("office/world-cup/publications/", publications.publications, name="office-publications"),
    path(
        "office/world-cup/publications/<number:number>/", publications.publication, name="office-publication"
    ),
    path("office/world-cup/declarations/", declarations.declarations, name="office-declarations"),
    path(
        "reports/announcements/<int:number>/world-cup/",
        events.world_cup_proposal,
        name="announcement-world-cup",
    ),
    path("world-cup/events/<number:number>/", events.world_cup_event, name="world-cup-event"),
    path("office/championships/", championships.office_championships, name="office-championships"),
    path("office/championships/new/", championships.office_championship_new, name="office-championship-new"),
    path("office/championships/<slug:code>/", championships.office_championship, name="office-championship"),
    path(
        "office/championships/<slug:code>/change/",
        championships.office_championship_change,
        name="office-championship-change",
    ),
    path("championships/", public_championships.all_championships, name="championships"),
    path("championships/<slug:code>/", public_championships.championship, name="championship"),
    *(
        path(f"championships/<slug:code>/{kind}/r<revision:revision>/{rest}", view, {"kind": kind}, name=name)
        for kind in ("participants", "reserves")
        for rest, view, name in (
            ("", public_championships.published_list, f"championship-{kind}"),
            ("<file:name>", public_championships.file, f"championship-{kind}-file"),
        )
    ),
    path("world-cup/what-must-i-score/", public.what_must_i_score, name="what-must-i-score"),
    path("youth-teams/", youth_teams.years, name="youth-teams-years"),
    path("youth-teams/<number:year>/<slug:tempo>/", youth_teams.teams, name="youth-teams"),
    path("youth-teams/<number:year>/<slug:tempo>/<file:name>", youth_teams.file, name="youth-teams-file"),
]
