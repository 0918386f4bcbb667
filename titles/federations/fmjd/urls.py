"""The addresses that only this federation has."""

from django.urls import path

from titles.federations.fmjd.world_cup import views as world_cup

urlpatterns = [
    path("office/world-cup/", world_cup.office_classification, name="office-world-cup"),
]
