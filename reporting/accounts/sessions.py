"""Sessions whose rows are worth nothing to a reader or writer of the database (decision 0034). `SESSION_ENGINE`."""

import json
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from cryptography.fernet import InvalidToken
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone

from reporting.accounts.encryption import cipher
from reporting.models import AccountSession


def stored_key(session_key: str) -> str:
    """The key of a session's row: SHA-256 of the key in the cookie, from which no cookie can be made."""
    return sha256(session_key.encode()).hexdigest()


class SessionStore(db.SessionStore):
    """Django's sessions in the database, with a hashed key and data encrypted for that key alone.

    `session_key` is that of the cookie, as everywhere in Django. Data copied into another row is an empty session.
    """

    @classmethod
    def get_model_class(cls) -> type[AccountSession]:
        return AccountSession

    def _get_session_from_db(self) -> AccountSession | None:
        found = AccountSession.objects.filter(
            session_key=stored_key(self.session_key or ""), expire_date__gt=timezone.now()
        ).first()
        if found is None:
            self._session_key = None
        return found

    def exists(self, session_key: str) -> bool:
        return super().exists(stored_key(session_key))

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            super().delete(stored_key(key))

    def create_model_instance(self, data: dict[str, Any]) -> AccountSession:
        return AccountSession(
            session_key=stored_key(self._get_or_create_session_key()),  # type: ignore[attr-defined]
            session_data=self.encode(data),
            expire_date=self.get_expiry_date(),
            account_id=data.get(SESSION_KEY),
            began_at=datetime.fromtimestamp(data["began"], UTC) if "began" in data else None,
            address=data.get("address"),
            user_agent=data.get("user_agent", ""),
        )

    def encode(self, session_dict: dict[str, Any]) -> str:
        return cipher(f"session {self.session_key}").encrypt(json.dumps(session_dict).encode()).decode()

    def decode(self, session_data: str | bytes) -> dict[str, Any]:
        try:
            return dict(json.loads(cipher(f"session {self.session_key}").decrypt(session_data)))
        except InvalidToken:
            return {}
