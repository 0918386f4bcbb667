"""Endpoints for programs with a token: who acts, what the token allows, and requests that are sent twice.

A token opens these endpoints and nothing else (decision 0076); a cookie opens none of them (decision 0062).
"""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from http import HTTPStatus
from typing import Any, ClassVar, NoReturn

from django import forms
from django.db import transaction
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from reporting.accounts.services.tokens import find_token, mark_used, may_act
from reporting.log.audit import Actor
from reporting.log.security_log import record_security_event
from reporting.models import ApiAnswer, ApiToken, Scope, SecurityEvent, User
from reporting.models.locks import take_key_lock
from reporting.refusals.domain_error import DomainError
from reporting.web.api.endpoints import Endpoint
from reporting.web.api.errors import BadParametersError
from reporting.web.rate_limit import (
    MAX_ATTEMPTS_PER_ACCOUNT,
    WINDOW_MINUTES,
    client_address,
    register_attempt,
    too_many_attempts,
)

KEY = re.compile(r"[!-~]{1,64}")
KEY_PARAMETER = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,64}$"},
    OpenApiParameter.HEADER,
    description="A name of your choice for this request. Sent again with the same one, it is done once.",
)
TEST_PARAMETER = OpenApiParameter(
    "test",
    {"type": "string", "enum": ["true", "false"]},
    description="`true` to try it: all is checked and answered as without it, and nothing is stored or sent.",
)
CHALLENGE = 'Bearer realm="api"'


class TestForm(forms.Form):
    """Whether a request only tries what it asks for."""

    test = forms.ChoiceField(required=False, choices=[("true", "true"), ("false", "false")])

    @property
    def is_test(self) -> bool:
        return bool(self.cleaned_data["test"] == "true")


class TokenAuthentication(BaseAuthentication):
    """The owner of the token in `Authorization: Bearer …`; refused ones are counted and logged."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        written = request.headers.get("Authorization")
        if written is None:
            return None
        scheme, _, secret = written.partition(" ")
        token = find_token(secret) if scheme.lower() == "bearer" else None
        if token is None or not may_act(token):
            self.refuse(request, token.account if token else None)
        mark_used(token)
        return token.account, token

    def refuse(self, request: Request, owner: User | None) -> NoReturn:
        """Raise AuthenticationFailed, one sentence for all reasons; Throttled after too many attempts."""
        kinds, address = SecurityEvent.Kind, client_address(request._request)
        number = register_attempt(request._request, "token")
        if number <= MAX_ATTEMPTS_PER_ACCOUNT:
            record_security_event(kinds.TOKEN_REFUSED, account=owner, address=address)
            raise exceptions.AuthenticationFailed("This token is unknown, expired or revoked.")
        if number == MAX_ATTEMPTS_PER_ACCOUNT + 1:
            record_security_event(kinds.TOO_MANY, account=owner, address=address)
        raise exceptions.Throttled(WINDOW_MINUTES * 60, too_many_attempts())

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for (RFC 6750)."""
        return f'{CHALLENGE}, error="invalid_token"' if "Authorization" in request.headers else CHALLENGE


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The token in the OpenAPI file."""

    target_class = TokenAuthentication
    name = "bearerAuth"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002 (the protocol)
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of the page API tokens of an account.",
        }


class TokenRequest(Request):
    """A request with a token, as `HasScope` admits it: its owner and the token. It is only a type."""

    user: User
    auth: ApiToken


class HasScope(BasePermission):
    """Admits tokens with the scope that the endpoint names for the method."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not isinstance(request.auth, ApiToken):
            return False  # 401: no token was sent
        scope = view.scopes["GET" if request.method == "HEAD" else str(request.method)]
        if scope not in request.auth.scopes:
            refused: Any = exceptions.PermissionDenied(f"This token lacks the scope {scope}.")
            refused.auth_header = f'{CHALLENGE}, error="insufficient_scope", scope="{scope}"'
            raise refused
        return True


class TokenView(Endpoint):
    """An endpoint for programs with a token. `scopes` has the scope of each method.

    Its answers are kept by no one, and scripts of other sites cannot read them.
    """

    authentication_classes = (TokenAuthentication,)
    permission_classes = (HasScope,)
    http_method_names = ["get", "head", "post", "put", "patch"]  # noqa: RUF012 (as Django declares it)
    scopes: ClassVar[Mapping[str, Scope]]

    def initial(self, request: Request, *args: Any, **named: Any) -> None:
        if request.method not in self.allowed_methods:
            raise exceptions.MethodNotAllowed(str(request.method))
        super().initial(request, *args, **named)

    def perform_authentication(self, request: Request) -> None:
        """Requests are counted for their token; those without one, or with one that is refused, for the network."""
        try:
            super().perform_authentication(request)
        finally:
            super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Done before."""

    def actor(self, request: TokenRequest) -> Actor:
        """The owner of the token, who acts by this program."""
        return Actor(request.user, program=request.auth.name)

    def once(
        self,
        request: TokenRequest,
        asked: object,
        act: Callable[[], tuple[HTTPStatus, Any]],
        *,
        is_test: bool = False,
    ) -> tuple[HTTPStatus, Any]:
        """Status and answer of an act; for a request sent again with its `Idempotency-Key` the first answer.

        A test is acted and undone in one transaction, with its messages and log entries (docs/decisions/0146).

        `asked` is what the request asks for, as JSON. Only what was done is kept, in the same transaction: a refused
        request may be sent again with its key. Raises BadParametersError for another kind of key, DomainError
        `idempotency_key_reused`, `busy`, and what `act` raises.
        """
        if is_test:
            with transaction.atomic():
                _, answer = act()
                transaction.set_rollback(True)
            return HTTPStatus.OK, answer
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return act()
        if not KEY.fullmatch(key):
            raise BadParametersError(
                [
                    {
                        "code": "bad_parameter",
                        "field": "Idempotency-Key",
                        "found": "",
                        "message": "A key has 1 to 64 visible characters of ASCII.",
                    }
                ]
            )
        digest = sha256(json.dumps([request.path, asked], sort_keys=True).encode()).hexdigest()
        owner, refused = request.user, None
        with transaction.atomic():
            take_key_lock(owner.pk, key)
            kept = ApiAnswer.objects.filter(account=owner, key=key).first()
            if kept is not None and kept.request_sha256 != digest:
                raise DomainError("idempotency_key_reused")
            if kept is not None:
                return HTTPStatus(kept.status), json.loads(kept.answer)
            try:
                status, answer = act()
            except (
                DomainError
            ) as refusal:  # a submission that is refused can leave a version with new findings
                refused = refusal
            else:
                ApiAnswer.objects.create(
                    account=owner,
                    key=key,
                    request_sha256=digest,
                    status=status,
                    answer=json.dumps(answer),
                )
        if refused:
            raise refused
        return status, answer

    def finalize_response(self, request: Request, response: Any, *args: Any, **named: Any) -> Any:
        response = super().finalize_response(request, response, *args, **named)
        response.headers["Cache-Control"] = "private, no-store"
        return response
