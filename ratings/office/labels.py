"""The labels of what this app writes: actions and fields of the audit log, and kinds of messages."""

from django.utils.translation import gettext_lazy as _

from reporting.log.actions import register_actions, register_fields, register_reasons, register_values
from reporting.messages.kinds import MessageKind, register_message_kinds


def register() -> None:
    """Add the actions, fields and kinds of messages of this app to their registries. Called once, at start."""
    register_actions(
        "lists",
        _("Lists and periods"),
        {
            "period.confirm_past": _("Past quarters confirmed"),
            "period.open": _("Period opened"),
            "period.change_dates": _("Dates of the period changed"),
            "period.freeze": _("Period frozen"),
            "calculation.request": _("Calculation requested"),
            "calculation.recalculate": _("Recalculation requested"),
            "calculation.fail": _("Calculation failed"),
            "list.calculate": _("Draft calculated"),
            "list.search_norms": _("Norms searched"),
            "list.open_for_approval": _("Draft opened for approval"),
            "list.answer_anomaly": _("Anomaly answered"),
            "list.approve": _("List approved"),
            "list.publish": _("List published"),
            "list.supersede": _("Draft superseded"),
            "list.correct": _("Correction started"),
            "list.withdraw_correction": _("Correction withdrawn"),
            "list.upload_opening": _("Table of an opening list uploaded"),
            "list.import_opening": _("Opening list imported"),
            "source.upload": _("File of a source uploaded"),
            "source.import": _("List of a source imported"),
            "list.set_values": _("Values of a list set"),
        },
    )
    register_actions(
        "webhooks",
        _("Webhooks"),
        {
            "webhook.register": _("Webhook registered"),
            "webhook.delete": _("Webhook deleted"),
            "webhook.end": _("Webhook ended after failed deliveries"),
        },
    )
    register_actions(
        "operation",
        _("Operation"),
        {
            "backup.write": _("Backup written"),
            "published.verify": _("Published data verified"),
        },
    )
    register_fields(
        {
            "encrypted": _("Encrypted"),
            "differences": _("Differences"),
            "anomaly": _("Anomaly"),
            "token": _("Token"),
            "url": _("Address"),
            "attempts": _("Attempts"),
            "closing": _("Closing date"),
            "correction": _("Correction"),
            "first": _("First period"),
            "in_force": _("In force"),
            "input_sha256": _("SHA-256 of the calculation inputs"),
            "kind": _("Kind"),
            "last": _("Last period"),
            "later": _("Later lists"),
            "list": _("List"),
            "player": _("Player"),
            "players": _("Players"),
            "quarters": _("Quarters"),
            "reports": _("Reports"),
            "revision": _("Revision"),
            "run": _("Calculation"),
            "text": _("Text"),
            "kinds": _("Kinds of ratings"),
            "values": _("Values"),
        }
    )
    from ratings.models import Anomaly, CalculationRun, Correction, Period, RatingList  # noqa: PLC0415 (needs the apps)

    for states in (RatingList.State, Period.State, CalculationRun.State):
        register_values("state", states.choices)
    register_values("kind", Anomaly.Kind.choices)
    register_values("kind", [("standard", _("Standard")), ("rapid", _("Rapid")), ("blitz", _("Blitz"))])
    register_values("later", Correction.Later.choices)
    register_reasons(
        {
            "scheduler.freeze": _("The scheduler, when the freeze was due"),
            "command.run_period": _("Run by command line"),
            "worker.stopped": _("The worker stopped without an error message."),
        }
    )
    register_message_kinds(
        {
            "report_next_list": MessageKind(_("Next list"), "stamp", _("Open report")),
            "period_closes": MessageKind(_("Closing date"), "stamp", _("Open announced tournaments")),
            "lists_signed": MessageKind(_("Lists signed"), "good", _("Open list")),
            "published_differs": MessageKind(_("Published data differ"), "bad", _("Open the open data")),
            "sign_missing": MessageKind(_("Alarm"), "bad", _("Open system status")),
            "sign_back": MessageKind(_("Alarm ended"), "good", _("Open system status")),
            "list_published": MessageKind(_("List published"), "good", _("Open list")),
            "webhook_ended": MessageKind(_("Webhook ended"), "warn", _("Open webhook")),
        }
    )
