"""Settings of every process, read from the environment.

Without DATABASE_URL the office runs on its embedded PostgreSQL and broker under `var/`, on this machine only:
that is `make demo` and the tests. With DATABASE_URL it is an installation for use: SECRET_KEY and
ALLOWED_HOSTS must be given, cookies and redirects expect HTTPS. Such an installation does not start as a
demonstration, with debug pages, with a short key, or without HTTPS unless INSECURE=1 is set.
"""

import os
import re
import secrets
import tempfile
from contextlib import suppress
from email.utils import parseaddr
from pathlib import Path

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.embedded.broker_server import broker_socket

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR = Path(env("RATING_OFFICE_VAR", default=str(BASE_DIR / "var"))).resolve()
DEMO = env.bool("DEMO", default=False)
BENCH = env.bool("BENCH", default=False)
DEBUG = env.bool("DEBUG", default=False)
EMBEDDED_DATABASE = not env("DATABASE_URL", default="")
EMBEDDED_BROKER = not env("BROKER_URL", default="")


def secret_key_of_this_directory() -> str:
    """One key per `var/`, made once. A link appears whole or not at all, so two processes agree."""
    path = VAR / "secret-key"
    if not path.exists():
        VAR.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=VAR, prefix=".secret-key-")  # mode 0600
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            os.link(draft, path)
        Path(draft).unlink()
    return path.read_text()


if EMBEDDED_DATABASE or DEBUG:
    SECRET_KEY = env("SECRET_KEY", default="") or secret_key_of_this_directory()
else:
    SECRET_KEY = env("SECRET_KEY")
# For one run of `migrate` after a change of SECRET_KEY: it encrypts second factors again (docs/how-to/containers.md).
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

HTTPS = env.bool("HTTPS", default=not (EMBEDDED_DATABASE or DEBUG))
MIN_SECRET_KEY_LENGTH = 50  # characters; Django's own deployment check asks for as many
if not EMBEDDED_DATABASE:
    unsafe = {
        "DEMO=1 is set: the passwords of a demonstration are public. Remove DEMO.": DEMO,
        "DEBUG=1 is set: error pages would show the code and the settings. Remove DEBUG.": DEBUG,
        f"SECRET_KEY is shorter than {MIN_SECRET_KEY_LENGTH} characters: make a long random one.": (
            len(SECRET_KEY) < MIN_SECRET_KEY_LENGTH
        ),
        "HTTPS=false is set: passwords would cross the network in clear text. "
        "Remove HTTPS, or set INSECURE=1 where only this machine can connect.": (
            not HTTPS and not env.bool("INSECURE", default=False)
        ),
    }
    if reasons := [reason for reason, found in unsafe.items() if found]:
        raise ImproperlyConfigured("DATABASE_URL names a real database. " + " ".join(reasons))

# Health checks ask from inside under these two names.
ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS", default=[]), "localhost", "127.0.0.1"]
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^ready/$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
if HTTPS:
    # A browser accepts these names only over HTTPS, from this host and for all of it: no other host sets them.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # no third cookie
MESSAGE_TAGS = {
    20: "good",
    25: "good",
    30: "warn",
    40: "bad",
}  # levels of django.contrib.messages: tones of the style sheet
BEHIND_PROXY = env.bool(
    "TRUST_FORWARDED_PROTO", default=False
)  # only behind a proxy that sets the headers itself
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Where Prometheus reads `/metrics` of the web, as host:port of a private network; none without it.
METRICS_BIND = env("METRICS_BIND", default="")
if METRICS_BIND and not re.fullmatch(r".+:[0-9]+", METRICS_BIND):
    raise ImproperlyConfigured("METRICS_BIND is an address with its port, such as 127.0.0.1:9464.")
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}

INSTALLED_APPS = [
    "config",
    "reporting",
    "reporting.federations.fmjd",
    "reporting.federations.knsb",
    "reporting.federations.iccf",
    "ratings",
    "ratings.federations.fmjd",
    "ratings.federations.knsb",
    "ratings.federations.iccf",
    "titles",
    "titles.federations.fmjd",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "template_partials.apps.SimpleAppConfig",  # the loaders are named below, in sight
]
# Not part of an installation, and not in its image (.dockerignore).
if DEMO:
    INSTALLED_APPS.append("config.demo")
if BENCH:
    INSTALLED_APPS.append("config.bench")
