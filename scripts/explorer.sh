#!/usr/bin/env bash
# Builds the page of `memory-graph explore` from internal/explorer/web into internal/explorer/dist, which is committed.
# With --check it changes nothing, and fails if the committed files are not what the source gives. The versions of the
# tools are pinned by internal/explorer/web/package-lock.json. Exits with 0 if they cannot be installed.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
web=$root/internal/explorer/web dist=$root/internal/explorer/dist

skip() {
	echo "skipped: $1"
	exit 0
}
command -v npm >/dev/null || skip "npm is missing, which installs the compiler of the page"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The tools are cached in a directory named after the hash of the lock file.
lock=$(sha256sum "$web/package-lock.json" | cut -c1-16)
tools=${XDG_CACHE_HOME:-$HOME/.cache}/memory-graph-explorer/$lock
if [[ ! -e $tools/complete ]]; then
	mkdir -p "$tools"
	cp "$web/package.json" "$web/package-lock.json" "$tools"
	(cd "$tools" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) ||
		skip "npm cannot install the compiler of the page"
	touch "$tools/complete"
fi

cp -r "$web/src" "$web/test" "$web/tsconfig.json" "$web/package.json" "$work"
ln -s "$tools/node_modules" "$work/node_modules"
cd "$work" || exit 1
node node_modules/typescript/bin/tsc -p . || exit 1
# esbuild's package contains its program for this machine; without install scripts it is started directly.
esbuild=$(echo "$tools"/node_modules/@esbuild/*/bin/esbuild)
mkdir out
bundle() {
	"$esbuild" "$@" --bundle --minify --target=es2022 --jsx=automatic --jsx-import-source=preact --charset=utf8 \
		--legal-comments=none --log-level=warning
}
bundle test/models.test.ts --format=esm --platform=node --outfile=models.test.mjs || exit 1
node --test models.test.mjs >tests.txt || {
	cat tests.txt
	exit 1
}
# The picture of the graph is a file of its own, which the page loads when it is wanted.
bundle src/main.tsx --format=esm --external:./picture.js --outfile=out/main.js || exit 1
bundle src/picture.ts --format=esm --outfile=out/picture.js || exit 1
bundle src/layout.worker.ts --format=esm --outfile=out/layout.worker.js || exit 1
"$esbuild" src/style.css --bundle --minify --log-level=warning --outfile=out/style.css || exit 1
cp src/index.html src/icon.svg out/
# The same in one file, for hosts that show the page as an MCP App. Its own policy allows this one script.
bundle src/app.tsx --format=iife --outfile=app.js || exit 1
node - >out/app.html <<'EOF' || exit 1
const fs = require('fs')
const script = fs.readFileSync('app.js', 'utf8').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--').trim()
const style = fs.readFileSync('out/style.css', 'utf8').replaceAll('</style', '').trim()
const hash = require('crypto').createHash('sha256').update(script).digest('base64')
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; ` +
	`base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types explore`
process.stdout.write(`<!doctype html>
<html lang="en" data-app>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>memory-graph</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script>${script}</script>
</body>
</html>
`)
EOF

size=0
for file in out/*; do size=$((size + $(gzip -9c "$file" | wc -c))); done
echo "$(ls out | wc -l) files, $size bytes with gzip"
((size <= 400000)) || {
	echo "the page may have at most 400,000 bytes"
	exit 1
}
if [[ ${1-} == --check ]]; then
	diff -rq out "$dist" && echo "internal/explorer/dist is current" || {
		echo "internal/explorer/dist is not what internal/explorer/web gives: run scripts/explorer.sh"
		exit 1
	}
else
	rm -rf "$dist" && cp -r out "$dist"
fi
