# `make run` and `make test` do all of the set-up. They need Swift 6.2 or later and make, and nothing else by hand.
# The other targets are the steps of those two, and measurements.
.PHONY: logs run test test-quick test-long test-build test-rules test-swift test-asan-short docs test-first-order chaos chaos-short \
    test-citus test-browser test-walk screenshots browser test-openapi fuzz fuzz-short test-compose test-containers \
    test-tsan test-asan bench bench-growth bench-citus bench-against bench-page typeface build tools lint format setup test-setup swift packages test-packages \
    bench-packages container-packages

# The release program. Swift's libraries are linked into it.
RELEASE := swift build -c release --product welms --static-swift-stdlib

run: setup
	$(RELEASE)
	exec .build/release/welms serve

# All tests, and the short form of what takes long. steps.py runs the targets below and prints progress and totals.
test: test-setup
	@BUILT=1 /usr/bin/python3 -B Tests/Tools/Runner/steps.py

# The tests that need no PostgreSQL, no running program and no browser: for use while editing.
test-quick: test-setup logs
	swift build --build-tests
	$(TESTS) --filter '$(QUICK)'

# Every random search with as many cases as the promises name, and every minute of the days on which clocks change.
test-long: test-setup logs
	swift build --build-tests
	WELMS_LONG=1 $(TESTS) --filter '^OrderingTests\.'

test-build:
	swift build --build-tests

# The debug build. steps.py sets BUILT, because it has made the debug build before it runs the steps that use it.
debug := $(if $(BUILT),true,swift build --product welms)

# `swift test` itself takes seven seconds to find that nothing has to be built.
TESTS = env $(STARTS) SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 \
    .build/debug/welmsPackageTests.xctest --testing-library swift-testing $(EVENTS)
# Swift Testing's event stream, from which steps.py reads the results.
STARTS = WELMS_TEST_STARTS=$(CURDIR)/.build/test-logs/$@.jsonl.starts
EVENTS = --event-stream-output-path .build/test-logs/$@.jsonl --event-stream-version 0
# Suites that need no PostgreSQL, no running program and no browser, besides four whole targets.
QUICK_SUITES := AcceptLanguageTests CompleteResponseWriterTests ConnectionStringTests CursorTests DatabaseFaultTests EventStreamParserTests \
    FolderCycleTests ScriptBundlerTests StyleBundlerTests MakePackagesTests OptionBodyTests OrderingEvidenceTests RequestTargetTests \
    ReplicaLagTests LayerTests SHA256DigestTests TraceParentTests VersionsTests DocumentationTests
space := $(subst ,, )
QUICK := ^(OrderingTests|WireTests|ErrorChannelTests|MailTests)[.]|[.]($(subst $(space),|,$(strip $(QUICK_SUITES))))/

logs:
	@mkdir -p .build/test-logs

test-rules: logs
	$(TESTS) --filter '$(QUICK)'

test-swift: logs
	Tests/Tools/in-memory.sh $(TESTS) --skip '$(QUICK)'

# AddressSanitizer on the targets that call C: Tests/Tools/AddressSanitizer.
test-asan-short: logs
	Tests/Tools/in-memory.sh env $(STARTS) /usr/bin/python3 -B Tests/Tools/AddressSanitizer/short.py $(EVENTS)

tools: lint .build/venv/Browser/whole .build/venv/OpenAPI/whole .build/venv/Compose/whole .build/promtool

# `make run`, the README's tour on it, and the end: on a Debian where nothing was installed by hand with .ci/clean-root make test-first-order
test-first-order:
	Tests/Tools/first-order.sh