DEFAULT_POOL = "fmjd-100"
"""The pool that commands mean when none is given."""
MIDDLEWARE = [
    *(["config.web.metrics.measure_requests"] if METRICS_BIND else []),
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.web.known_parameters.drop_trackers",
    "config.web.kept_pages.keep_public_pages",
    "csp.middleware.CSPMiddleware",
    "config.web.middleware.show_direction_of_writing",
    "config.web.middleware.RequestLimits",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.web.middleware.language_of_address",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.web.middleware.no_session_in_api",
    "config.web.middleware.name_acting_person",
    "config.web.middleware.release_places",
    "config.web.middleware.LastingAddresses",
    # Deny by default: public views have login_not_required.
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "config.web.known_parameters.KnownParameters",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "reporting.accounts.views.office_sessions.OfficeSessionMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
DATA_UPLOAD_MAX_NUMBER_FIELDS = (
    60_000  # the form of the new players of a large tournament; its bytes are limited
)
REST_FRAMEWORK = {
    # Deny by default: an endpoint names who may use it.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["reporting.reports.api.bodies.BodyParser"],
    "DEFAULT_SCHEMA_CLASS": "reporting.web.api.endpoints.ParameterSchema",
    "EXCEPTION_HANDLER": "reporting.web.api.errors.error_response",
    "URL_FORMAT_OVERRIDE": None,
}
# The terms of what is published (docs/how-to/api.md): the SPDX identifier of a licence, and whom to name. Without a
# licence the pages say that readers should ask.
DATA_LICENCE = env("DATA_LICENCE", default="CC-BY-4.0" if DEMO else "")
DATA_LICENCE_URL = env("DATA_LICENCE_URL", default="") or (
    f"https://spdx.org/licenses/{DATA_LICENCE}.html" if DATA_LICENCE else ""
)
DATA_ATTRIBUTION = env("DATA_ATTRIBUTION", default="") or "Rating Office"
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default="") or "Rating Office <office@localhost>"
CONTACT_EMAIL = env("CONTACT_EMAIL", default="") or parseaddr(DEFAULT_FROM_EMAIL)[1]
OFFICE_URL = env("OFFICE_URL", default="")
OFFICE_NAME = env("OFFICE_NAME", default="")  # pages say it beside the mark; empty: after the federations
for name in (
    "DATA_LICENCE",
    "DATA_LICENCE_URL",
    "DATA_ATTRIBUTION",
    "DEFAULT_FROM_EMAIL",
    "CONTACT_EMAIL",
    "OFFICE_NAME",
    "OFFICE_URL",
):
    if "".join(globals()[name].splitlines()) != globals()[name]:
        raise ImproperlyConfigured(f"{name} is one line, without a line break.")
SPECTACULAR_SETTINGS = {
    "TITLE": "Rating Office",
    # An address at a host without a dot, as on a machine of its own, is none for OpenAPI.
    "CONTACT": {"name": DATA_ATTRIBUTION}
    | ({"email": CONTACT_EMAIL} if "." in CONTACT_EMAIL.rpartition("@")[2] else {}),
    **({"LICENSE": {"name": DATA_LICENCE, "url": DATA_LICENCE_URL}} if DATA_LICENCE else {}),
    "SERVERS": [{"url": OFFICE_URL.rstrip("/") or "/"}],
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "DESCRIPTION": (
        "Everything published, without an account; reports are checked without one and sent with a token. Points of "
        "games are halves of a win. Addresses without a host are on this site."
    ),
    "POSTPROCESSING_HOOKS": ["config.web.openapi.with_errors", "reporting.reports.api.bodies.with_details"],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "PATH_CONVERTER_OVERRIDES": {
        "day": {"type": "string", "format": "date"},
        "int": {"type": "integer", "minimum": 1, "maximum": 2**63 - 1},
        "revision": {"type": "integer", "minimum": 1, "maximum": 9999},
        "certificate": {"type": "string", "pattern": "^[TN][1-9][0-9]{0,8}-[A-Z2-7]{8}$"},
        "player": {"type": "string", "pattern": "^([a-z]{2,8}-)?[1-9][0-9]{0,9}$"},
    },
}
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.web.context.office",
            ],
            "builtins": [
                "template_partials.templatetags.partials",
                "django.templatetags.i18n",
                "reporting.templatetags.accounts",
                "reporting.templatetags.components",
                "reporting.templatetags.confirmation",
                "reporting.templatetags.players",
                "reporting.templatetags.reports",
                "reporting.templatetags.values",
                "reporting.web.error_summary",
                "ratings.templatetags.changes",
                "ratings.templatetags.lists",
                "ratings.templatetags.method",
                "ratings.templatetags.office",
                "ratings.templatetags.published_values",
                "ratings.templatetags.regulations",
                "titles.templatetags.norms",
                "titles.templatetags.title_texts",
            ],
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "django.template.loaders.filesystem.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
        },
    }
]

