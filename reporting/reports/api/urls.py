"""Addresses for programs that send reports, below `/api/v1/`."""

from django.urls import path

from reporting.reports.api import announcements, check, decisions, reports
from reporting.reports.views.steps.submit import COMMENTS_FORM_BYTES
from reporting.web.access import LARGE_FORM, UPLOAD, allow_large_body

urlpatterns = [
    path("check/", allow_large_body(UPLOAD)(check.CheckView.as_view()), name="api-check"),
    path("announcements/", announcements.AnnouncementsView.as_view(), name="api-announcements"),
    path("announcements/<int:number>/", announcements.OneAnnouncementView.as_view(), name="api-announcement"),
    path(
        "announcements/<int:number>/withdrawal/",
        announcements.WithdrawalView.as_view(),
        name="api-announcement-withdrawal",
    ),
    path("decisions/<slug:code>/", decisions.DecisionsView.as_view(), name="api-decisions"),
    path("reports/", allow_large_body(UPLOAD)(reports.ReportsView.as_view()), name="api-reports"),
    path("reports/<int:number>/", reports.OneReportView.as_view(), name="api-report"),
    path(
        "reports/<int:number>/versions/",
        allow_large_body(UPLOAD)(reports.VersionsView.as_view()),
        name="api-report-versions",
    ),
    path(
        "reports/<int:number>/details/",
        allow_large_body(LARGE_FORM)(reports.DetailsView.as_view()),
        name="api-report-details",
    ),
    path("reports/<int:number>/findings/", reports.FindingsView.as_view(), name="api-report-findings"),
    path(
        "reports/<int:number>/comments/",
        allow_large_body(COMMENTS_FORM_BYTES)(reports.CommentsView.as_view()),
        name="api-report-comments",
    ),
    path(
        "reports/<int:number>/submission/",
        allow_large_body(COMMENTS_FORM_BYTES)(reports.SubmissionView.as_view()),
        name="api-report-submission",
    ),
    path("reports/<int:number>/take-back/", reports.TakeBackView.as_view(), name="api-report-take-back"),
]
