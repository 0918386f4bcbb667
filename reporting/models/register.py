from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.rules.register.registers import (
    NATIONAL,
    Register,
    first_register,
    number_in_address,
    registers,
)


class Sex(models.TextChoices):
    WOMAN = "W", _("Woman")
    MAN = "M", _("Man")


class Federation(models.Model):
    """A national federation, by the three-letter code of reporting/rules/register/countries.csv."""

    code = models.CharField(primary_key=True, max_length=3)
    name = models.CharField(max_length=60)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(code__regex=r"^[A-Z]{3}$"), name="federation_code_form")
        ]

    def __str__(self) -> str:
        return self.code


@dataclass(frozen=True, slots=True)
class PlayerNumber:
    """A number of a player, with its register."""

    register: Register
    value: int | str

    @property
    def label(self) -> str:
        """What numbers of the register are called, in the language in use."""
        return gettext(self.register.number_label)

    def __str__(self) -> str:
        """As pages print it: numbers of the first register alone, of another one after its name."""
        is_first = self.register == first_register()
        return str(self.value) if is_first else f"{gettext(self.register.label)} {self.value}"


class PlayerQuerySet(models.QuerySet["Player"]):
    def with_numbers(self, register: Register, numbers: Iterable[int | str]) -> Self:
        """The players who have one of these numbers in a register."""
        found = PlayerIdentity.objects.filter(
            register=register.code, number__in=[str(one) for one in numbers]
        )
        return self.filter(pk__in=found.values("player"))

    def in_register(self, register: Register) -> Self:
        """The players who have a number in a register."""
        return self.filter(numbers__has_key=register.code)

    def at_address(self, address: str) -> "Player | None":
        """The player whose address has this form (`Player.address`), also by a number other than the first one."""
        found = number_in_address(address)
        return self.with_numbers(found[0], [found[1]]).first() if found else None

    def keys_at(self, addresses: Iterable[str]) -> dict[str, int]:
        """The keys of the players at these addresses (`at_address`), by address. 1 query for each register of them."""
        asked = {address: found for address in addresses if (found := number_in_address(address))}
        keys: dict[tuple[Register, str], int] = {}
        for register in {found[0] for found in asked.values()}:
            own = [number for of, number in asked.values() if of == register]
            rows = PlayerIdentity.objects.filter(player__in=self, register=register.code, number__in=own)
            keys |= {(register, number): player for number, player in rows.values_list("number", "player")}
        return {address: keys[found] for address, found in asked.items() if found in keys}

    def create_with_numbers(
        self, register: Register, players: Iterable[tuple[int | str, "Player"]]
    ) -> "Sequence[Player]":
        """Save new players, each with a number in this register. 2 queries for each 2,000."""
        created = []
        for number, player in players:
            player.numbers = {register.code: number}
            created.append(player)
        numbers = [
            PlayerIdentity(player=player, register=register.code, number=str(player.numbers[register.code]))
            for player in created
        ]
        with transaction.atomic():
            self.bulk_create(created, batch_size=2000)
            PlayerIdentity.objects.bulk_create(numbers, batch_size=2000)
        return created


ERASED_NAME, ERASED_SORT_NAME = "Erased player", "erased player"


class Player(models.Model):
    """A person of the register. A list prints these values as they are on the day of its calculation.

    The federation is the one of now; a list prints that of its closing day (`FederationMembership`), and so the title
    (`PlayerTitle`).
    """

    numbers = models.JSONField(
        default=dict,
        editable=False,
        help_text="Code of a register → the player's number in it. The database copies it from PlayerIdentity.",
    )
    last_name = models.CharField(max_length=60)
    first_name = models.CharField(max_length=60, blank=True)
    sort_name = models.CharField(
        max_length=130, db_index=True, help_text="Last and first name, normalized for order and search."
    )
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="players")
    sex = models.CharField(max_length=1, choices=Sex.choices, blank=True)
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    entered_by_report = models.ForeignKey(
        "reporting.Report",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="newcomers",
        help_text="The report whose acceptance created this player; accepting it again creates no second one.",
    )

    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(sex__in=["", *Sex.values]), name="player_sex_known"),
        ]

    def __str__(self) -> str:
        return self.printed_name

    @property
    def printed_name(self) -> str:
        """`Last, First`, as lists and files print it."""
        return f"{self.last_name}, {self.first_name}" if self.first_name else self.last_name

    @property
    def is_erased(self) -> bool:
        """Whether the name was erased on request (decision 0073)."""
        return self.sort_name == ERASED_SORT_NAME

    @property
    def number(self) -> PlayerNumber:
        """The number that pages show and addresses have: that of the first register in which the player has one."""
        return next(number for number in self.all_numbers if number.register.counts)

    @property
    def all_numbers(self) -> "Sequence[PlayerNumber]":
        """The player's numbers, in the order of the registers; one that counts is among them."""
        return [
            PlayerNumber(register, self.numbers[register.code])
            for register in registers()
            if register.code in self.numbers
        ]

    @property
    def other_numbers(self) -> "Sequence[PlayerNumber]":
        """The numbers other than `number`."""
        return [number for number in self.all_numbers if number != self.number]

    def number_in(self, register: Register) -> int | None:
        """The player's number in a register that counts."""
        number: int | None = self.numbers.get(register.code)
        return number

    @property
    def address(self) -> str:
        """The player in addresses: `10123`, the number in the first register, else `knsb-4711`."""
        return self.number.register.address(self.number.value)