# The documentation of the libraries, as a site in .build/docs; a link that leads nowhere is an error. The pages lie with the libraries and
# are compiled as one, so that they can name each other's symbols. A parameter is described where its name does not say it all.
DOCUMENTED := Ordering Postgres ErrorChannel Wire StorefrontClient Database Shop Web
docs: setup
	swift package dump-symbol-graph --minimum-access-level package --skip-synthesized-members > /dev/null
	rm -rf .build/docs .build/docs-input && mkdir -p .build/docs-input/welms.docc .build/docs-input/graphs
	cp Sources/*/*.docc/*.md Sources/*/*.docc/*.png .build/docs-input/welms.docc
	graphs=$$(swift build --show-bin-path)/../symbolgraph && for library in $(DOCUMENTED); do \
	    cp $$graphs/$$library.symbols.json $$graphs/$$library@*.symbols.json .build/docs-input/graphs 2> /dev/null; done; \
	docc convert .build/docs-input/welms.docc --additional-symbol-graph-dir .build/docs-input/graphs --output-path .build/docs \
	    --fallback-display-name Welms --fallback-bundle-identifier welms --disable-parameters-and-returns-validation --warnings-as-errors
	@echo 'read it: python3 -m http.server --directory .build/docs, then http://127.0.0.1:8000/documentation/welms'

# What must hold when something breaks: Tests/Tools/Chaos/chaos.py prints a table. The short form is fewer kills, on the debug build.
chaos: test-setup
	$(RELEASE)
	/usr/bin/python3 Tests/Tools/Chaos/chaos.py $(CHAOS)

chaos-short: test-setup
	$(debug)
	Tests/Tools/in-memory.sh /usr/bin/python3 Tests/Tools/Chaos/chaos.py --scale short $(CHAOS)

# What has to stay exact when the tables lie on several machines, on the database of DATABASE_URL: a Citus cluster's coordinator, whose shop is
# made, spread and emptied. On a PostgreSQL without Citus nothing is spread, and the same tests run.
test-citus: test-setup
	@test -n "$(DATABASE_URL)" || { echo "say which database may be emptied: make test-citus DATABASE_URL=postgres://…"; exit 1; }
	swift build --build-tests
	.build/debug/welms migrate --database-url "$(DATABASE_URL)"
	.build/debug/welms seed --database-url "$(DATABASE_URL)"
	@if [ -z "$$(psql -qAtX -d "$(DATABASE_URL)" -c "select 'yes' from pg_extension where extname = 'citus'")" ]; then \
	    echo "There is no Citus in this database: nothing is distributed."; \
	elif [ -n "$$(psql -qAtX -d "$(DATABASE_URL)" -c "select 'yes' from pg_dist_partition where logicalrelid = 'baskets'::regclass")" ]; then \
	    echo "The shop is distributed already."; \
	else for file in sql/distributed/*.sql; do psql -qX -v ON_ERROR_STOP=1 -d "$(DATABASE_URL)" -f $$file > /dev/null || exit 1; done; fi
	WELMS_TEST_DATABASE_URL="$(DATABASE_URL)" swift test --no-parallel --filter 'ExactlyOnceTests|RedemptionLimitTests|LastPortionTests|LastSlotTests|BasketConcurrencyTests|PruningTests'

# The storefront page in a real Chromium, on a server of its own: Tests/Tools/Browser.
test-browser: browser
	Tests/Tools/in-memory.sh $(BROWSER_PYTHON) Tests/Tools/Runner/python_tests.py Tests/Tools/Browser --jobs 3

# Ten random walks of 1,000 steps on the guest page: Tests/Tools/Browser/test_walk.py. SEED=2 repeats one walk.
test-walk: browser
	WELMS_LONG=1 Tests/Tools/in-memory.sh $(BROWSER_PYTHON) Tests/Tools/Runner/python_tests.py Tests/Tools/Browser \
	    -k test_walk --jobs 1

# Every screen at both widths, by day and by night, into .build/screenshots.
screenshots: browser
	$(BROWSER_PYTHON) Tests/Tools/Browser/screenshots.py

BROWSER_PYTHON := $(CURDIR)/.build/venv/Browser/bin/python -B
browser: test-setup .build/venv/Browser/whole
	$(debug)

# A live server by the tools of its fields, schemathesis and promtool: Tests/Tools/OpenAPI. With SEED=2 schemathesis thinks of other cases.
test-openapi: test-setup .build/venv/OpenAPI/whole .build/promtool
	$(debug)
	Tests/Tools/in-memory.sh .build/venv/OpenAPI/bin/python -B Tests/Tools/Runner/python_tests.py Tests/Tools/OpenAPI

# libFuzzer on our own parsers, under AddressSanitizer: Tests/Tools/Fuzz. What it finds lies in .build/fuzz/found.
FUZZ_SECONDS := 300
fuzz: setup
	Tests/Tools/Fuzz/fuzz.sh $(FUZZ_SECONDS)
fuzz-short: setup
	Tests/Tools/Fuzz/fuzz.sh 15 -Onone

# compose.yaml, read by Docker where there is one, and by Tests/Tools/Compose everywhere.
test-compose: test-packages .build/venv/Compose/whole
	.build/venv/Compose/bin/python -B Tests/Tools/Runner/python_tests.py Tests/Tools/Compose --jobs 1
	@if docker compose version > /dev/null 2>&1; then docker compose config --quiet && docker compose --profile standby config --quiet && \
	    docker compose --profile citus config --quiet; else echo 'There is no docker compose here: its own reading of compose.yaml is left out.'; fi

# compose.yaml on Docker's own engine, under load and broken: Tests/Tools/Containers. Needs root. What it makes is kept in .build/containers,
# which may go. SEED=2 chooses other moments.
test-containers: swift container-packages
	/usr/bin/python3 -B Tests/Tools/Containers/build.py
	unshare --net /usr/bin/python3 -B Tests/Tools/Containers/run.py $(SEED)

# What Tests/Tools/X/requirements.txt lists, in a Python environment of its own. One that an interruption left half-made is not whole, and
# made anew.
.build/venv/%/whole: Tests/Tools/%/requirements.txt | test-packages
	rm -rf $(@D) && /usr/bin/python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# Taken out of Debian's package of Prometheus: what is not installed starts no service. Where there is no Debian it has to be on the PATH.
PACKAGE := .build/prometheus
.build/promtool: | test-packages
	rm -rf $(PACKAGE) && mkdir -p $(PACKAGE)
	if command -v promtool; then ln -sf "$$(command -v promtool)" $@; exit; fi; \
	cd $(PACKAGE) && download='apt-get -qq -o APT::Sandbox::User=root download prometheus' && \
	{ $$download || { if [ "$$(id -u)" = 0 ]; then apt-get update -q; else sudo -n apt-get update -q; fi; $$download; }; } && \
	dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool && mv usr/bin/promtool ../promtool
	rm -rf $(PACKAGE)

# ThreadSanitizer's objects don't mix with the others, so they have a directory of their own. Without the flag the second run of
# SwiftPM 6.3 in such a directory ends with "unknown build description". What runtime.c is for stands in it.
TSAN := .build-tsan
test-tsan: test-setup
	mkdir -p $(TSAN)
	clang -Wall -Werror -O1 -fPIC -shared -o $(TSAN)/runtime.so Tests/Tools/ThreadSanitizer/runtime.c
	WELMS_SANITIZER=1 SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4 LD_PRELOAD=$(CURDIR)/$(TSAN)/runtime.so swift test --sanitize=thread --scratch-path $(TSAN) --disable-build-manifest-caching

# AddressSanitizer, with objects of its own too. Leaks are not looked for: Swift keeps metadata and lazy globals for good.
ASAN := .build-asan
test-asan: test-setup
	WELMS_SANITIZER=1 ASAN_OPTIONS=detect_leaks=0:symbolize=0 SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4 swift test --sanitize=address --scratch-path $(ASAN) --disable-build-manifest-caching

# How fast it is, against PL/pgSQL, a service in Go and nginx in the same run: Tests/Tools/Load/bench.py. Under ten minutes on two cores once it is built.
# RESULTS=1 puts what it prints into Tests/Data/Load/RESULTS.md.
bench bench-growth: swift bench-packages
	$(RELEASE)
	/usr/bin/python3 Tests/Tools/Load/bench.py $(if $(filter bench-growth,$@),--only growth) $(if $(RESULTS),--write-results)

# The program of an older commit and this tree's taking turns: what each costs now, of what it cost then: Tests/Tools/Load/against.py.
# The older one is built once, below .build/against, and linked as its own Makefile says. RESULTS=1 puts the table into
# RESULTS.md.
bench-against: swift bench-packages
	@test -n "$(OLD)" || { echo "say against which commit: make bench-against OLD=1b1ed45"; exit 1; }
	$(RELEASE)
	commit=$$(git rev-parse --short=7 "$(OLD)^{commit}") && tree=.build/against/$$commit && \
	if [ ! -x $$tree/.build/release/welms ]; then rm -rf $$tree && mkdir -p $$tree && git archive $$commit | tar -x -C $$tree && \
	    (cd $$tree && swift build -c release --product welms $$(grep -om1 -e '--static-swift-stdlib' Makefile)); fi && \
	/usr/bin/python3 Tests/Tools/Load/against.py $$tree --name $$commit $(if $(RESULTS),--write-results)

# `make bench` on the Citus cluster of DATABASE_URL, whose shop is spread and may be emptied, against one PostgreSQL beside it.
bench-citus: swift bench-packages
	@test -n "$(DATABASE_URL)" || { echo "say which database may be emptied: make bench-citus DATABASE_URL=postgres://…"; exit 1; }
	$(RELEASE)
	/usr/bin/python3 Tests/Tools/Load/citus.py "$(DATABASE_URL)"

# How fast the guest's page comes on a slow line and a slow phone: Tests/Tools/Browser/page_speed.py.
bench-page: test-setup .build/venv/Browser/whole
	$(RELEASE)
	WELMS=$(CURDIR)/.build/release/welms $(BROWSER_PYTHON) Tests/Tools/Browser/page_speed.py

# The typeface of the page's headings, from Debian's package: Tests/Tools/Typeface.
typeface: .build/venv/Typeface/whole
	.build/venv/Typeface/bin/python -B Tests/Tools/Typeface/make.py

build: setup
	swift build --build-tests

lint:
	swift format lint --strict --parallel --recursive Sources Tests Package.swift

format:
	swift format --in-place --parallel --recursive Sources Tests Package.swift

setup: swift packages
test-setup: swift test-packages

swift:
	@swift --version > /dev/null 2>&1 || { echo "Swift is missing: install 6.2 or later from https://www.swift.org/install/linux and put it on the PATH"; exit 1; }

# What Debian has to provide, to run, to test and to measure, besides what swift.org lists for Swift. Each list is whole, and all tests have one:
# make runs a target once, for the first that asks. g++ is for the C++ of BoringSSL; psql and pgbench come with the server, of any version.
packages := ca-certificates curl g++ libcurl4-openssl-dev libjemalloc-dev libpq-dev libssl-dev libvips-tools pkg-config zlib1g-dev
test-packages := $(packages) chromium-headless-shell openssl python3-aiosmtpd python3-venv
bench-packages := $(packages) gcc golang-go golang-github-jackc-pgx-v4-dev libc6-dev nginx-light python3
container-packages := $(packages) debootstrap git iproute2 python3

# Nothing that is installed here starts: Debian would make and start a cluster on port 5432, and nginx at once and at every boot again.
APT := DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends
packages test-packages bench-packages container-packages:
	@command -v dpkg-query > /dev/null || { echo "no Debian here: libpq, OpenSSL and a PostgreSQL server are taken as they are"; exit 0; }; \
	missing=$$(for package in $($@); do \
	    dpkg-query -W -f '$${Status}' $$package 2> /dev/null | grep -q 'ok installed' || echo $$package; done; \
	    ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1 || echo postgresql); \
	missing=$$(echo $$missing); \
	[ -n "$$missing" ] || exit 0; \
	if [ "$$(id -u)" = 0 ]; then as_root=; elif sudo -n true 2> /dev/null; then as_root='sudo -n'; else \
	    echo "packages are missing; as root, run 'make $@' here, which does: apt-get install $$missing"; exit 1; fi; \
	$$as_root mkdir -p /etc/postgresql-common/createcluster.d && \
	echo 'create_main_cluster = false' | $$as_root tee /etc/postgresql-common/createcluster.d/no-main-cluster.conf > /dev/null; \
	policy=/usr/sbin/policy-rc.d; \
	if [ ! -e $$policy ]; then \
	    trap "$$as_root rm -f $$policy" EXIT; trap 'exit 1' HUP INT TERM; \
	    printf '#!/bin/sh\nexit 101\n' | $$as_root tee $$policy > /dev/null && $$as_root chmod +x $$policy || exit 1; fi; \
	$$as_root apt-get update -q && $$as_root env $(APT) $$missing || exit 1; \
	case "$$missing" in *nginx*) [ ! -d /run/systemd/system ] || $$as_root systemctl disable nginx;; esac
