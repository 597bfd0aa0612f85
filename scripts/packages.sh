#!/usr/bin/env bash
# Builds the packages for this machine and installs each one from its local file into an empty home directory, without
# Go on the path. Each installed program runs the demo, stores a memory and finds it again, and is removed. It skips the
# packages whose installer is missing, and says so. The last lines are a table: seconds to install, seconds until the
# first memory was stored and found, megabytes of the package and of what it installed.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(go env GOOS)/$(go env GOARCH)
version=0.0.1
if [[ ${1:-} != --built ]]; then # --built: dist/ already holds the packages of v0.0.1
	scripts/release.sh v$version "$target" >/dev/null
fi
dist=$PWD/dist
most=60000000 # bytes of a stripped program; docs/dependencies.md says what is in it
if [[ -n $(find "$dist" -regex '.*-\(amd64\|arm64\)\(\.exe\)?' -size +${most}c) ]]; then
	echo "the program has more than $most bytes" >&2
	exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=()

now() { echo "${EPOCHREALTIME:-$SECONDS}"; }

seconds() { # seconds FROM: since the time FROM, with one decimal
	awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'
}

megabytes() { # megabytes PATH...: of the files in them
	find "$@" -type f -exec cat {} + | wc -c | awk '{ printf "%.1f", $1 / 1e6 }'
}

installing() { # installing NAME: makes its empty home and starts its clock
	mkdir -p "$work/$1/home"
	began=$(now)
}

run() { # run HOME COMMAND...: without this shell's variables, and without Go
	env -i HOME="$1" TMPDIR="$work" PATH=/usr/bin:/bin:"${node:-/usr/bin}" "${@:2}"
}

check() { # check NAME PACKAGE-MB INSTALLED-MB PROGRAM...: runs the demo, stores, finds, and adds the row of the table
	local name=$1 packed=$2 installed=$3 home=$work/$1/home install first
	shift 3
	install=$(seconds "$began")
	began=$(now)
	run "$home" "$@" remember 'Ann works at Acme.' >"$work/out" 2>&1 || { cat "$work/out" && return 1; }
	run "$home" "$@" facts Ann >"$work/out" 2>&1 || { cat "$work/out" && return 1; }
	first=$(seconds "$began")
	grep -q 'works_at Acme' "$work/out" || { cat "$work/out" && return 1; }
	run "$home" "$@" demo >"$work/out" 2>&1 || { tail -n 20 "$work/out" && return 1; }
	rows+=("$(printf '%-10s %9s %8s %12s %14s' "$name" "$install" "$first" "$packed" "$installed")")
	echo "$name: installed, demo ok"
}

skip() { rows+=("$(printf '%-10s skipped: %s' "$1" "$2")"); }

installing archive
tar -xzf "$dist"/memory-graph-v*.tar.gz -C "$work/archive"
check archive "$(megabytes "$dist"/memory-graph-v*.tar.gz)" "$(megabytes "$work/archive/memory-graph")" \
	"$work/archive/memory-graph"

if command -v npm >/dev/null; then
	node=$(dirname "$(command -v node)")
	installing npm
	HOME=$work/npm/home npm install --offline --no-audit --no-fund --no-update-notifier --prefix "$work/npm" \
		"$dist"/memory-graph*-$version.tgz >/dev/null
	check npm "$(megabytes "$dist"/memory-graph*-$version.tgz)" "$(megabytes "$work"/npm/node_modules/memory-graph*)" \
		"$work/npm/node_modules/.bin/memory-graph"
	HOME=$work/npm/home npm uninstall --offline --no-audit --no-fund --no-update-notifier --prefix "$work/npm" \
		$(cd "$work/npm/node_modules" && ls -d memory-graph*) >/dev/null
	[[ ! -e $work/npm/node_modules/.bin/memory-graph ]]
else
	skip npm 'npm is not on the path'
fi

if python3 -c 'import venv, ensurepip' 2>/dev/null; then
	python3 -m venv "$work/wheel"
	installing wheel
	"$work/wheel/bin/pip" install --quiet --no-index --disable-pip-version-check "$dist"/memory_graph-*.whl
	check wheel "$(megabytes "$dist"/memory_graph-*.whl)" "$(megabytes "$work/wheel/bin/memory-graph")" \
		"$work/wheel/bin/memory-graph"
	"$work/wheel/bin/pip" uninstall --quiet --yes --disable-pip-version-check memory-graph
	[[ ! -e $work/wheel/bin/memory-graph ]]
else
	skip wheel 'python3 with venv is not on the path'
fi

if command -v dpkg >/dev/null && [[ $target == linux/* ]]; then
	root=$work/deb/root
	mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
	touch "$root"/var/lib/dpkg/{status,available}
	dpkg_in() { dpkg --root="$root" --force-not-root --force-script-chrootless --log=/dev/null "$@" >/dev/null; }
	installing deb
	dpkg_in --install "$dist"/memory-graph-v*.deb
	check deb "$(megabytes "$dist"/memory-graph-v*.deb)" "$(megabytes "$root/usr")" "$root/usr/bin/memory-graph"
	[[ -s $root/usr/share/man/man1/memory-graph-setup.1.gz ]]
	dpkg_in --remove memory-graph
	[[ ! -e $root/usr/bin/memory-graph ]]
else
	skip deb 'dpkg is not on the path'
fi

# The image runs with a read-only file system, without capabilities and without a network. Some sandboxes refuse the
# limits that podman sets, and crun refuses hybrid control groups; then other flags are tried.
image=localhost/memory-graph:$version
safe=(--rm --read-only --cap-drop=all --network=none)
runner=()
find_runner() { # sets runner to a command that runs the image; why says why there is none
	local tool flags
	why='neither podman nor docker is on the path'
	for tool in podman docker; do
		command -v "$tool" >/dev/null || continue
		if ! why=$("$tool" load -i "$archive" 2>&1); then
			continue
		fi
		for flags in '' '--ulimit=nofile=1024:1024 --ulimit=nproc=1000:1000' \
			'--ulimit=nofile=1024:1024 --ulimit=nproc=1000:1000 --runtime=runc'; do
			# shellcheck disable=SC2206
			runner=("$tool" run "${safe[@]}" $flags)
			if why=$("${runner[@]}" $image version 2>&1); then
				return
			fi
		done
		"$tool" rmi -f $image >/dev/null 2>&1 || true
		runner=()
	done
}

archive=$(echo "$dist"/memory-graph-v*.oci.tar)
if [[ $target != linux/* ]]; then
	skip container 'images are for Linux'
else
	installing container
	find_runner
	installed=$(tar -xOf "$archive" manifest.json | sed 's/.*"Layers":\["\([^"]*\)".*/\1/' |
		xargs tar -xOf "$archive" | gzip -dc | wc -c | awk '{ printf "%.1f", $1 / 1e6 }')
	if ((${#runner[@]} > 0)); then
		volume=memory-graph-test-$$
		check container "$(megabytes "$archive")" "$installed" "${runner[@]}" -v "$volume:/data" $image
		"${runner[0]}" volume rm "$volume" >/dev/null
		"${runner[0]}" rmi -f $image >/dev/null
	else
		skip container "${why##*$'\n'}"
	fi
fi

printf '\n%-10s %9s %8s %12s %14s\n' package install,s memory,s package,MB installed,MB
printf '%s\n' "${rows[@]}"