FORM_RENDERER = "reporting.web.error_summary.FormRenderer"
AUTH_USER_MODEL = "reporting.User"
SESSION_ENGINE = "reporting.accounts.sessions"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
# Log-in by django-allauth (docs/decisions/0028-log-in-by-allauth.md); the addresses in use are in reporting/urls.py.
# The password itself is checked by Django's own backend: only the address of the account opens it.
ACCOUNT_ADAPTER = "reporting.accounts.views.allauth_adapters.AccountAdapter"
MFA_ADAPTER = "reporting.accounts.views.allauth_adapters.SecondFactorAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]  # no sign-up: accounts are invited
ACCOUNT_EMAIL_VERIFICATION = "none"  # an invitation has proved the address
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 1
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_RATE_LIMITS = False  # counted by address and account together: reporting/web/rate_limit.py
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 5 * 60
CONFIRM_RESULTS_AFTER_SECONDS = (
    60 * 60
)  # acts that decide which results and norms count: reporting/accounts/views/step_up.py
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "reporting.messages.one_time_links.PasswordLink"  # noqa: S105
ACCOUNT_FORMS = {
    "login": "reporting.accounts.views.accounts.LogInForm",
    "reauthenticate": "reporting.accounts.views.accounts.ConfirmPasswordForm",
    "change_password": "reporting.accounts.views.accounts.ChangePasswordForm",
    "reset_password": "reporting.accounts.views.accounts.ForgottenPasswordForm",
    "reset_password_from_key": "reporting.accounts.views.accounts.ResetPasswordForm",
}
MFA_FORMS = {
    "authenticate": "reporting.accounts.views.accounts.CodeForm",
    "reauthenticate": "reporting.accounts.views.accounts.ConfirmCodeForm",
    "activate_totp": "reporting.accounts.views.accounts.SetUpFactorForm",
}
MFA_TOTP_ISSUER = "Rating Office"
MFA_ALLOW_UNVERIFIED_EMAIL = True  # a new address that is not confirmed yet does not prevent a second factor
# For people who accept, decide or sign, or manage accounts (reporting/policies.py); not in the demonstration.
SECOND_FACTOR_REQUIRED = not DEMO
# So many reports of an account are left to people who did not bring it in (decision 0098); `migrate` stores the number.
FIRST_REPORTS = env.int("FIRST_REPORTS", default=3)
if FIRST_REPORTS < 1:
    raise ImproperlyConfigured("FIRST_REPORTS is the number of reports, at least 1 (3 if it is not set).")
