#!/usr/bin/env bash
# Runs the built program in the hosts that people use (Claude Code, Cline, Codex, Gemini CLI, OpenCode), without
# accounts: each host has a HOME of its own and asks a model endpoint on loopback, which logs the requests and answers
# from a script. Checks what the model received, what the memory holds, and that removal restores the hosts' files.
# hosts/package-lock.json pins the versions. Prints a table. The exit code is 1 if a check failed, and 0 if the hosts cannot be installed. With
# MEMORY_GRAPH_KEEP=1 the homes and the requests stay.
#
# scripts/hosts.sh [HOST...]                 one session per host; hooks have the host's time, as machines may be slow
# scripts/hosts.sh --sessions 20 [HOST...]   20 sessions per host, with the times that users have
# scripts/hosts.sh --compare 20              `claude -p` with and without memory-graph, alternating: where the time goes
# scripts/hosts.sh --plugin [HOST...]        the plugin of setup, alone and together with setup's hooks
# scripts/hosts.sh --llm-command [HOST...]   the hosts' commands as llm_command: the answer, and a command that hangs
set -uo pipefail
cd "$(dirname "$0")/.."

skip() {
	echo "skipped: $1"
	exit 0
}
case "$(uname -sm)" in
"Linux x86_64" | "Linux aarch64" | "Darwin arm64" | "Darwin x86_64") ;;
*) skip "the hosts' packages are for Linux and macOS" ;;
esac
command -v npm >/dev/null || skip "npm is missing, which installs the hosts"
(($(node -p 'process.versions.node.split(".")[0]') >= 20)) || skip "node is older than version 20"

# The hosts are cached in a directory named after the hash of the lock file, and downloaded again only if it changes.
lock=$( (sha256sum || shasum -a 256) <scripts/hosts/package-lock.json 2>/dev/null | cut -c1-16)
installed=${XDG_CACHE_HOME:-$HOME/.cache}/memory-graph-hosts/$lock
if [[ ! -e $installed/complete ]]; then
	mkdir -p "$installed"
	cp scripts/hosts/package.json scripts/hosts/package-lock.json "$installed"
	(cd "$installed" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1) ||
		skip "npm cannot install the hosts"
	touch "$installed/complete"
fi

work=$(mktemp -d)
if [[ -n ${MEMORY_GRAPH_KEEP:-} ]]; then
	echo "homes and requests: $work"
else
	trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
fi
CGO_ENABLED=0 go build -trimpath -o "$work/real/memory-graph" . || exit 1

# A namespace that has nothing but loopback, where the system allows one. Elsewhere a proxy that does not exist stands
# between the hosts and the network.
alone=()
if unshare -rn true 2>/dev/null && command -v ip >/dev/null; then
	alone=(unshare -rn sh -c 'ip link set lo up && exec "$@"' sh)
else
	echo "this system allows no network namespace; the hosts run without one"
fi
# With `set -u`, an empty array needs this form in bash 3.2, which macOS has.
${alone[@]+"${alone[@]}"} node scripts/hosts/main.mjs --modules "$installed/node_modules" \
	--program "$work/real/memory-graph" --work "$work" "$@"
