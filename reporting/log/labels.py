"""The labels of what this app writes to the audit log: actions, fields, values and reasons."""

from django.utils.translation import gettext_lazy as _

from reporting.log.actions import register_actions, register_fields, register_reasons, register_values


def register() -> None:
    """Add the actions and fields of this app to the registry of the log. Called once, at start."""
    register_actions(
        "reports",
        _("Reports"),
        {
            "report.upload": _("Report saved"),
            "report.match_players": _("Players matched again"),
            "report.compare_birth_dates": _("Dates of birth compared"),
            "report.save_comments": _("Comments on warnings saved"),
            "report.submit": _("Report submitted"),
            "report.delete": _("Draft deleted"),
            "report.take_back": _("Report taken back"),
            "report.withdraw": _("Report withdrawn"),
            "report.accept": _("Report accepted"),
            "report.return": _("Report returned"),
            "report.write_note": _("Note on a report written"),
            "report.close_notes": _("Notes on a report marked as answered"),
            "report.reject": _("Report rejected"),
            "report.undo_acceptance": _("Acceptance undone"),
            "announcement.create": _("Tournament announced"),
            "announcement.change": _("Announcement changed"),
            "announcement.withdraw": _("Announcement withdrawn"),
            "announcement.remind": _("Reminder sent"),
            "tournament.decide": _("Decided about a tournament"),
        },
    )
    register_actions(
        "register",
        _("Register"),
        {
            "register.upload": _("Table for the register uploaded"),
            "register.discard": _("Table for the register discarded"),
            "register.import": _("Register imported"),
            "memberships.import": _("Memberships of clubs imported"),
            "player.update": _("Player changed by an import"),
            "player.edit": _("Player edited"),
            "player.transfer": _("Player transferred"),
            "player.merge": _("Player records merged"),
            "player.undo_merge": _("Merge undone"),
            "player.erase_name": _("Name erased"),
        },
    )
    register_actions(
        "accounts",
        _("Accounts"),
        {
            "account.invite": _("Invitation sent"),
            "account.resend_invitation": _("Invitation sent again"),
            "account.withdraw_invitation": _("Invitation withdrawn"),
            "account.accept_invitation": _("Invitation accepted"),
            "account.change_roles": _("Roles changed"),
            "account.confirm_role": _("Role confirmed"),
            "account.close": _("Account closed"),
            "account.reopen": _("Account reopened"),
            "account.change_name": _("Name changed"),
            "account.show_name": _("Name shown on the federation’s page"),
            "account.hide_name": _("Name removed from the federation’s page"),
            "account.change_password": _("Password changed"),
            "account.reset_password": _("Password set by a link"),
            "account.add_factor": _("Second factor set up"),
            "account.remove_factor": _("Second factor removed"),
            "account.create_token": _("API token created"),
            "account.revoke_token": _("API token revoked"),
            "account.request_email_change": _("New e-mail address requested"),
            "account.change_email": _("E-mail address changed"),
        },
    )
    register_actions(
        "requests",
        _("Requests"),
        {
            "request.send": _("Request sent"),
            "request.confirm": _("Request confirmed by its sender"),
            "request.take": _("Request taken"),
            "request.ask": _("Question sent to the sender"),
            "request.reply": _("Reply of the sender"),
            "request.answer": _("Request answered"),
            "request.reopen": _("Request reopened"),
            "request.erase_sender": _("Sender of a request erased"),
        },
    )
    register_fields(
        {
            "active": _("Open"),
            "admitted_reason": _("Reason for admission"),
            "announced_on": _("Announced on"),
            "asked_for": _("Requested"),
            "basis": _("Basis"),
            "birth_year": _("Year of birth"),
            "bytes": _("Bytes"),
            "confirmed": _("Confirmed"),
            "corrects": _("Corrected tournament"),
            "created": _("Created"),
            "day of birth": _("Day of birth"),
            "differ": _("Different dates of birth"),
            "different_because": _("Reason for another tournament"),
            "different_from": _("Different from"),
            "email": _("E-mail address"),
            "entry": _("Entry of the log"),
            "federation": _("Federation"),
            "federation_id": _("Federation"),
            "figure": _("Figure"),
            "filename": _("File"),
            "findings": _("Findings"),
            "first_name": _("First name"),
            "format": _("Format"),
            "given_by": _("Assigned by"),
            "invitation": _("Invitation"),
            "last_name": _("Last name"),
            "lines": _("Lines"),
            "merged_into": _("Merged into"),
            "name": _("Name"),
            "newcomers": _("New players"),
            "note": _("Note"),
            "one_person": _("One person"),
            "outcome": _("Outcome"),
            "password": _("Password"),
            "played_from": _("First day"),
            "players": _("Players"),
            "program": _("By a program with the API token"),
            "public_name": _("Name on the federation’s page"),
            "reference": _("Reference"),
            "remarks": _("Remarks"),
            "reminded": _("Reminded"),
            "report": _("Report"),
            "role": _("Role"),
            "roles": _("Roles"),
            "same_file_as": _("Same file as"),
            "scopes": _("Scopes"),
            "not_compared": _("Dates of birth not compared"),
            "refused": _("Refused comparisons"),
            "second_factor": _("Second factor"),
            "sender": _("Sender"),
            "sent": _("Sent"),
            "sex": _("Sex"),
            "sha256": _("SHA-256"),
            "file_sha256": _("SHA-256 of the file"),
            "merged_duplicate": _("Duplicate record"),
            "state": _("State"),
            "taken_by": _("Taken by"),
            "changed_on": _("Federations and titles from"),
            "titles_on": _("Titles count from"),
            "tournament": _("Tournament"),
            "part": _("Part"),
            "until": _("Until"),
            "transferred_on": _("Day of transfer"),
            "two_people": _("Two people"),
            "unchanged": _("Unchanged"),
            "updated": _("Updated"),
            "version": _("Version"),
            "waiting": _("Not confirmed"),
            "warnings_answered": _("Warnings with a comment"),
            "withdrawn": _("Withdrawn"),
        }
    )
    _register_values()
    register_reasons(
        {
            "register.import": _("Import of the register"),
            "account.closed_by_owner": _("Closed by its owner"),
            "erasures.apply": _("Erased before; a backup from before the erasure was restored"),
            "scheduler.erase_sender": _("The scheduler: two years after closing"),
        }
    )


def _register_values() -> None:
    from reporting.models import (  # noqa: PLC0415 (needs the apps)
        CorrectionRequest,
        Report,
        RequestEntry,
        Role,
        Scope,
        Sex,
    )

    for state in (Report._meta.get_field("state"), CorrectionRequest._meta.get_field("state")):
        register_values("state", state.flatchoices)
    for field, choices in (
        ("role", Role.choices),
        ("roles", Role.choices),
        ("scopes", Scope.choices),
        ("sex", Sex.choices),
        ("figure", CorrectionRequest.Figure.choices),
        ("outcome", RequestEntry.Outcome.choices),
        ("invitation", (("open", _("Open")), ("withdrawn", _("Withdrawn")))),
        ("sender", (("erased", _("Erased")),)),
        ("day of birth", (("known", _("known")), ("changed", _("changed")))),
    ):
        register_values(field, choices)