PASSWORD_HASHERS = ["reporting.accounts.password_strength.PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("email", "name")},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "reporting.accounts.password_strength.GuessablePasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = (
    7 * 24 * 3600
)  # the longest; each kind of link has its own (reporting/messages/one_time_links.py)

# The database user of the process. Only the owner changes tables; the web and the worker have the rights
# that the first migration grants them. With DATABASE_URL it is the user of the URL.
DATABASE_USERS = {"owner": "postgres", "web": "app_web", "worker": "app_worker"}
if EMBEDDED_DATABASE:
    DATABASES = {
        "default": {
            "ENGINE": "config.embedded.postgresql",
            "NAME": env("DATABASE_NAME", default="postgres"),
            "USER": DATABASE_USERS[env("DATABASE_ROLE", default="worker")],
            "EMBEDDED": {"var": str(VAR), "durable": True},
        }
    }
else:
    DATABASES = {"default": env.db("DATABASE_URL", engine="django.db.backends.postgresql")}
# Waiting for a lock has an end, so has a statement of the web, and a lost connection loses its locks. A calculation is
# idle in its transaction while numpy works; it sets shorter waits itself (ratings/migrations/sql).
IS_WEB_PROCESS = env("DATABASE_ROLE", default="worker") == "web"
if IS_WEB_PROCESS or not EMBEDDED_DATABASE:
    DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
DATABASES["default"]["OPTIONS"] = {
    "options": "-c lock_timeout=5s -c statement_timeout=60s -c idle_in_transaction_session_timeout=30s"
    if IS_WEB_PROCESS
    else "-c lock_timeout=30s -c idle_in_transaction_session_timeout=10min",
    **DATABASES["default"].get("OPTIONS", {}),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHE_TIMEOUT_SECONDS = 2  # seconds
BROKER_SOCKET = broker_socket(VAR)
if EMBEDDED_BROKER:
    CELERY_BROKER_URL = f"redis+socket://{BROKER_SOCKET}"
    CACHES = {
        "default": {
            "BACKEND": "config.embedded.cache.EmbeddedCache",
            "LOCATION": f"unix://{BROKER_SOCKET}?db=1",
            "OPTIONS": {"var": str(VAR), "socket_timeout": CACHE_TIMEOUT_SECONDS},
        }
    }
else:
    CELERY_BROKER_URL = env("BROKER_URL")
    CACHES = {
        "default": {
            "BACKEND": "config.web.counting_cache.CountingCache",
            "LOCATION": env("CACHE_URL", default=CELERY_BROKER_URL),
            "OPTIONS": {"socket_timeout": CACHE_TIMEOUT_SECONDS},
        }
    }
CACHES["default"]["KEY_PREFIX"] = "rating-office"

CELERY_TASK_TIME_LIMIT = 30 * 60
CELERY_TASK_SOFT_TIME_LIMIT = (
    25 * 60
)  # an error that is stored with the run; five minutes later the worker is killed
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A message only wakes the worker, the work is a row: no acknowledgement is needed. Where Kombu emulates it
    # on Redis, a broker that dies with an unacknowledged message stops the worker too.
    "ack_emulation": False,
    # Without these, worker and scheduler wait without end for a broker that died and did not close its connections.
    "socket_timeout": 10,
    "socket_connect_timeout": 10,
    "health_check_interval": 5,
}
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker without limit
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True  # results are rows of the database
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# The key that signs published lists: a folder of the worker alone (docs/how-to/verify.md), and a second place for what
# is signed.
SIGNING_FOLDER = env("SIGNING_FOLDER", default=str(VAR / "signing"))
SIGNATURES_COPY = env("SIGNATURES_COPY", default="")

CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    # A missed tick is not repeated: the next one looks for the same work.
    "look for work": {"task": "ratings.look_for_work", "schedule": 10.0, "options": {"expires": 10}},
    "number changes": {"task": "ratings.number_changes", "schedule": 10.0, "options": {"expires": 10}},
    "deliver webhooks": {"task": "ratings.deliver_webhooks", "schedule": 10.0, "options": {"expires": 10}},
    "send messages": {"task": "reporting.send_messages", "schedule": 30.0, "options": {"expires": 30}},
    "freeze what is due": {
        "task": "ratings.freeze_due_periods",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    # Looks whether lists were published or a name was erased since the last one (decision 0065).
    "make open data": {"task": "ratings.make_export", "schedule": 60.0, "options": {"expires": 60}},
    # The worker cannot see itself stop: the machine's own scheduler runs the command of that name (decision 0144).
    "check signs": {"task": "ratings.check_signs", "schedule": 300.0, "options": {"expires": 300}},
    # Each reminder is written once. Every hour of the day, so that one that the scheduler missed comes late.
    "send reminders": {"task": "reporting.send_reminders", "schedule": crontab(hour="7-20", minute=5)},
    "remind of closing dates": {
        "task": "ratings.send_closing_reminders",
        "schedule": crontab(hour="7-20", minute=10),
    },
    "drop superseded drafts": {"task": "ratings.drop_superseded", "schedule": crontab(hour=3, minute=10)},
    "forget deliveries": {"task": "ratings.delete_old_deliveries", "schedule": crontab(hour=3, minute=50)},
    "clear sessions": {"task": "reporting.clear_sessions", "schedule": crontab(hour=3, minute=30)},
    "delete tables not imported": {
        "task": "reporting.delete_old_uploads",
        "schedule": crontab(hour=3, minute=40),
    },
    "verify what is published": {"task": "ratings.verify_published", "schedule": crontab(hour=4, minute=10)},
    "forget senders of requests": {"task": "reporting.erase_senders", "schedule": crontab(hour=3, minute=20)},
}

# Webhooks lead to public network addresses by https (decision 0141), in the demonstration to any.
WEBHOOKS_TO_ANY_ADDRESS = DEMO

# Mail (docs/how-to/mail.md). Without EMAIL_URL, and in the demonstration, none is sent: messages are read on pages.
globals().update(
    env.email_url_config("dummymail://" if DEMO else env("EMAIL_URL", default="") or "dummymail://")
)
EMAIL_TIMEOUT = 10

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = OFFICE_TIME_ZONE = env("OFFICE_TIME_ZONE", default="UTC")
CELERY_TIMEZONE = TIME_ZONE

STATIC_URL = "/static/"
STATIC_ROOT = Path(env("STATIC_ROOT", default=str(VAR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static", ("uplot", BASE_DIR / "config/web/npm/node_modules/uplot/dist")]
STATICFILES_FINDERS = [
    "config.web.stylesheet.StylesheetFinder",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
if EMBEDDED_DATABASE or DEBUG:
    # Served from the source tree, without a build step.
    WHITENOISE_USE_FINDERS = True
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    STATIC_STORAGE = "django.contrib.staticfiles.storage.StaticFilesStorage"
else:
    STATIC_STORAGE = "whitenoise.storage.CompressedManifestStaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": STATIC_STORAGE},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "config.json_lines.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": env("LOG_LEVEL", default="WARNING")},
    "loggers": {
        # Django's own handlers write text to the console and mail: one line per event is enough.
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
    },
}
