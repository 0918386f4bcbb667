"""What World Cup events add to registries, and their words: log, refusals, unmet conditions."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from reporting.accounts.own_data import Section, register_sections
from reporting.federations.fmjd.details import FmjdDetails
from reporting.federations.fmjd.models import WorldCupProposal
from reporting.federations.fmjd.world_cup_events import Condition, EventState
from reporting.log.actions import register_actions, register_fields, register_values
from reporting.messages.kinds import MessageKind, register_message_kinds
from reporting.refusals.domain_error import Sentence, register_refusals
from reporting.rules.details.known_details import details_of
from titles.federations.fmjd.world_cup.events.notifications import WORLD_CUP_EVENT

CONDITIONS: Mapping[Condition, Promise] = {
    Condition.TIE_BREAKS: _(
        "The tie-breaks of a Swiss event with these stars are %(expected)s (condition 1)."
    ),
    Condition.SYSTEM: _(
        "An event with these stars has no such system with %(rounds)s rounds, for any number of players (condition 3)."
    ),
    Condition.OTHER_SYSTEM_LATE: _("Another system is announced by %(due)s (condition 5)."),
    Condition.REFEREE: _("The main referee is at least FMJD referee (condition 6)."),
    Condition.FEE: _("The entry fee is at most €%(most)s (condition 13)."),
    Condition.REGULATIONS: _("The regulations were due on %(due)s and are not delivered (condition 19)."),
    Condition.REGULATIONS_LATE: _("The regulations were delivered after %(due)s (condition 19)."),
    Condition.PRIZES: _("Prizes are below Appendix A, together by €%(short_by)s."),
}
STATES: Mapping[str, Promise] = {
    EventState.PROPOSED: _("Proposed"),
    EventState.APPROVED: _("Approved"),
    EventState.RETURNED: _("Returned"),
    EventState.REPLACED: _("Replaced"),
}
GROUPS = {"one": _("One group for all"), "separate": _("Separate tournaments for women and men")}
REFUSALS: dict[str, Sentence] = {
    "own_proposal": "You proposed this event. Another tournament director decides about it.",
    "stars_down": "The stars of an event never go down. Choose {stars} or more (Annex 18 condition 10).",
    "stars_late": (
        "The stars of an event go up until {due:date}, three months before the first round. Choose {stars}"
        " (Annex 18 condition 11)."
    ),
    "wrong_state.event": "This proposal is already decided or replaced, or the report is submitted.",
}


def register() -> None:
    """Add the words to their registries. Called once, at start."""
    register_refusals(REFUSALS)
    columns = ("tournament", "stars", "groups", "referee", "regulations", "state", "proposed_at")
    register_sections({"world_cup_proposals": Section(WorldCupProposal, "proposed_by", columns)})
    register_message_kinds({WORLD_CUP_EVENT: MessageKind(_("World Cup event"), "stamp", _("Open proposal"))})
    register_actions(
        "reports",
        _("Reports"),
        {
            "world_cup_event.propose": _("World Cup event proposed"),
            "world_cup_event.approve": _("World Cup event approved"),
            "world_cup_event.return": _("Proposal for a World Cup event returned"),
        },
    )
    register_fields(
        {
            "stars": _("Stars"),
            "groups": _("Groups"),
            "prizes_open": _("Prizes, open"),
            "prizes_women": _("Prizes, women"),
            "system": _("System"),
            "rounds": _("Rounds"),
            "tie_breaks": _("Tie-breaks"),
            "referee": _("Main referee"),
            "entry_fee": _("Entry fee"),
            "regulations": _("Address of the regulations"),
            "regulations_on": _("Regulations delivered on"),
            "proposal": _("Proposal"),
        }
    )
    register_values("groups", GROUPS.items())
    systems = details_of(FmjdDetails)["system"].labelled_choices()
    register_values("system", [(system, _(label)) for system, label in systems])
