"""The register of players: its federations, its tables under import, players by number, and who sees whom.

Docstrings give the number of queries.
"""

from collections.abc import Collection, Iterable

from reporting.models import Federation, Player, PlayerQuerySet, RegisterChange, RegisterUpload, Role, User
from reporting.models.register import ERASED_SORT_NAME
from reporting.policies import can_see_all_players
from reporting.rules.register.registers import Register, first_register, registers


def federation_names() -> list[tuple[str, str]]:
    """Code and name of every federation, by name. 1 query."""
    return list(Federation.objects.order_by("name").values_list("code", "name"))


def waiting_upload(user: User) -> RegisterUpload | None:
    """The table that a person uploaded and neither imported nor discarded, without its content. 1 query."""
    return RegisterUpload.objects.filter(uploaded_by=user).defer("content").first()


def uploaded_table(user: User, number: int) -> RegisterUpload | None:
    """This table of a person, with its content. 1 query."""
    return RegisterUpload.objects.filter(pk=number, uploaded_by=user).first()


def players_by_number(register: Register, numbers: Iterable[int]) -> dict[int | None, Player]:
    """The players with these numbers of a register. 1 query."""
    return {player.number_in(register): player for player in Player.objects.with_numbers(register, numbers)}


def register_changes() -> int:
    """A value that changes with any name, number or merge of the register. 1 query."""
    return RegisterChange.objects.count()


def visible_players(user: User) -> PlayerQuerySet:
    """The players whom a person may see: all, or those of the person's federation, without erased players."""
    players = Player.objects.exclude(sort_name__startswith=ERASED_SORT_NAME)
    if can_see_all_players(user):
        return players
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None:
        return players.filter(federation=user.federation_id)
    return players.none()


def visible_addresses(user: User, addresses: Collection[str]) -> set[str]:
    """The addresses of players among these whom a person may see. 1 query a register; none for the office."""
    if can_see_all_players(user):
        return set(addresses)
    by_register: dict[str, list[str]] = {}
    for address in addresses:
        code, _, number = address.rpartition("-")
        by_register.setdefault(code or first_register().code, []).append(number)
    return {
        player.address
        for register in registers()
        if register.code in by_register
        for player in visible_players(user).with_numbers(register, by_register[register.code])
    } & set(addresses)