class PlayerIdentity(models.Model):
    """A player's number in a register (rules/register/registers.py). Each player has one that counts at least."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="identities")
    register = models.CharField(max_length=8, help_text="One of reporting/rules/register/registers.py.")
    number = models.CharField(max_length=20)

    class Meta:
        verbose_name_plural = "player identities"
        constraints = [
            models.UniqueConstraint(
                fields=["register", "number"],
                condition=~Q(register=NATIONAL.code),
                name="identity_number_unique",
            ),
            models.UniqueConstraint(fields=["player", "register"], name="identity_one_per_register"),
            models.CheckConstraint(
                condition=Q(register=NATIONAL.code) | Q(number__regex=r"^[1-9][0-9]{0,17}$"),
                name="identity_whole_number",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.register} {self.number}"


class PlayerSpelling(models.Model):
    """The words of a player's name as they are spelt for comparison, and what else a player is looked up by.

    A trigger writes them with the player, nothing else (reporting/migrations/sql/player_spellings.sql). An index whose
    new entries waited in a list would be read by that list, so they do not.
    """

    player = models.OneToOneField(Player, primary_key=True, on_delete=models.CASCADE, related_name="spelling")
    words = ArrayField(models.TextField())
    parts = SearchVectorField()

    class Meta:
        default_permissions = ()
        indexes = [
            GinIndex(fields=["words"], name="player_spelling_words", fastupdate=False),
            GinIndex(fields=["parts"], name="player_spelling_parts", fastupdate=False),
        ]

    def __str__(self) -> str:
        return f"spelling of player {self.player_id}"


class SpeltWord(models.Model):
    """A word of at least four letters in the spelling of a player, and what it has in common with similar ones."""

    word = models.TextField(primary_key=True)
    keys = ArrayField(models.TextField())

    class Meta:
        default_permissions = ()
        indexes = [GinIndex(fields=["keys"], name="spelt_word_keys", fastupdate=False)]

    def __str__(self) -> str:
        return self.word


class PersonalData(models.Model):
    """The date of birth, which no public page, file or log may carry. The year is on `Player`."""

    player = models.OneToOneField(
        Player, primary_key=True, on_delete=models.PROTECT, related_name="personal_data"
    )
    born = models.DateField()

    class Meta:
        verbose_name_plural = "personal data"

    def __str__(self) -> str:
        return f"personal data of player {self.pk}"


class RegisterChange(models.Model):
    """A statement that changed who is in the register, by what name, and who is merged with whom.

    Written by triggers only (reporting/migrations/sql/register_changes.sql). Rows are never deleted, so two readers who
    count the same number see the same register: a sequence or a time would miss an act that commits late.
    """

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"change {self.pk} of the register"


class RegisterUpload(models.Model):
    """A table for the register that waits for its confirmation. It has dates of birth, so it is deleted afterwards.

    Only the person who uploaded it opens it; no page has the table itself. What is not confirmed is deleted at night.
    """

    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    filename = models.CharField(max_length=200)
    register = models.CharField(max_length=20, help_text="Code of the register of its numbers.")
    changed_on = models.DateField(
        null=True,
        blank=True,
        help_text="The day from which changed federations and titles count; empty = the day of the import.",
    )
    uploaded_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"{self.filename} ({self.sha256[:8]})"
