"""The people of the demonstration: one account a role, all with the same password."""

from reporting.log.audit import Actor
from reporting.models import Role, User

DEMO_PASSWORD = "draughts-demo"  # noqa: S105 (fictional accounts, made only under DEMO=1)
FEDERATION = "NED"  # of the referee and the national official
ACCOUNTS = {
    Role.REFEREE: ("referee@demo.example", "Rosalind Ferrer"),
    Role.NATIONAL_OFFICIAL: ("national@demo.example", "Nils Offerman"),
    Role.RATING_OFFICER: ("officer@demo.example", "Ruth Abara"),
    Role.RELEASING_OFFICER: ("releaser@demo.example", "Leo Sandrin"),
    Role.TITLE_COUNCIL: ("council@demo.example", "Clara Tielman"),
    Role.TOURNAMENT_DIRECTOR: ("director@demo.example", "Tomas Direk"),
    Role.ADMINISTRATOR: ("administrator@demo.example", "Ada Minister"),
}
SECOND_ADMINISTRATOR = ("administrator2@demo.example", "Boris Tweede")
OTHER_OFFICIALS = ("Nadia Seconda", "Teresa Terzi", "Karel Quarto", "Pentti Quinton")
"""National officials of the federations whose players have most titles due: national.lat@demo.example."""


def account_of(role: Role) -> Actor:
    """The demonstration's account with a role."""
    return Actor(User.objects.get(email=ACCOUNTS[role][0]))
