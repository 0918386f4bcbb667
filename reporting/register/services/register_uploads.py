"""Import the register in the browser: upload a table, see what it changes, confirm or discard it."""

from datetime import date, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import BigIntegerField, Sum
from django.db.models.functions import Cast
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import LogEntry, RegisterUpload
from reporting.policies import check_can_import_register
from reporting.refusals.domain_error import DomainError
from reporting.register.services.import_register import ImportedRegister, import_register, plan_import

KEPT = timedelta(days=1)
MOST_MEGABYTES_OF_TABLES_A_DAY = 100
"""Of a person, for the register and for opening lists together (docs/decisions/0102)."""


@transaction.atomic
def upload_register(
    *, content: bytes, filename: str, register: str, on: date | None, by: Actor
) -> RegisterUpload:
    """Store a table without errors until it is confirmed; it replaces the one that this person uploaded before.

    Raises DomainError `register_refused` with all findings, `change_day`, `too_many_bytes`, `forbidden`.
    """
    refuse_too_many_tables(by)
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
    record(
        by=by,
        action="register.upload",
        subject=f"register {register}",
        after=_file_of(upload) | {"bytes": len(content)},
    )
    return upload


def refuse_too_many_tables(by: Actor) -> None:
    """Raise DomainError `too_many_bytes.tables` where the tables that the person uploaded today reach the limit.

    The table that reaches it is stored, and none after it. 1 query.
    """
    uploads = LogEntry.objects.filter(
        action__in=("register.upload", "list.upload_opening"), actor=by.user, at__date=timezone.localdate()
    )
    size = uploads.aggregate(size=Sum(Cast("after__bytes", BigIntegerField()), default=0))["size"] / 1_000_000
    if size >= MOST_MEGABYTES_OF_TABLES_A_DAY:
        raise DomainError("too_many_bytes.tables", most=MOST_MEGABYTES_OF_TABLES_A_DAY, stored=round(size))


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
