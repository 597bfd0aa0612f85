#!/usr/bin/env bash
# Builds the packages for this machine and installs each one from its local file into an empty home directory, without
# Go on the path. Each installed program runs the demo. It skips the packages whose installer is missing, and says so.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(go env GOOS)/$(go env GOARCH)
scripts/release.sh v0.0.1 "$target" >/dev/null
dist=$PWD/dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

demo() { # demo NAME PROGRAM [WORD...]: runs the demo in an empty home and prints one line of the table
	local name=$1 started=$SECONDS
	shift
	mkdir -p "$work/$name/home"
	if ! env -i HOME="$work/$name/home" TMPDIR="$work/$name" PATH=/usr/bin:/bin:"${node:-/usr/bin}" "$@" demo \
		>"$work/out" 2>&1; then
		tail -n 20 "$work/out"
		return 1
	fi
	printf '%-8s demo ok, %d s\n' "$name" $((SECONDS - started))
}

megabytes() { du -m "$1" | cut -f 1; }

mkdir "$work/archive"
tar -xzf "$dist"/memory-graph-v0.0.1-*.tar.gz -C "$work/archive"
demo archive "$work/archive/memory-graph"

if command -v npm >/dev/null; then
	node=$(dirname "$(command -v node)")
	mkdir -p "$work/npm/home"
	HOME=$work/npm/home npm install --offline --no-audit --no-fund --no-update-notifier --prefix "$work/npm" \
		"$dist"/memory-graph*-0.0.1.tgz >/dev/null
	demo npm "$work/npm/node_modules/.bin/memory-graph"
else
	echo 'npm      skipped: npm is not on the path'
fi

if python3 -c 'import venv, ensurepip' 2>/dev/null; then
	python3 -m venv "$work/wheel"
	"$work/wheel/bin/pip" install --quiet --no-index --disable-pip-version-check "$dist"/memory_graph-*.whl
	demo wheel "$work/wheel/bin/memory-graph"
else
	echo 'wheel    skipped: python3 with venv is not on the path'
fi

if command -v dpkg-deb >/dev/null && [[ $target == linux/* ]]; then
	mkdir "$work/deb"
	dpkg-deb --extract "$dist"/memory-graph-v0.0.1-*.deb "$work/deb"
	demo deb "$work/deb/usr/bin/memory-graph"
	[[ -s $work/deb/usr/share/man/man1/memory-graph-setup.1.gz ]]
else
	echo 'deb      skipped: dpkg-deb is not on the path'
fi

for file in "$dist"/*; do
	printf '%4d MB  %s\n' "$(megabytes "$file")" "$(basename "$file")"
done
