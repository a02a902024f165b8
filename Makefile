# Everything a contributor types. `make test` is what CI runs.

TARGET ?= $(or $(CARGO_TARGET_DIR),target)

.PHONY: test setup format lint doc units attack toys soak fuzz-smoke semver deny minimal package dist vscode playground bench bench-guard book

test: setup format lint doc units attack

# Installs what the tests need and this machine lacks.
setup:
	@scripts/setup

format:
	cargo fmt --all --check

# The modules of a crate use each other in one direction.
lint:
	scripts/module-cycles
	cargo clippy --workspace --all-targets --locked -- -D warnings

doc:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# One test executable per crate. cargo-nextest, where it is installed, balances all tests of all crates over the cores.
# Tests that did not run, for want of the corpus, are listed at the end.
units:
	@rm -f $(TARGET)/skipped-tests.txt
	@if cargo nextest --version >/dev/null 2>&1; then \
	    cargo nextest run --workspace --locked --no-fail-fast && cargo test --workspace --locked --doc; \
	else \
	    cargo test --workspace --locked --no-fail-fast; \
	fi; status=$$?; \
	if [ -s $(TARGET)/skipped-tests.txt ]; then \
	    sort -u $(TARGET)/skipped-tests.txt; \
	    echo "$$(sort -u $(TARGET)/skipped-tests.txt | wc -l) groups of tests did not run"; \
	else \
	    echo "every test ran"; \
	fi; exit $$status

# Hostile names, sizes and nestings, then mutated inputs for so many seconds: `make attack SECONDS=3600 SEED=7`. The
# executables are those of the tests, so that nothing is built twice.
SECONDS ?= 60
SEED ?= 1
attack:
	cargo test --workspace --locked --no-run
	$(TARGET)/debug/taut-attack --taut $(TARGET)/debug/taut --seconds $(SECONDS) --seed $(SEED)

# A toy memory model that is registered in one line reaches the command line, suites, the page and the schemas.
toys:
	cargo test --locked -p taut-cli --features toy-model --test it toy_model
	cargo test --locked -p taut-explicit --features taut-memory/toy-model --test it against_brute_force

# The random tests a hundred times longer, the toy memory model, and hours of attacks; for a night.
soak: toys
	TAUT_SOAK=100 cargo test --release --workspace --locked
	$(MAKE) attack SECONDS=14400 SEED=$$(date +%s)

# Builds every fuzz target and runs each for a minute: `make fuzz-smoke FUZZ_SECONDS=10`. Needs cargo-fuzz. Where there is no
# nightly compiler, RUSTC_BOOTSTRAP lets the stable one take the flags of the sanitizers. What is found is in fuzz/artifacts;
# new inputs stay out of testdata.
FUZZ_SECONDS ?= 60
fuzz-smoke:
	cd fuzz && if rustup run nightly rustc --version >/dev/null 2>&1; then fuzz="cargo +nightly fuzz"; \
	    else export RUSTC_BOOTSTRAP=1; fuzz="cargo fuzz"; fi; \
	$$fuzz build || exit 1; \
	for target in $$($$fuzz list); do \
	    mkdir -p corpus/$$target && \
	    $$fuzz run $$target corpus/$$target ../testdata/fuzz/$$target -- -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=2048 || exit 1; \
	done

# Changes of the public interface since a commit, `make semver SINCE=v0.1.0`. Needs cargo-semver-checks.
SINCE ?= HEAD~1
semver:
	cargo semver-checks --package taut --baseline-rev $(SINCE)

# Licences, duplicate versions and sources of dependencies. Needs cargo-deny.
deny:
	cargo deny --locked check bans licenses sources

# The oldest versions that the manifests allow build: they are those of Cargo.lock, so that each is tested. Needs a nightly compiler.
minimal:
	cp Cargo.lock Cargo.lock.kept
	cargo +nightly update -Z direct-minimal-versions && cargo check --workspace; \
	    status=$$?; mv Cargo.lock.kept Cargo.lock; exit $$status

# Packs every crate that is meant to be published, and builds each from its package.
package:
	cargo package --workspace --locked --exclude taut-testkit --exclude taut-bench --exclude taut-attack

# What is passed on: a static executable in an archive, a Debian package, SHA256SUMS; the same bytes for the same commit.
dist:
	scripts/dist

# The extension for Visual Studio Code, editors/vscode/taut-VERSION.vsix. Needs npm.
vscode:
	scripts/vscode

# The page without a server, a static folder: target/playground. A browser opens it and checks every example.
playground: setup
	TARGET=$(TARGET) scripts/playground

bench:
	cargo build --release --locked -p taut-cli
	cargo run --release --locked -p taut-bench -- litmus
	cargo run --release --locked -p taut-bench -- states
	cargo run --release --locked -p taut-bench -- disk
	cargo run --release --locked -p taut-bench -- promela
	cargo run --release --locked -p taut-bench -- mmlib
	cargo run --release --locked -p taut-bench -- symbolic
	cargo run --release --locked -p taut-bench -- rounds
	cargo run --release --locked -p taut-bench -- dual
	cargo run --release --locked -p taut-bench -- repair --large
	cargo run --release --locked -p taut-bench -- spin --json spin.json --plot spin.svg
	cargo run --release --locked -p taut-bench -- usability
	cargo run --release --locked -p taut-bench -- questions

# Instructions of ten fixed commands beside those in bench/instructions.json; fails at 5 % more. The executable is the one of
# the tests. `make bench-guard UPDATE=--update` writes the file. Needs valgrind.
UPDATE ?=
bench-guard:
	cargo test --workspace --locked --no-run
	scripts/instructions --guard bench/instructions.json $(TARGET)/debug/taut $(UPDATE)

# Needs mdbook: cargo install mdbook
book:
	mdbook build book
