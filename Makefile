test:
	cargo test --workspace
.PHONY: test
