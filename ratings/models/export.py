from django.db import models


class Export(models.Model):
    """The state of the open data: one row, made by the migration (decision 0065).

    `stamp` says what its files hold, empty where there are none. The function that erases a name counts `erasures` up
    and deletes the files, so that no file made before an erasure is offered after it.
    """

    stamp = models.CharField(max_length=64, blank=True)
    erasures = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="export_one_row")]

    def __str__(self) -> str:
        return f"open data of {self.made_at or 'no day'}"


class ExportFile(models.Model):
    """A file of the open data. Digest and size are those of the file; it is stored compressed by gzip and by brotli."""

    name = models.CharField(max_length=60, unique=True)
    content_type = models.CharField(max_length=80)
    compressed = models.BinaryField(help_text="By gzip.")
    brotli = models.BinaryField(help_text="Empty for Parquet, which is compressed in itself.")
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    rows = models.PositiveBigIntegerField(help_text="Lines of the table; 0 for the SQLite file.")

    def __str__(self) -> str:
        return self.name
