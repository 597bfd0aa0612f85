// How long one prompt of Claude Code takes without memory-graph, with its server, with its hooks, and with both. Hooks
// that do nothing show what the host itself needs to run them.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Host } from "./host.mjs";

// variants prepare a host that is not set up.
const variants = {
  without: () => {},
  "server only": (host) => host.setUp("--no-hooks"),
  "hooks that do nothing": (host) => {
    host.as = join(host.home, "memory-graph");
    writeFileSync(host.as, "#!/bin/sh\n", { mode: 0o755 });
    hooksOnly(host);
  },
  "hooks only": hooksOnly,
  both: (host) => host.setUp(),
};

// hooksOnly sets the host up and takes the server away.
function hooksOnly(host) {
  host.setUp();
  const path = join(host.home, ".claude.json");
  const { mcpServers, ...rest } = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify(rest));
}

// compare runs each variant `count` times, one after the other in each round, after one round that is not counted. It
// returns the rows of a table, in ms.
export async function compare(count, { work, ...options }) {
  const runs = [];
  for (const [name, prepare] of Object.entries(variants)) {
    const host = await Host.start("claude-code", { ...options, directory: mkdtempSync(join(work, "compare-")) });
    prepare(host);
    runs.push({ name, host, results: [] });
  }
  for (let round = 0; round <= count; round++) {
    for (const { host, results } of runs) {
      const result = await host.prompt(`This is note ${round} about the harbour.`, () => ({ text: "I see." }));
      if (round > 0) results.push(result);
    }
  }
  const base = middle(runs[0].results, "took");
  for (const { host } of runs) host.close();
  return Object.fromEntries(runs.map(({ name, results }) => {
    const took = middle(results, "took");
    const fastest = Math.round(Math.min(...results.map((result) => result.took)));
    return [name, { "to the request": middle(results, "started"), "after the reply": middle(results, "ending"),
      all: took, "more than without": took - base, fastest, runs: results.length }];
  }));
}

// middle returns the median of one time, in whole ms.
function middle(results, name) {
  const sorted = results.map((result) => result[name]).sort((a, b) => a - b);
  return Math.round(sorted[Math.floor((sorted.length - 1) / 2)]);
}
