# Everything a contributor types. `make test` is what CI runs.

.PHONY: test setup format lint doc units units-a-to-p units-others soak bench book

test: setup format lint doc units

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

# The random tests a hundred times longer; for a night.
soak:
	TAUT_SOAK=100 cargo test --release --workspace --locked

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
