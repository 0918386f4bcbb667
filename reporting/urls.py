"""Addresses of logging in and out, and of messages."""

from django.contrib.auth.decorators import login_not_required
from django.urls import path

from reporting.views import accounts, messages, reports

urlpatterns = [
    path("login/", accounts.LogIn.as_view(), name="login"),
    path("logout/", login_not_required(accounts.LogOut.as_view()), name="logout"),
    path("messages/", messages.own_messages, name="messages"),
    path("mailbox/", messages.mailbox, name="mailbox"),
    path("reports/", reports.my_reports, name="reports"),
    path("reports/new/", reports.new_report, name="report-new"),
    path("reports/<int:number>/", reports.report, name="report"),
    path("reports/<int:number>/file/", reports.report_file, name="report-file"),
    path("reports/<int:number>/withdraw/", reports.report_withdraw, name="report-withdraw"),
    path("reports/<int:number>/changes/<int:old>-<int:new>/", reports.report_changes, name="report-changes"),
    path("reports/<int:number>/versions/<int:version>/", reports.report_original, name="report-original"),
]
