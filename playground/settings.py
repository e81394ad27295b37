"""Django's settings, all from the environment; without any of it: SQLite and a Redis on this machine.

The one rule: nothing else in the project knows whether it runs embedded, on one machine or on several.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF

from playground import environment
from playground.limits import Limits
from playground.logs import logging_config
from playground.runs.extender_hosts import Allowed

BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = Path(environment.text("PLAYGROUND_STATE", str(BASE_DIR / "var"))).resolve()
STATE_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

DEBUG = environment.flag("DEBUG")
SECRET_KEY = environment.text("SECRET_KEY") or environment.kept_secret(STATE_DIR / "secret-key")
LIMITS = Limits()
# Logs can be made again, scenarios cannot: days after which they go, 0 for never.
RETENTION_LOG_DAYS = environment.number("RETENTION_LOG_DAYS", 90)
RETENTION_SCENARIO_DAYS = environment.number("RETENTION_SCENARIO_DAYS", 0)
# Off unless the operator names hosts: a scenario is a stranger's text, and so are the addresses in it.
EXTENDER_ALLOWED_HOSTS = Allowed.parse(environment.names("EXTENDER_ALLOWED_HOSTS"))

# Who may ask: loopback by any of its names, and the address we were told to listen on.
_host = environment.text("HOST")
_wildcard = _host in {"", "0.0.0.0", "::"}
ALLOWED_HOSTS = environment.names("ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]", *(() if _wildcard else (_host,))))
CSRF_TRUSTED_ORIGINS = environment.names("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = ["django.contrib.staticfiles", "channels", "csp", "ninja", "playground"]
MIDDLEWARE = [
    "playground.probes.ProbeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "playground.http.static.StaticFilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "playground.http.problems.ProblemMiddleware",
    "playground.http.cross_origin.CrossOriginMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "playground.http.language.LanguageMiddleware",
    "playground.http.page.WrongMethodMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "playground.http.clients.ClientMiddleware",
]
# The operator's pages under /admin/ bring accounts, sessions and a login: only where they are wanted.
ADMIN = environment.flag("ADMIN")
if ADMIN:
    INSTALLED_APPS += ["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions", "django.contrib.messages"]
    INSTALLED_APPS += ["django.contrib.admin"]
    MIDDLEWARE += [
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ]
SESSION_COOKIE_PATH = "/admin/"
ROOT_URLCONF = "playground.urls"
ASGI_APPLICATION = "playground.asgi.application"
WSGI_APPLICATION = None
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.template.context_processors.csrf",
                *(("django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages") if ADMIN else ()),
            ],
        },
    }
]

# -- database ---------------------------------------------------------------------------------------------------------
_SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
}


def _database() -> dict[str, Any]:
    url = environment.text("DATABASE_URL")
    if not url:
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": STATE_DIR / "playground.sqlite3", "OPTIONS": _SQLITE_OPTIONS}
    config: dict[str, Any] = dict(dj_database_url.parse(url))
    options = config.setdefault("OPTIONS", {})
    if config["ENGINE"].endswith("sqlite3"):
        options.update(_SQLITE_OPTIONS)
    return config


# Tests run threads and processes against one database: a file, not the memory of one connection.
_test_name = {} if environment.text("DATABASE_URL") else {"TEST": {"NAME": STATE_DIR / "tests.sqlite3"}}
DATABASES = {"default": {**_database(), **_test_name}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- Redis: broker, bell, counters ------------------------------------------------------------------------------------
REDIS_URL = environment.text("REDIS_URL", "redis://127.0.0.1:6379/0")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # Without a time limit on reads: redis-py would otherwise cut a subscription that hears nothing for a while.
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": None}], "prefix": "playground"},
    }
}
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "playground",
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
    }
}

CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_TRANSPORT = "playground.runs.transport:Transport"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_DEFAULT_QUEUE = "playground"
CELERY_TASK_SOFT_TIME_LIMIT = LIMITS.run_seconds + 15
CELERY_TASK_TIME_LIMIT = LIMITS.run_seconds + 30
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# Longer than any run, or a run that takes its time would be handed out twice (which is harmless, but waste).
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 10 * (LIMITS.run_seconds + 60),
    "socket_connect_timeout": 2,
    "socket_timeout": 15,
    "socket_keepalive": True,
    "health_check_interval": 10,
}
CELERY_BROKER_POOL_LIMIT = 4

# -- the pages --------------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = None
STATICFILES_DIRS = [BASE_DIR / "static", ("messages", BASE_DIR / "scheduler_core" / "trace" / "messages")]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False  # the middleware looks at each file by itself
WHITENOISE_MAX_AGE = 0 if DEBUG else 300

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LANGUAGE_COOKIE_NAME = "lang"
LOCALE_PATHS = [BASE_DIR / "playground" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# -- security ---------------------------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "frame-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}
X_FRAME_OPTIONS = "SAMEORIGIN"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
_https = any(urlsplit(origin).scheme == "https" for origin in CSRF_TRUSTED_ORIGINS)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = environment.flag("SECURE_COOKIES", default=_https)
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "playground.pages.views.csrf_failure"
if environment.flag("BEHIND_TLS_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# What a form may carry: a pasted document, percent-encoded. Bodies are bounded before Django sees them (playground.http.bodies).
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * LIMITS.json_bytes + 65_536
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

LOGGING_CONFIG = "logging.config.dictConfig"
LOGGING = logging_config(environment.text("LOG_LEVEL", "INFO"), as_json=environment.flag("LOG_JSON"))
NINJA_NUM_PROXIES = None
SILENCED_SYSTEM_CHECKS = ["staticfiles.W004"] if os.environ.get("PYTEST_VERSION") else []
