"""The addresses of champions."""

from django.urls import path

from titles.federations.fmjd.champions.views import office, public

urlpatterns = [
    path("champions/", public.champions, name="champions"),
    path("champions/champions.csv", public.champions_file, name="champions-file"),
    path("champions/federations/", public.medals_by_federation, name="champions-federations"),
    path("champions/<number:year>/", public.champions_of_year, name="champions-of-year"),
    path("champions/<slug:code>/", public.championship, name="championship-champions"),
    path("office/champions/", office.champions, name="office-champions"),
    path(
        "office/champions/<slug:code>/<number:year>/title-match/",
        office.title_match,
        name="office-title-match",
    ),
]
