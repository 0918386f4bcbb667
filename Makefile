# The office on a machine with Python 3.11 or newer, git and make; everything else is fetched into .uv and .venv.
# `make demo` shows the whole of it; `make test` proves it. ARGS goes to the command behind, as in
# `make test ARGS=tests/rules` or `make demo ARGS=--empty`.

SHELL := /bin/bash
# Images of Python set it. The demonstration starts seven processes and the tests a hundred: without bytecode each of
# them compiles Django, Celery and this project again, twice the work of a start.
export PYTHONDONTWRITEBYTECODE :=
# The system's own Python where it will do: distributions compile it with optimizations, which one that was built by
# hand often lacks (a sixth of the time of `make test`). `make PYTHON=python3.x` names another.
PYTHON ?= $(or $(shell for each in /usr/bin/python3 python3; do \
	$$each -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done),python3)
PORT ?= 8000
WORKERS ?= 3
UV := .uv/bin/uv
RUN := .venv/bin/python

# Without hosts: the lock works with whichever package index the machine is set to.
COMPILE := $(UV) pip compile --quiet --python $(RUN) --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate pyproject.toml

.PHONY: install packages demo demo-reset test test-pages test-flows test-browser test-processes test-faults fuzz test-firefox test-clients lint lock lock-check bench clean chromium firefox nginx

# What browsers load comes from npm, with the Node.js that the lock names.
PACKAGES := config/web/npm/node_modules/.package-lock.json

# With the season of the demonstration as it is today: the next first start unpacks it.
install: packages
	@$(SEASON)

packages: .venv/installed $(PACKAGES) .venv/season

# Once with the packages, whichever command comes first in a new clone: `make demo` is then ready in some ten seconds.
# Never on a server that DATABASE_URL names, which the settings refuse.
SEASON = env -u DATABASE_URL DEMO=1 $(RUN) manage.py demo --prepare
.venv/season: .venv/installed
	@$(SEASON)
	@touch $@

$(PACKAGES): config/web/npm/package-lock.json .venv/installed
	.venv/bin/npm ci --prefix config/web/npm --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

.uv/bin/uv:
	@$(PYTHON) -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || $(MAKE) --no-print-directory python
	$(PYTHON) -m venv .uv
	.uv/bin/pip install --quiet --disable-pip-version-check 'uv==0.13.*'

.venv/installed: requirements.lock .uv/bin/uv
	@test -x $(RUN) || $(UV) venv --quiet --python $(PYTHON) .venv
	$(UV) pip sync --quiet --python $(RUN) --require-hashes requirements.lock
	@touch $@

# Debian and Ubuntu keep the means to make virtual environments in a package of its own.
.PHONY: python
python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Python 3.11 or newer is needed: name it with `make PYTHON=python3.x ...`.'; exit 1; }
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null; \
	else \
		echo 'python3-venv is missing: run `apt install python3-venv` as root, then again.'; exit 1; \
	fi

demo: packages
	@DEMO=1 exec $(RUN) manage.py demo --port $(PORT) $(ARGS)

demo-reset: packages
	@DEMO=1 exec $(RUN) manage.py demo --port $(PORT) --reset $(ARGS)

# On three processes, each with databases of its own: much of the time one of them waits for the
# database, a worker or a broker. WORKERS=0 is one after another. A file is one process's work, the folders take turns. At the end the 30
# slowest; pytest's summary stays the last line.
PYTEST = $(RUN) -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

test: packages
	@$(PYTEST) --ignore=tests/pages --ignore=tests/api --ignore=tests/flows --ignore=tests/processes --ignore=tests/browser \
		--ignore=tests/firefox --ignore=tests/clients --ignore=tests/services/test_bench.py --durations=30 $(ARGS)

# Every address by every role: pages, files and the API, asked by Django's test client and by schemathesis.
test-pages: packages
	@$(PYTEST) tests/pages tests/api --durations=10 $(ARGS)

# Whole quarters from report to list, with the pages on their way: FMJD, KNSB, ICCF and the federations of tests.
test-flows: packages
	@$(PYTEST) tests/flows --durations=10 $(ARGS)

# What starts, races, stops and kills processes of its own: the demonstration, workers, nginx, gunicorn, servers, backups.
test-processes: packages nginx
	@$(PYTEST) tests/processes --durations=10 $(ARGS)

# Chromium: stories with and without script, every page by axe in light and dark colours and in four widths.
test-browser: packages chromium
	@$(PYTEST) tests/browser --durations=10 $(ARGS)

# What is tried at random, many times: 50 kills, 300 approvals and releases pressed twice, 30 scenarios of corrections.
# And what only the benchmarks need: that they refuse to measure what does not agree.
test-faults: packages
	@MANY_FAULTS=1 $(RUN) -m pytest tests/processes/faults tests/services/test_random_scenarios.py tests/services/test_verify_lists.py \
		tests/pages/uploads/test_large_reports.py tests/formats tests/rules tests/services/test_bench.py --capture=no --durations=10 $(ARGS)

