# Everything a contributor types. `make test` is what CI runs.

.PHONY: test setup format lint doc units units-a-to-p units-others attack soak fuzz-smoke deny minimal bench book

test: setup format lint doc units attack

# Installs what the tests need and this machine lacks.
setup:
	@scripts/setup

format:
	cargo fmt --all --check

lint:
	cargo clippy --workspace --all-targets --locked -- -D warnings

doc:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# Cargo runs one test binary at a time, and in many of them one test is longer than all others: so half of the
# binaries run beside the other half, by their names. The output of a half comes when it is done.
units:
	cargo test --workspace --locked --no-run
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target units-a-to-p units-others

units-a-to-p:
	cargo test --workspace --locked --lib --bins --test '[a-p]*'

units-others:
	cargo test --workspace --locked --test '[!a-p]*'
	cargo test --workspace --locked --doc

# Hostile names, sizes and nestings, then mutated inputs for so many seconds: `make attack SECONDS=3600 SEED=7`. The
# executables are those of the tests, so that nothing is built twice.
SECONDS ?= 60
SEED ?= 1
TARGET ?= $(or $(CARGO_TARGET_DIR),target)
attack:
	cargo test --workspace --locked --no-run
	$(TARGET)/debug/taut-attack --taut $(TARGET)/debug/taut --seconds $(SECONDS) --seed $(SEED)

# The random tests a hundred times longer, and hours of attacks; for a night.
soak:
	TAUT_SOAK=100 cargo test --release --workspace --locked
	$(MAKE) attack SECONDS=14400 SEED=$$(date +%s)

# Builds every fuzz target and runs each for a minute. Needs cargo-fuzz and a nightly compiler.
fuzz-smoke:
	cd fuzz && for target in $$(cargo +nightly fuzz list); do \
	    cargo +nightly fuzz run $$target ../testdata/fuzz/$$target -- -max_total_time=60 -rss_limit_mb=2048 || exit 1; \
	done

# Licences, duplicate versions and sources of dependencies. Needs cargo-deny.
deny:
	cargo deny --locked check bans licenses sources

# The oldest versions that the manifests allow build. Needs a nightly compiler.
minimal:
	cp Cargo.lock Cargo.lock.kept
	cargo +nightly update -Z direct-minimal-versions && cargo check --workspace; \
	    status=$$?; mv Cargo.lock.kept Cargo.lock; exit $$status

bench:
	cargo build --release --locked -p taut
	cargo run --release --locked -p taut-bench -- litmus
	cargo run --release --locked -p taut-bench -- states
	cargo run --release --locked -p taut-bench -- disk
	cargo run --release --locked -p taut-bench -- promela
	cargo run --release --locked -p taut-bench -- mmlib
	cargo run --release --locked -p taut-bench -- symbolic
	cargo run --release --locked -p taut-bench -- rounds
	cargo run --release --locked -p taut-bench -- repair --large
	cargo run --release --locked -p taut-bench -- spin --json spin.json --plot spin.svg
	cargo run --release --locked -p taut-bench -- usability
	cargo run --release --locked -p taut-bench -- questions

# Needs mdbook: cargo install mdbook
book:
	mdbook build book
