"""Addresses of logging in and out, and of messages."""

from django.contrib.auth.decorators import login_not_required
from django.urls import path

from reporting.views import accounts, messages

urlpatterns = [
    path("login/", accounts.LogIn.as_view(), name="login"),
    path("logout/", login_not_required(accounts.LogOut.as_view()), name="logout"),
    path("messages/", messages.own_messages, name="messages"),
    path("mailbox/", messages.mailbox, name="mailbox"),
]