# Every endpoint asked by schemathesis, all checks: 1,000 requests made up for each role, and all at the edges of a schema.
# And 2,000 random tournaments paired: no hard rule broken, no round refused that can be paired.
fuzz: packages
	@MANY_FAULTS=1 $(PYTEST) --dist load tests/api/test_openapi.py tests/rules/pairing/test_random_tournaments.py --durations=10 $(ARGS)

# The main story in Debian's Firefox ESR: a second browser of 300 MB, so `make test` does not ask for it.
test-firefox: packages firefox
	@$(RUN) -m pytest tests/firefox $(ARGS)

# The OpenAPI file by Spectral and Redocly, and a TypeScript program with its types: 270 packages that nothing else needs.
test-clients: packages
	.venv/bin/npm ci --prefix tests/clients --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@$(RUN) -m pytest tests/clients $(ARGS)

chromium:
	@if [ -z "$$CHROMIUM_PATH" ] && ! command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null; then \
		as_root=; [ "$$(id -u)" = 0 ] || as_root='sudo -n'; \
		{ command -v apt-get && $$as_root true && $$as_root apt-get update -qq && export DEBIAN_FRONTEND=noninteractive && \
			{ $$as_root apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-dejavu-core || \
				$$as_root apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; }; \
		} >/dev/null 2>&1 || echo 'No Chromium here and no right to install it: the tests in tests/browser are left out.'; \
	fi

firefox:
	@if ! command -v firefox-esr >/dev/null; then \
		as_root=; [ "$$(id -u)" = 0 ] || as_root='sudo -n'; \
		{ command -v apt-get && $$as_root true && $$as_root apt-get update -qq && \
			DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends firefox-esr fonts-dejavu-core; \
		} >/dev/null 2>&1 || echo 'No Firefox ESR here and no right to install it: the test in tests/firefox is skipped.'; \
	fi

# For tests/processes/test_nginx.py; without it that test fails.
nginx:
	@if ! PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null; then \
		as_root=; [ "$$(id -u)" = 0 ] || as_root='sudo -n'; \
		{ command -v apt-get && $$as_root true && $$as_root apt-get update -qq && \
			DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends nginx-light openssl; \
		} >/dev/null 2>&1 || echo 'No nginx here and no right to install it: `apt install nginx-light`.'; \
	fi

lint: packages lock-check
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy config reporting ratings titles
	git ls-files -z 'templates/*.html' | xargs -0 -r .venv/bin/djade --target-version 5.2 --check
	.venv/bin/lint-imports
	$(RUN) manage.py makemigrations --check --dry-run
	$(RUN) manage.py generate_docs --check

# The second lock holds only what the container needs: no tests, no embedded servers.
lock: .venv/installed
	$(COMPILE) $(UPGRADE) --group dev --output-file requirements.lock
	$(COMPILE) --constraint requirements.lock --output-file requirements-production.lock

lock-check: .venv/installed
	@mkdir -p var
	@cp requirements.lock var/requirements.lock && cp requirements-production.lock var/requirements-production.lock
	@$(COMPILE) --group dev --output-file var/requirements.lock
	@$(COMPILE) --constraint requirements.lock --output-file var/requirements-production.lock
	diff requirements.lock var/requirements.lock
	diff requirements-production.lock var/requirements-production.lock

# Which versions of images and locks have to be looked at again today (config/docker/versions.toml, SECURITY.md).
.PHONY: versions-check advisories
versions-check: packages
	@VERSIONS_CHECK=1 $(RUN) -m pytest tests/processes/test_compose.py --quiet --no-header -k 'versions or one_list'

# Both locks against the published weaknesses, where the machine reaches a database of advisories: pip-audit asks PyPI or
# osv.dev, npm its registry. A package that could not be looked up is a failure too (--strict).
advisories: packages
	@test -x .uv/bin/pip-audit || .uv/bin/pip install --quiet --disable-pip-version-check 'pip-audit==2.*'
	@failed=0; \
	for lock in requirements.lock requirements-production.lock; do \
		.uv/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off --requirement $$lock || failed=1; \
	done; \
	.venv/bin/npm audit --prefix config/web/npm || failed=1; \
	exit $$failed

# Each one's figures become its block of docs/reference/speed.md. `make bench ARGS="quarter pages"` for some of them.
bench: packages
	@$(RUN) -m tests.bench $(ARGS)

# TOURNAMENTS=20 for a quick one; 300 of each size are half an hour.
.PHONY: bench-pairing
bench-pairing: packages
	@$(RUN) -m tests.bench pairing

# Pages, clicks, fields and tab stops from log-in to a submitted report, in a demonstration that runs at PORT.
.PHONY: stopwatch
stopwatch: packages chromium
	$(RUN) -m tests.stopwatch http://localhost:$(PORT)

clean:
	@$(PYTHON) -m config.embedded.servers var/test var/season var
	rm -rf .venv .uv config/web/npm/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
