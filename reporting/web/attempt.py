"""One way for every page that acts: do it, confirm it and redirect, or show the page again with the refusal."""

from http import HTTPStatus
from types import TracebackType

from django.contrib import messages
from django.db import OperationalError
from django.forms import BaseForm
from django.http import HttpRequest

from reporting.refusals.domain_error import DomainError
from reporting.web.access import as_refusal, refusal_status


class Attempt:
    """What a form asks for, tried once. Use it as a context manager, with a form where that is valid.

        attempt = Attempt(form)
        if attempt.is_valid:
            with attempt:
                do_it(**form.cleaned_data)
                return redirect(...)
        return render(request, ..., {"refusal": attempt.refusal}, status=attempt.status)

    A refusal inside, also that of a row which is locked for too long, ends the block and is kept with its status. The
    status of a form with errors is 400, of one that was not sent 200. A form may name in `refused_fields` which of its
    fields a code is about: such a refusal is an error of the field.
    """

    def __init__(self, form: BaseForm | None = None) -> None:
        self.form = form
        self.is_valid = form is not None and form.is_valid()
        has_errors = form is not None and form.is_bound and not self.is_valid
        self.refusal: DomainError | None = None
        self.status = HTTPStatus.BAD_REQUEST if has_errors else HTTPStatus.OK

    def refuse(self, refusal: DomainError) -> None:
        """Keep a refusal that was found without an act."""
        self.status = refusal_status(refusal)
        field = getattr(self.form, "refused_fields", {}).get(refusal.code)
        if self.form is not None and field:
            self.form.add_error(field, refusal.message)
        else:
            self.refusal = refusal

    def __enter__(self) -> "Attempt":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        if not isinstance(error, DomainError | OperationalError):
            return False
        self.refuse(as_refusal(error))
        return True


def confirm(request: HttpRequest, text: str, section: str = "") -> None:
    """Say on the next page what was saved: in the section of this name (`{% confirmation %}`), or first on the page."""
    messages.success(request, text, extra_tags=section)
