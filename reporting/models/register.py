from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


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


class Player(models.Model):
    """A person of the register. A list prints these values as they are on the day of its calculation.

    The federation is the one of now; a list prints that of its closing day (`FederationMembership`), and so the title
    (`PlayerTitle`).
    """

    fmjd_id = models.PositiveIntegerField(null=True, blank=True, unique=True)
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

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(sex__in=["", *Sex.values]), name="player_sex_known"),
            models.CheckConstraint(
                condition=Q(fmjd_id__isnull=True) | Q(fmjd_id__gt=0), name="player_fmjd_id_positive"
            ),
        ]

    def __str__(self) -> str:
        return self.printed_name

    @property
    def printed_name(self) -> str:
        """`Last, First`, as lists and files print it."""
        return f"{self.last_name}, {self.first_name}" if self.first_name else self.last_name

    @property
    def address(self) -> str:
        """The player in addresses of the office: the FMJD-ID, or `r` and the record's number without one."""
        return f"{self.fmjd_id}" if self.fmjd_id else f"r{self.pk}"


class PlayerIdentity(models.Model):
    """A player's number in a register other than the FMJD's."""

    class Register(models.TextChoices):
        NATIONAL = "national", _("National federation")
        KNSB = "knsb", _("KNSB")
        FIDE = "fide", _("FIDE")
        ICCF = "iccf", _("ICCF")

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="identities")
    register = models.CharField(max_length=8, choices=Register.choices)
    number = models.CharField(max_length=20)

    class Meta:
        verbose_name_plural = "player identities"
        constraints = [
            models.UniqueConstraint(
                fields=["register", "number"],
                condition=~Q(register="national"),
                name="identity_number_unique",
            ),
            models.UniqueConstraint(fields=["player", "register"], name="identity_one_per_register"),
        ]

    def __str__(self) -> str:
        return f"{self.register} {self.number}"


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
