"""The addresses of this app."""

from allauth.account import views as allauth_views
from allauth.mfa.base import views as factor
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.db import transaction
from django.urls import path, re_path, register_converter
from django.urls.converters import StringConverter

from reporting.accounts.views import accounts, invitations, manage_accounts, tokens
from reporting.accounts.views.accounts import allauth_page
from reporting.log.views import log, security_log
from reporting.messages import views as messages_views
from reporting.register.views import (
    edit_player,
    erase_name,
    import_register,
    memberships,
    register,
    transfer_player,
)
from reporting.reports.decisions import views as decisions
from reporting.reports.pairing import views as pairing
from reporting.reports.standings import views as standings
from reporting.reports.views import (
    announcements,
    check_file,
    inbox,
    report_notes,
    reports,
    review,
    upload,
)
from reporting.reports.views.file import page as file
from reporting.reports.views.file import versions
from reporting.reports.views.people import page as people
from reporting.reports.views.results_entry import crosstable, players, rounds
from reporting.reports.views.steps import details, preview, submit
from reporting.requests import views as notices


class PlayerConverter(StringConverter):
    """A player of the register (`Player.address`): `10123`, or `knsb-4711` without a number in the first register."""

    regex = r"(?:[a-z]{2,8}-)?[1-9][0-9]{0,9}"


register_converter(PlayerConverter, "player")

