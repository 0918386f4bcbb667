"""Messages about accounts, written in the transaction of the action. They are mailed later: send_messages.py."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext

from reporting.log.actions import reason_label
from reporting.log.audit import Actor
from reporting.messages.notifications import create_message, format_minute, office_language
from reporting.messages.one_time_links import INVITATION, PASSWORD
from reporting.models import ApiToken, Invitation, Message, Role, RoleAssignment, User

KINDS = Message.Kind


@office_language()
def notify_invited(invitation: Invitation, by: Actor) -> Message:
    """Invite a person; the mail carries the link to set a password."""
    account = invitation.account
    values = {
        "name": by.user.name,
        "roles": role_labels(account.roles_given),
        "federation": account.federation.name if account.federation else "",
        "until": format_minute(invitation.sent_at + INVITATION.holds),
    }
    return _notify(
        account,
        KINDS.INVITATION,
        gettext("Invitation to the rating office"),
        (
            gettext("%(name)s invites you to the rating office. Role: %(roles)s. Federation: %(federation)s.")
            if account.federation
            else gettext("%(name)s invites you to the rating office. Role: %(roles)s.")
        )
        % values,
        gettext(
            "Open the link below to set your password. You log in with this e-mail address. The link works once, until"
            " %(until)s."
        )
        % values,
        gettext("If you did not expect this, do nothing. Without a password the account stays closed."),
    )


@office_language()
def notify_password_link(account: User) -> None:
    """Send the link to set a new password."""
    _notify(
        account,
        KINDS.PASSWORD_RESET,
        gettext("New password"),
        gettext(
            "A new password was requested for this account. Open the link below to set it. The link works once, until"
            " %(until)s."
        )
        % {"until": format_minute(timezone.now() + PASSWORD.holds)},
        gettext("If you did not request it, do nothing. Your password stays as it is."),
    )


@office_language()
def notify_password_changed(account: User) -> None:
    """Tell the owner of an account that its password changed."""
    _notify(
        account,
        KINDS.PASSWORD_CHANGED,
        gettext("Your password was changed"),
        gettext(
            "The password of this account was changed. All other devices were logged out, and all API tokens were"
            " revoked."
        ),
        _security_advice(),
    )


@office_language()
def notify_email_change(account: User, email: str) -> None:
    """Tell the present address of an account that a new one was requested."""
    _notify(
        account,
        KINDS.EMAIL_CHANGE,
        gettext("New e-mail address"),
        gettext(
            "A new e-mail address was requested for this account: %(email)s. It applies once the link sent to that"
            " address is followed."
        )
        % {"email": email},
        _security_advice(),
        address=account.email,
    )


@office_language()
def notify_new_address(account: User, email: str) -> None:
    """Send the link that confirms a new address, to that address."""
    _notify(
        account,
        KINDS.EMAIL_CONFIRM,
        gettext("Confirmation of your e-mail address"),
        gettext(
            "Open the link below to log in with this e-mail address from now on. The link works once, for one day."
            " Log in with your current address to open it."
        ),
        gettext("If you did not request this, do nothing."),
        address=email,
    )


@office_language()
def notify_factor_change(account: User, *, added: bool) -> None:
    """Tell the owner of an account that its second factor was set up or removed."""
    _notify(
        account,
        KINDS.ACCOUNT_CHANGED,
        gettext("Second factor set up") if added else gettext("Second factor removed"),
        gettext("A second factor was set up for this account.")
        if added
        else gettext("The second factor of this account was removed."),
        _security_advice(),
    )


@office_language()
def notify_token_created(token: ApiToken) -> None:
    """Tell the owner of an account that a token was created."""
    _notify(
        token.account,
        KINDS.ACCOUNT_CHANGED,
        gettext("API token created: %(name)s") % {"name": token.name},
        gettext("A program with this token can act in your name until %(until)s. It can do this:")
        % {"until": format_minute(token.expires_at)},
        "\n".join(f"- {label}" for label in token.scope_labels),
        gettext(
            "If this was not you, change your password: that revokes all tokens. Then write to the rating office."
        ),
    )


@office_language()
def notify_closed(account: User, reason: str, by: Actor) -> None:
    """Tell the owner of an account that it was closed."""
    _notify(
        account,
        KINDS.ACCOUNT_CHANGED,
        gettext("Your account was closed"),
        gettext("You can no longer log in. Your past work stays as it is, under your name."),
        *_by_whom_and_why(by, reason_label(reason)),
        _mistake_advice(),
    )


@office_language()
def notify_reopened(account: User, reason: str, by: Actor) -> None:
    """Tell the owner of an account that it was reopened."""
    _notify(
        account,
        KINDS.ACCOUNT_CHANGED,
        gettext("Your account was reopened"),
        gettext(
            "Your old password no longer works. Set a new one with “Forgot your password?” on the log-in page."
        ),
        *_by_whom_and_why(by, reason),
    )


@office_language()
def notify_roles_changed(
    account: User, old: tuple[Sequence[str], str], new: tuple[Sequence[str], str], reason: str, by: Actor
) -> None:
    """Tell the owner of an account its new roles and federation (a code, empty for none), and the old ones."""
    texts = [
        gettext("New: %(rights)s.") % {"rights": _rights(*new)},
        gettext("Before: %(rights)s.") % {"rights": _rights(*old)},
    ]
    if account.roles_waiting:
        texts.append(
            gettext("Another administrator has to confirm: %(roles)s. Until then these give no rights.")
            % {"roles": role_labels(account.roles_waiting)}
        )
    _notify(
        account,
        KINDS.ACCOUNT_CHANGED,
        gettext("Your roles were changed"),
        " ".join(texts),
        *_by_whom_and_why(by, reason),
        _mistake_advice(),
    )


@office_language()
def notify_factor_removed(account: User, reason: str, by: Actor) -> None:
    """Tell the owner of an account that an administrator removed its second factor."""
    _notify(
        account,
        KINDS.ACCOUNT_CHANGED,
        gettext("Your second factor was removed"),
        gettext("Log in with your password and set up a new second factor."),
        *_by_whom_and_why(by, reason),
        _mistake_advice(),
    )


@office_language()
def notify_role_confirmed(account: User, assignment: RoleAssignment, by: Actor) -> None:
    """Tell the owner of an account that an administrator confirmed a role."""
    create_message(
        kind=KINDS.ACCOUNT_CHANGED,
        recipient=account,
        about="/account/",
        title=gettext("Role confirmed: %(role)s") % {"role": Role(assignment.role).label},
        text=gettext(
            "%(assigned_by)s assigned the role, %(confirmed_by)s confirmed it. It applies from now on."
        )
        % {"assigned_by": assignment.assigned_by.name, "confirmed_by": by.user.name},
    )


@office_language()
def notify_administrators(account: User, by: Actor) -> None:
    """Ask the other administrators to confirm the waiting roles of an account, if it has any."""
    if not account.roles_waiting:
        return
    values = {
        "by": by.user.name,
        "name": account.name,
        "email": account.email,
        "roles": role_labels(account.roles_waiting),
    }
    for administrator in User.objects.holding(Role.ADMINISTRATOR).exclude(pk__in=[by.user.pk, account.pk]):
        create_message(
            kind=KINDS.ACCOUNT_CHANGED,
            recipient=administrator,
            about=f"/accounts/{account.pk}/#roles",
            title=gettext("Role to confirm: %(name)s") % values,
            text=gettext("%(by)s assigned a role to %(name)s (%(email)s): %(roles)s.") % values
            + " "
            + gettext("It applies once another administrator confirms it on the page of the account.")
            + " "
            + gettext("If you did not expect this, ask %(by)s by phone before you confirm.") % values,
        )


def role_labels(roles: Sequence[str]) -> str:
    """`Referee, Rating officer`."""
    return ", ".join(str(Role(role).label) for role in roles) or gettext("no role")


def _notify(account: User, kind: Message.Kind, title: str, *texts: str, address: str = "") -> Message:
    """A message about the account itself, also to a closed one. One-time links are made when the mail is sent."""
    text = "\n\n".join(texts)
    return Message.objects.create(
        kind=kind, recipient=account, about="/account/", title=title, text=text, address=address
    )


def _rights(roles: Sequence[str], federation: str) -> str:
    return f"{role_labels(roles)} ({federation})" if federation else role_labels(roles)


def _by_whom_and_why(by: Actor, reason: str) -> tuple[str, str]:
    name = gettext("command") if by.by_command else by.user.name
    return (
        gettext("Administrator: %(name)s") % {"name": name},
        gettext("Reason: %(reason)s") % {"reason": reason},
    )


def _security_advice() -> str:
    return gettext("If this was not you, change your password and write to the rating office.")


def _mistake_advice() -> str:
    return gettext("If you think this is a mistake, write to the rating office.")
