"""The catalogue of this app's refusals: a key, and the sentence with the values that the call site gives."""

from reporting.refusals.domain_error import Sentence

REFUSALS: dict[str, Sentence] = {
    "no_period": "{pool} has no period with the closing date {closing:date}.",
}