urlpatterns = [
    # Of allauth only these; an address of it that is not named here does not exist.
    path("login/", allauth_page(allauth_views.login, "GET", "HEAD", "POST"), name="account_login"),
    path(
        "login/code/",
        allauth_page(accounts.SecondFactor.as_view(), "GET", "HEAD", "POST"),
        name="mfa_authenticate",
    ),
    path("logout/", allauth_page(allauth_views.logout, "POST"), name="account_logout"),
    path(
        "account/confirm/",
        allauth_page(accounts.ConfirmByPassword.as_view(), "GET", "HEAD", "POST"),
        name="account_reauthenticate",
    ),
    path(
        "account/confirm/code/",
        allauth_page(accounts.ConfirmByCode.as_view(), "GET", "HEAD", "POST"),
        name="mfa_reauthenticate",
    ),
    path(
        "account/password/",
        allauth_page(allauth_views.password_change, "GET", "HEAD", "POST"),
        name="account_change_password",
    ),
    path(
        "account/forgotten/",
        allauth_page(allauth_views.password_reset, "GET", "HEAD", "POST"),
        name="account_reset_password",
    ),
    path(
        "account/forgotten/sent/",
        allauth_page(allauth_views.password_reset_done, "GET", "HEAD"),
        name="account_reset_password_done",
    ),
    re_path(
        r"^account/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        allauth_page(accounts.ResetPassword.as_view(), "GET", "HEAD", "POST"),
        name="account_reset_password_from_key",
    ),
    path("account/factor/", allauth_page(factor.index, "GET", "HEAD"), name="mfa_index"),
    path(
        "account/factor/set-up/",
        allauth_page(totp.activate_totp, "GET", "HEAD", "POST"),
        name="mfa_activate_totp",
    ),
    path(
        "account/factor/remove/",
        allauth_page(transaction.atomic(totp.deactivate_totp), "GET", "HEAD", "POST"),
        name="mfa_deactivate_totp",
    ),
    path(
        "account/factor/codes/",
        allauth_page(recovery_codes.view_recovery_codes, "GET", "HEAD"),
        name="mfa_view_recovery_codes",
    ),
    path(
        "account/factor/codes/new/",
        allauth_page(recovery_codes.generate_recovery_codes, "GET", "HEAD", "POST"),
        name="mfa_generate_recovery_codes",
    ),
    path("account/sessions/", accounts.account_sessions, name="account-sessions"),
    path("account/", accounts.account, name="account"),
    path("account/close/", accounts.account_close_own, name="account-close-own"),
    path("account/own-data.json", accounts.account_data, name="account-data"),
    path("account/name/", accounts.account_name, name="account-name"),
    path("account/tokens/", tokens.tokens, name="account-tokens"),
    path("account/tokens/new/", tokens.new_token, name="account-token-new"),
    path("account/mails/", messages_views.own_mails, name="account-mails"),
    path("account/mails/stop/<str:key>/", messages_views.stop_mails_of_kind, name="account-stop-mails"),
    path("account/email/", accounts.account_email, name="account_email"),
    path("account/email/<str:key>/", accounts.account_confirm_email, name="account_confirm_email"),
    path(
        "account/invitation/<uidb64>/<token>/", accounts.AcceptInvitation.as_view(), name="account-invitation"
    ),
    path("accounts/", invitations.account_list, name="accounts"),
    path("accounts/invite/", invitations.account_invite, name="account-invite"),
    path("accounts/<int:number>/", manage_accounts.account_page, name="account-page"),
    path("accounts/<int:number>/close/", manage_accounts.account_close, name="account-close"),
    path("accounts/<int:number>/reopen/", manage_accounts.account_reopen, name="account-reopen"),
    path("accounts/<int:number>/roles/", manage_accounts.account_roles, name="account-roles"),
    path(
        "accounts/<int:number>/roles/<int:assignment>/confirm/",
        manage_accounts.account_confirm_role,
        name="account-confirm-role",
    ),
    path("accounts/<int:number>/factor/", manage_accounts.account_factor, name="account-factor"),
    path("accounts/security/", security_log.security_log, name="account-security"),
    path("accounts/<int:number>/resend/", invitations.account_invite_again, name="account-resend-invitation"),
    path("accounts/<int:number>/withdraw/", invitations.account_withdraw, name="account-withdraw"),
    path("office/log/", log.log, name="audit-log"),
    path("office/log/entries.csv", log.log_file, name="audit-log-file"),
    path("messages/", messages_views.own_messages, name="messages"),
    path("mailbox/", messages_views.mailbox, name="mailbox"),
    path("office/reports/", inbox.inbox, name="office-reports"),
    path("office/reports/accept/", inbox.accept_clean_reports, name="office-reports-accept"),
    path("office/reports/<int:number>/", review.office_report, name="office-report"),
    path("office/tournaments/", decisions.office_decisions, name="office-decisions"),
    path("office/tournaments/<slug:code>/", decisions.office_tournament, name="office-tournament"),
    path("office/announcements/<int:number>/remind/", inbox.remind, name="office-report-remind"),
    path("office/memberships/", memberships.memberships, name="office-memberships"),
    path("office/players/", register.players, name="office-players"),
    path("office/players/register.csv", register.players_csv, name="office-players-csv"),
    path("office/players/import/", import_register.upload, name="office-players-import"),
    path("office/players/import/<int:number>/", import_register.check, name="office-players-import-check"),
    path("office/players/<player:address>/", register.player, name="office-player"),
    path("office/players/<player:address>/edit/", edit_player.edit, name="office-player-edit"),
    path("office/players/<player:address>/erase/", erase_name.erase, name="office-player-erase"),
    path(
        "office/players/<player:address>/transfer/",
        transfer_player.transfer,
        name="office-player-transfer",
    ),
    path("accessibility/", notices.accessibility, name="accessibility"),
    path("privacy/", notices.privacy, name="privacy"),
    path("reports/", reports.my_reports, name="reports"),
    path("reports/new/", upload.new_report, name="report-new"),
    path("standings/", standings.standings, name="standings"),
    path("pair/", pairing.pair, name="pair"),
    path("check/", check_file.check_file, name="check-file"),
    path("check/examples/<slug:name>/", check_file.example, name="check-file-example"),
    path("check/template.xlsx", check_file.xlsx_template, name="check-file-template-xlsx"),
    path("check/template.csv", check_file.csv_template, name="check-file-template-csv"),
    path("reports/new/results/", players.new_grid, name="report-results-entry"),
    path("reports/<int:number>/results/", players.grid_players, name="report-results-entry-players"),
    path(
        "reports/<int:number>/results/crosstable/",
        crosstable.grid_crosstable,
        name="report-results-entry-crosstable",
    ),
    path(
        "reports/<int:number>/results/<int:round_number>/",
        rounds.grid_round,
        name="report-results-entry-round",
    ),
    path("reports/announce/", announcements.announce, name="report-announce"),
    path("reports/announcements/<int:number>/", announcements.change, name="report-announcement-change"),
    path(
        "reports/announcements/<int:number>/withdraw/",
        announcements.withdraw,
        name="report-announcement-withdraw",
    ),
    path("reports/<int:number>/announcement/", announcements.choose, name="report-announcement"),
    path("reports/<int:number>/", reports.report, name="report"),
    path("reports/<int:number>/file/", file.report_file, name="report-file"),
    path("reports/<int:number>/detail/", details.report_detail, name="report-detail"),
    path("reports/<int:number>/details/", details.report_details, name="report-details"),
    path("reports/<int:number>/people/", people.report_people, name="report-people"),
    path("reports/<int:number>/people/look-up/", people.look_up, name="report-people-look-up"),
    path("reports/<int:number>/preview/", preview.report_preview, name="report-preview"),
    path("reports/<int:number>/submit/", submit.report_submit, name="report-submit"),
    path("reports/<int:number>/delete/", reports.report_delete, name="report-delete"),
    path("reports/<int:number>/correct/", reports.report_correct, name="report-correct"),
    path("reports/<int:number>/notes/", report_notes.report_notes, name="report-notes"),
    path("reports/<int:number>/restore/", versions.report_restore, name="report-restore"),
    path("reports/<int:number>/take-back/", reports.report_take_back, name="report-take-back"),
    path("reports/<int:number>/withdraw/", reports.report_withdraw, name="report-withdraw"),
    path("reports/<int:number>/changes/<int:old>-<int:new>/", versions.report_changes, name="report-changes"),
    path("reports/<int:number>/versions/<int:version>/", versions.report_original, name="report-original"),
]
