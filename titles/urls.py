"""The addresses of norms and titles. Their converters are those of ratings/urls.py."""

from django.urls import path

from titles.norms import views as norms

urlpatterns = [
    path("titles/norms/", norms.norm_drafts, name="norm-drafts"),
    path("titles/norms/<number:number>/", norms.norm, name="norm"),
    path("titles/norms/<slug:pool>/<day:in_force>/", norms.norms_of_draft, name="norms-of-draft"),
    path("titles/norms/<slug:pool>/<day:in_force>/claim/", norms.claim, name="norm-claim"),
]
