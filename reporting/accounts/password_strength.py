"""How easily a password is guessed, from its words, names, dates, sequences and repeats; and how it is hashed."""

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from zxcvbn import zxcvbn

from reporting.models import User

LEAST_GUESSES = 10**9
"""Of a guesser who knows lists of passwords, names and words, and the patterns by which people vary them."""
COMPARED_LENGTH = 72
"""Characters that are compared: what is hard to guess up to there stays so with more behind it."""
WORDS_OF_THE_OFFICE = ("rating", "ratings", "office", "federation", "referee", "tournament", "draughts")


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with the parameters that OWASP recommends for servers: 19 MiB, two passes, one thread.

    Django's own ask for 100 MiB a log-in: eight at once took 548 MB of a web process (decision 0133).
    """

    time_cost = 2
    memory_cost = 19_456  # KiB
    parallelism = 1


class GuessablePasswordValidator:
    """Refuses passwords that are found in fewer than LEAST_GUESSES guesses (ASVS 6.1.2, 6.2.4, 6.2.11).

    Words of the office and of the account count as the first words that are tried.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        """Raise ValidationError for a password that is guessed too easily."""
        own = [part for text in (user.email, user.name) for part in text.split("@")] if user else []
        found = zxcvbn(password[:COMPARED_LENGTH], user_inputs=[*WORDS_OF_THE_OFFICE, *own])
        if found["guesses"] < LEAST_GUESSES:
            raise ValidationError(
                gettext(
                    "This password is too easy to guess. Use several words that do not belong together, or a password"
                    " manager."
                ),
                code="password_too_easy",
            )

    def get_help_text(self) -> str:
        return gettext("Your password can’t be easy to guess.")
