"""The catalogue of this app's refusals: a key, and the sentence with the values that the call site gives."""

from reporting.refusals.domain_error import Sentence

REFUSALS: dict[str, Sentence] = {
    "norm_claimed": "This norm was found or claimed already.",
    "norm_not_possible": "A norm with an unmet requirement cannot be confirmed. Claim it, with a reason.",
    "norm_unknown": "Choose a player of a tournament that this list counts, a title and a colour.",
    "norms_missing": "Choose at least one norm of this list.",
    "norms_signed": "This list is signed or replaced. Only a correction of the list changes its norms.",
    "no_period": "{pool} has no period with the closing date {closing:date}.",
}
