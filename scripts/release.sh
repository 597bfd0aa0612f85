#!/usr/bin/env bash
# Builds a release into dist/: scripts/release.sh v1.2.3 [OS/ARCH...]
# It builds a stripped program for each system (all six without arguments), then every package of each program and
# SHA256SUMS of all files. scripts/packages/owner.toml names the publisher. The same commit and Go version produce the
# same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:-}
if [[ ! $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; then
	echo "usage: scripts/release.sh vMAJOR.MINOR.PATCH[-PRERELEASE] [OS/ARCH...]" >&2
	exit 2
fi
shift
if (($# == 0)); then
	set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
fi

rm -rf dist
mkdir dist
for target; do
	os=${target%/*} arch=${target#*/}
	out=dist/memory-graph-$version-$os-$arch
	if [[ $os == windows ]]; then
		out+=.exe
	fi
	echo "building $out" >&2
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath \
		-ldflags "-s -w -X memory-graph/internal/cli.Version=$version" -o "$out" .
done
echo "writing packages" >&2
go run ./scripts/packages "$version" "$(git log -1 --format=%ct)"
cp LICENSE NOTICE dist/

cd dist
if command -v sha256sum >/dev/null; then
	sums=$(sha256sum -- *)
else
	sums=$(shasum -a 256 -- *)
fi
printf '%s\n' "$sums" | tee SHA256SUMS
