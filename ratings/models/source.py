from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class SourceList(models.Model):
    """The ratings of one kind on a list that somebody else publishes, as an imported file has them. Never changed.

    The newest one of a source, kind and day counts (`ratings/queries/sources.py`); lists that were calculated from an
    earlier one name it. The players are those with a rating, by rising number in the register of the source; what
    belongs to them is at the same place of each column (`ratings/formats/sources`).
    """

    source = models.CharField(max_length=10)
    kind = models.CharField(max_length=10)
    in_force = models.DateField()
    sha256 = models.CharField(max_length=64, help_text="Of the file as it was imported.")
    filename = models.CharField(max_length=200)
    size = models.PositiveIntegerField(help_text="Bytes of the file.")
    players = models.PositiveIntegerField(help_text="With a rating of this kind.")
    matched = models.PositiveIntegerField(
        help_text="Of them, those whose number a player of the register had on the day of the import."
    )
    numbers = models.BinaryField(help_text="Packed, rising.")
    ratings = models.BinaryField(help_text="16 bits each, little endian.")
    k_factors = models.BinaryField(help_text="The development coefficient K, 8 bits each; 0: none.")
    titles = models.BinaryField(help_text="The place among the words, 8 bits each.")
    title_words = ArrayField(models.CharField(max_length=5, blank=True))
    imported_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    imported_at = models.DateTimeField(db_default=Now(), editable=False)
    by_command = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["source", "kind", "in_force"], name="sourcelist_of_day")]

    def __str__(self) -> str:
        return f"{self.address} {self.kind}"

    @property
    def address(self) -> str:
        """Source and day, as files of lists name it: `fide/2024-02-01`."""
        return f"{self.source}/{self.in_force}"


class SourceImport(models.Model):
    """An uploaded file of a source that waits for the worker, which makes its lists and deletes this row.

    Where it cannot, the row stays with the refusal until another file of the source replaces it.
    """

    source = models.CharField(max_length=10, unique=True)
    kind = models.CharField(max_length=10, blank=True, help_text="That of a file of one kind.")
    in_force = models.DateField()
    sha256 = models.CharField(max_length=64)
    filename = models.CharField(max_length=200)
    size = models.PositiveIntegerField(help_text="Bytes.")
    requested_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now(), editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    refusal = models.JSONField(
        default=dict,
        help_text="Key, values and findings where nothing was imported; a page makes the sentences.",
    )

    def __str__(self) -> str:
        return f"{self.filename} ({self.sha256[:8]})"


class SourceImportPart(models.Model):
    """A part of an uploaded file: neither the web nor the worker ever has the whole in memory."""

    upload = models.ForeignKey(SourceImport, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveSmallIntegerField(help_text="0, 1, …")
    content = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["upload", "number"], name="sourceimportpart_number_once")
        ]

    def __str__(self) -> str:
        return f"part {self.number} of upload {self.upload_id}"


class ListValues(models.Model):
    """What the officer decides for one list of a pool, in the columns of its system; fixed with the freeze."""

    pool = models.ForeignKey("ratings.Pool", on_delete=models.PROTECT, related_name="list_values")
    in_force = models.DateField(help_text="The day of the list; its period need not be there yet.")
    rows = models.JSONField(help_text="Lines of whole numbers, rising by the first.")
    set_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    set_at = models.DateTimeField(db_default=Now(), editable=False)
    by_command = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "in_force"], name="listvalues_once")]
        verbose_name_plural = "list values"

    def __str__(self) -> str:
        return f"{self.pool} {self.in_force}: {len(self.rows)} rows"
