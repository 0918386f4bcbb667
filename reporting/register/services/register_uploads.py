"""Import the register in the browser: upload a table, see what it changes, confirm or discard it."""

from datetime import date, timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import RegisterUpload
from reporting.policies import check_can_import_register
from reporting.refusals.domain_error import DomainError
from reporting.register.services.import_register import ImportedRegister, import_register, plan_import

KEPT = timedelta(days=1)


@transaction.atomic
def upload_register(
    *, content: bytes, filename: str, register: str, on: date | None, by: Actor
) -> RegisterUpload:
    """Store a table without errors until it is confirmed; it replaces the one that this person uploaded before.

    Raises DomainError `register_refused` with all findings, `change_day`, `forbidden`.
    """
    plan_import(content=content, register=register, on=on, by=by)
    RegisterUpload.objects.filter(uploaded_by=by.user).delete()
    upload = RegisterUpload.objects.create(
        content=content,
        sha256=sha256(content).hexdigest(),
        filename=filename,
        register=register,
        changed_on=on,
        uploaded_by=by.user,
    )
    record(by=by, action="register.upload", subject=f"register {register}", after=_file_of(upload))
    return upload


@transaction.atomic
def confirm_upload(*, upload: RegisterUpload, seen: str, by: Actor) -> ImportedRegister:
    """Import an uploaded table whose plan has the digest `seen`, and delete the table.

    Raises as `import_register`, and DomainError `upload_gone` for one that was confirmed or discarded meanwhile.
    """
    upload = _locked(upload, by)
    done = import_register(
        content=bytes(upload.content), register=upload.register, on=upload.changed_on, by=by, seen=seen
    )
    upload.delete()
    return done


@transaction.atomic
def discard_upload(*, upload: RegisterUpload, by: Actor) -> None:
    """Delete an uploaded table without an import. Raises DomainError `upload_gone`, `forbidden`."""
    upload = _locked(upload, by)
    record(by=by, action="register.discard", subject=f"register {upload.register}", before=_file_of(upload))
    upload.delete()


def delete_old_uploads() -> int:
    """Delete the tables that were not confirmed for a day; answers the number."""
    _, deleted = RegisterUpload.objects.filter(uploaded_at__lt=timezone.now() - KEPT).delete()
    return sum(deleted.values())


def _locked(upload: RegisterUpload, by: Actor) -> RegisterUpload:
    check_can_import_register(by.user)
    found = RegisterUpload.objects.select_for_update().filter(pk=upload.pk, uploaded_by=by.user).first()
    if found is None:
        raise DomainError("upload_gone")
    return found


def _file_of(upload: RegisterUpload) -> dict[str, str]:
    return {"filename": upload.filename, "file_sha256": upload.sha256}
