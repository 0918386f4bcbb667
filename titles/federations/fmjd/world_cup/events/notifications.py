"""Messages about decisions on World Cup events, written in the transaction of the decision."""

from django.utils.translation import gettext

from reporting.federations.fmjd.models import WorldCupProposal
from reporting.federations.fmjd.world_cup_events import EventState
from reporting.messages.notifications import create_message, office_language

WORLD_CUP_EVENT = "world_cup_event"


@office_language()
def notify_decided(proposal: WorldCupProposal) -> None:
    """Tell the person who proposed an event what was decided, and why."""
    values = {"tournament": proposal.tournament.name, "stars": proposal.stars}
    if proposal.state == EventState.APPROVED:
        title = gettext("World Cup event approved: %(tournament)s") % values
        text = gettext("Your proposal for %(tournament)s is approved with %(stars)s stars.") % values
    else:
        title = gettext("World Cup event returned: %(tournament)s") % values
        text = gettext("Your proposal for %(tournament)s is returned. Propose it again, changed.") % values
        text += "\n\n" + gettext("Reason: %(reason)s") % {"reason": proposal.reason}
    create_message(
        kind=WORLD_CUP_EVENT,
        recipient=proposal.proposed_by,
        about=f"/reports/announcements/{proposal.tournament_id}/world-cup/#proposal-{proposal.pk}",
        title=title,
        text=text,
    )
