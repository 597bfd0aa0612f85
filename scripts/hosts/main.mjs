// Runs sessions of the real hosts against the built program, and says what the model received.
// Usage: node main.mjs --modules DIR --program FILE --work DIR [--sessions N | --compare N | --llm-command | --plugin]
//   [HOST...]
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { command } from "./command.mjs";
import { compare } from "./compare.mjs";
import { Host } from "./host.mjs";
import { hosts } from "./hosts.mjs";
import { plugin, withPlugins } from "./plugin.mjs";
import { describe } from "./server.mjs";
import { most, session, stored } from "./session.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...Object.fromEntries(
    ["modules", "program", "work", "sessions", "compare"].map((name) => [name, { type: "string" }])),
    "llm-command": { type: "boolean" }, plugin: { type: "boolean" } },
});
const count = Math.min(Number(values.sessions ?? 1), most);
const cache = join(values.work, "cache");
mkdirSync(cache, { recursive: true });
if (values.compare) {
  console.table(await compare(Number(values.compare), { ...values, cache }));
  process.exit();
}
if (values["llm-command"] || values.plugin) {
  await (values.plugin ? plugins() : commands());
  process.exit();
}
// Without --sessions the hooks may take as long as the hosts allow: a slow machine is no failure.
const as = values.sessions ? values.program : patient(values.program);

let failures = 0;
const rows = [];
for (const id of positionals.length > 0 ? positionals : Object.keys(hosts)) {
  const program = hosts[id].program(values.modules).at(-1);
  if (!existsSync(program)) {
    console.log(`skipped: ${id}, which is not in the lock file for this system`);
    continue;
  }
  const host = await Host.start(id, { ...values, as, cache, directory: mkdtempSync(join(values.work, `${id}-`)) });
  const results = [];
  try {
    for (let n = 0; n < count; n++) {
      const server = await describe(values.program, host.env);
      const result = await session(host, n, server);
      results.push(result);
      for (const line of result.failed) console.log(`FAILED  ${id}, session ${n + 1}: ${line}`);
      failures += result.failed.length;
    }
    await describe(values.program, host.env); // a server that starts and ends stores what waits
    const { missing, unexpected } = stored(host, count);
    for (const text of missing) console.log(`FAILED  ${id}: not stored: ${text}`);
    for (const text of unexpected) console.log(`FAILED  ${id}: stored twice, or never said: ${text}`);
    failures += missing.length + unexpected.length;
    rows.push(row(id, results, missing, unexpected));
  } catch (error) {
    console.log(`FAILED  ${id}: ${error.stack}`);
    failures++;
  }
  host.close();
}
console.table(Object.fromEntries(rows));
process.exitCode = failures > 0 ? 1 : 0;

// commands checks llm_command with the command of each host.
async function commands() {
  const rows = {};
  for (const id of positionals.length > 0 ? positionals : Object.keys(hosts)) {
    const host = await Host.start(id, { ...values, cache, directory: mkdtempSync(join(values.work, `${id}-`)) });
    const { failed, run, ...seen } = await command(host).catch((error) => ({ failed: [error.stack] }));
    host.close();
    for (const line of failed) console.log(`FAILED  ${id}: ${line}`);
    if (failed.length > 0) process.exitCode = 1;
    console.log(`${id}: ran with ${run}`);
    rows[id] = seen;
  }
  console.table(rows);
}

// plugins checks the plugin in the hosts that take it, alone and with setup.
async function plugins() {
  const rows = {};
  for (const id of positionals.length > 0 ? positionals : withPlugins) {
    for (const both of [false, true]) {
      const as = patient(values.program);
      const host = await Host.start(id, { ...values, as, cache, directory: mkdtempSync(join(values.work, `${id}-`)) });
      const { failed, ...seen } = await plugin(host, both).catch((error) => ({ failed: [error.stack] }));
      host.close();
      const name = both ? `${id} and setup` : id;
      for (const line of failed) console.log(`FAILED  ${name}: ${line}`);
      if (failed.length > 0) process.exitCode = 1;
      rows[name] = seen;
    }
  }
  console.table(rows);
}

// row is the line of one host in the table.
function row(id, results, missing, unexpected) {
  const of = (name) => `${results.filter(({ seen }) => seen[name]).length} of ${results.length}`;
  const times = (name) => {
    const sorted = results.flatMap((result) => result.times.map((each) => each[name])).sort((a, b) => a - b);
    return `${seconds(sorted[Math.floor((sorted.length - 1) / 2)])}, ${seconds(sorted.at(-1))}`;
  };
  const rewritten = [...new Set(results.flatMap((result) => result.rewritten))];
  return [id, {
    "SessionStart answered": of("start"),
    "prompt answered": of("prompt"),
    "right summary": of("summary"),
    "tools called": of("tool"),
    lost: missing.length,
    "twice or extra": unexpected.length,
    "to the request p50, max": times("started"),
    "to the end p50, max": times("took"),
    "written anew by the host": rewritten.join(" ") || "nothing",
  }];
}

// patient writes a program of the same name that gives hooks nine seconds; the hosts allow ten.
function patient(real) {
  const path = join(mkdtempSync(join(values.work, "patient-")), "memory-graph");
  const script = `#!/bin/sh\ncase $1 in hook) exec "${real}" "$@" --max 9s ;; esac\nexec "${real}" "$@"\n`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}
