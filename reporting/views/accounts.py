"""Logging in and out, by e-mail address."""

from django.contrib.auth import views
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest

__all__ = ["LogIn", "LogOut"]


class LogInForm(AuthenticationForm):
    """E-mail address and password; which of them was wrong is not told."""

    error_messages = {  # noqa: RUF012 (Django's own protocol)
        "invalid_login": "This e-mail address and password do not go together. "
        "Mind capital and small letters in the password.",
        "inactive": "This account is closed.",
    }

    def __init__(self, request: HttpRequest | None = None, *args: object, **kwargs: object) -> None:
        super().__init__(request, *args, **kwargs)
        self.fields["username"].label = "E-mail address"
        for field in self.fields.values():
            field.widget.attrs["class"] = "field__input"


class LogIn(views.LoginView):
    """To the page that was asked for, else to the first one."""

    template_name = "reporting/login.html"
    authentication_form = LogInForm
    redirect_authenticated_user = True


class LogOut(views.LogoutView):
    """By POST only."""
