"""A program of a person, which has a token and sends JSON and files to the API."""

import json
import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from reporting.accounts.services.tokens import create_token
from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor
from reporting.models import Scope, User

NAME = "Club program"
EMPTY_TEXT = re.compile(r'[:\[,]""[,}\]]')


class Program:
    def __init__(self, user: User, *scopes: Scope, name: str = NAME) -> None:
        with acting_as(user):
            made = create_token(name=name, scopes=scopes or list(Scope), days=30, by=Actor(user))
        self.user, self.token, self.secret = user, made.token, made.secret
        self.client = Client()

    def ask(
        self, method: str, path: str, sent: Any = None, *, key: str = "", file: bytes | None = None
    ) -> Any:
        """The answer to JSON, or to a form with a file of its own name."""
        headers = {"Authorization": f"Bearer {self.secret}"} | ({"Idempotency-Key": key} if key else {})
        body, kind = json.dumps(sent).encode() if sent is not None else b"", "application/json"
        if file is not None:
            parts = (sent or {}) | {"file": SimpleUploadedFile("open.txt", file)}
            body, kind = encode_multipart(BOUNDARY, parts), MULTIPART_CONTENT
        answer: Any = self.client.generic(method, f"/api/v1/{path}", body, kind, headers=headers)
        assert not EMPTY_TEXT.search(answer.text), "null for nothing"
        return answer
