"""The registers that give players their numbers. The rules of reports of a federation bring its own."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reporting.federations.registry import all_report_rules, rules_of_report

WHOLE_NUMBER = re.compile(r"[1-9][0-9]{0,17}\Z")
NATIONAL_NUMBER = re.compile(r"[0-9A-Za-z][0-9A-Za-z ./-]{0,19}\Z")
LARGEST_NUMBER = 2_000_000_000
"""The largest number of a register whose own form is not known here."""
MAX_NAME_LENGTH = 60
"""Characters of a first name and of a surname in a record."""


@dataclass(frozen=True, slots=True)
class Register:
    """A register of players: its code, its name, and what its numbers are called in plain English.

    A register that counts gives each number once, as a whole number from 1 to `largest`. The numbers of the national
    federations (`largest` None) are text, and two federations may give the same one. Where names are written out in
    English letters, `name_letters` is how many a first name and a surname have at most (R20); None where any name is.
    Where the register `asks_birth_and_sex`, a new player has a date of birth, a sex and a name with a clear surname.
    `country` is the code of the one federation that keeps it, whose records in TRF26 have its numbers.
    With `numbers_by_acceptance` a new player gets the next number when a report is accepted. Without it the federation
    gives its numbers itself, and a new player gets one of the register `OFFICE` (U22). With `has_clubs` the federation
    imports who is a member of which of its clubs (U21).
    """

    code: str
    label: str
    number_label: str
    largest: int | None = LARGEST_NUMBER
    name_letters: int | None = None
    asks_birth_and_sex: bool = False
    country: str = ""
    numbers_by_acceptance: bool = True
    has_clubs: bool = False

    @property
    def counts(self) -> bool:
        return self.largest is not None

    @property
    def digits(self) -> int:
        """The most digits of its numbers; of a register that does not count those that any number has."""
        return len(str(self.largest or LARGEST_NUMBER))

    @property
    def header(self) -> str:
        """The column of its numbers in tables of players: `fmjd_id`."""
        return f"{self.code}_id"

    def address(self, number: int | str) -> str:
        """A number of the register in addresses: `10123` of the first register, else `knsb-4711`."""
        return f"{number}" if self == first_register() else f"{self.code}-{number}"

    def has_form(self, number: str) -> bool:
        """Whether this can be a number of the register; a whole number has no leading zero."""
        if self.largest is None:
            return bool(NATIONAL_NUMBER.match(number))
        return bool(WHOLE_NUMBER.match(number)) and int(number) <= self.largest


NATIONAL = Register("national", "National federation", "National number", largest=None)
OFFICE = Register("office", "Office", "Office number")
"""Of players to whom their federation has not given a number yet: only an acceptance gives one, and it stays."""
WITHOUT_SYSTEM = (NATIONAL, Register("fide", "FIDE", "FIDE number"))


def registers() -> Sequence[Register]:
    """All registers: those of rating systems in the order of INSTALLED_APPS, then the others.

    That of the office is the last one, where the register of a rating system needs it.
    """
    of_systems = registers_of_systems()
    of_office = () if all(register.numbers_by_acceptance for register in of_systems) else (OFFICE,)
    return (*of_systems, *other_registers(), *of_office)


def registers_of_systems() -> Sequence[Register]:
    """The registers whose numbers lists print."""
    return tuple(rules.register for rules in all_report_rules())


def other_registers() -> Sequence[Register]:
    """The registers without a rating system: the office enters their numbers."""
    taken = {register.code for register in registers_of_systems()}
    return tuple(register for register in WITHOUT_SYSTEM if register.code not in taken)


def first_register() -> Register:
    """The register of the first rating system, whose numbers addresses and searches mean without naming it."""
    of_systems = all_report_rules()
    return of_systems[0].register if of_systems else WITHOUT_SYSTEM[0]


def number_label() -> str:
    """What the numbers of players are called where those of all rating systems are meant, in plain English."""
    labels = {register.number_label for register in registers_of_systems()}
    return labels.pop() if len(labels) == 1 else "player number"


def register_of_new_players(register: Register) -> Register:
    """The register in which an acceptance gives numbers to new players of tournaments with this one (U22)."""
    return register if register.numbers_by_acceptance else OFFICE


def number_in_address(address: str) -> tuple[Register, str] | None:
    """The register and the number that an address names (`Register.address`); None for one that does not count."""
    code, _, number = address.rpartition("-")
    code = code or first_register().code
    found = (register for register in registers() if register.counts and register.code == code)
    register = next(found, None)
    return (register, number.lstrip("0")) if register else None


def registers_with_clubs() -> Sequence[Register]:
    """The registers of federations whose players are members of clubs."""
    return [register for register in registers() if register.has_clubs]


def register_by_code(code: str) -> Register:
    """The register of this code. Raises LookupError where there is none."""
    for register in registers():
        if register.code == code:
            return register
    raise LookupError(f"No register {code!r} is known.")


def register_of_games(rating_system: str, discipline: str) -> Register:
    """The register whose numbers the report of a tournament names: that of its rating system (`rules_of_report`)."""
    return rules_of_report(rating_system, discipline).register
