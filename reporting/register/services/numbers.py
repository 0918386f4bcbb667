"""Give players numbers in registers."""

from django.db.models import BigIntegerField, Max
from django.db.models.functions import Cast

from reporting.models import Player, PlayerIdentity
from reporting.rules.register.registers import Register


def last_number(register: Register) -> int:
    """The largest number that a register has given, 0 before the first. 1 query."""
    given = PlayerIdentity.objects.filter(register=register.code)
    return given.aggregate(last=Max(Cast("number", BigIntegerField())))["last"] or 0


def give_number(player: Player, register: Register, number: int) -> None:
    """Save the first number of a player in a register."""
    PlayerIdentity.objects.create(player=player, register=register.code, number=str(number))
    player.numbers[register.code] = number
