"""Addresses of logging in and out."""

from django.contrib.auth.decorators import login_not_required
from django.urls import path

from reporting.views import accounts

urlpatterns = [
    path("login/", accounts.LogIn.as_view(), name="login"),
    path("logout/", login_not_required(accounts.LogOut.as_view()), name="logout"),
]
