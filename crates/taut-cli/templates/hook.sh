#!/bin/sh
# Checks the models of this repository with Taut before each commit, as they are staged.
# Printed by `taut init-ci --provider hook`; keep it as .git/hooks/pre-commit and make it executable.
# `git commit --no-verify` leaves it out.
set -eu

git diff --cached --quiet -- @PATH@ && exit 0
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
# All files, since programs may include others.
git checkout-index --all --prefix="$staged/"
cd "$staged"
@CHECK@
