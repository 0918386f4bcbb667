from django.db import models


class SignedStatement(models.Model):
    """A statement of the signed history: a published list with its digest, or a key of the office. Never changed.

    The database numbers them without gaps. Each states the SHA-256 of the one before (decision 0143).
    """

    number = models.PositiveIntegerField(primary_key=True)
    list = models.OneToOneField(
        "ratings.RatingList",
        null=True,
        on_delete=models.PROTECT,
        related_name="signed",
        help_text="None for a statement about a key.",
    )
    content = models.TextField(help_text="The text that is signed, as it is signed.")
    signature = models.CharField(max_length=128, help_text="Ed25519, in hexadecimal.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(signature__regex=r"^[0-9a-f]{128}$"), name="signed_statement_signature"
            )
        ]

    def __str__(self) -> str:
        return f"statement {self.number}"
