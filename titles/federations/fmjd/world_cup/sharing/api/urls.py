"""The addresses of publications below `/api/v1/`."""

from django.urls import path

from titles.federations.fmjd.world_cup.sharing.api import classifications, places

CLASSIFICATION = "world-cup/<slug:section>/<day:day>/r<revision:revision>/"
LIST = "championships/<slug:code>/{}/r<revision:revision>/"
OPEN, WOMEN = {"women": False}, {"women": True}

urlpatterns = [
    path("world-cup/", classifications.ClassificationsView.as_view(), name="api-world-cup"),
    path(CLASSIFICATION, classifications.ClassificationView.as_view(), OPEN, name="api-classification"),
    path(
        f"{CLASSIFICATION}women/",
        classifications.WomenClassificationView.as_view(),
        WOMEN,
        name="api-classification-women",
    ),
    path(
        f"{CLASSIFICATION}differences/",
        classifications.ClassificationDifferencesView.as_view(),
        OPEN,
        name="api-classification-differences",
    ),
    path(
        f"{CLASSIFICATION}women/differences/",
        classifications.WomenClassificationDifferencesView.as_view(),
        WOMEN,
        name="api-classification-women-differences",
    ),
    path("championships/", places.ListsView.as_view(), name="api-championships"),
    *(
        path(f"{LIST.format(kind)}{rest}", view.as_view(), {"kind": kind}, name=f"api-{kind}{suffix}")
        for kind, rest, view, suffix in (
            ("participants", "", places.ParticipantsView, ""),
            ("participants", "differences/", places.ParticipantsDifferencesView, "-differences"),
            ("reserves", "", places.ReservesView, ""),
            ("reserves", "differences/", places.ReservesDifferencesView, "-differences"),
        )
    ),
]
