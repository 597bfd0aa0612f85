#!/usr/bin/env node
// Starts the program that the platform's package holds, with this process's arguments and streams.
"use strict";
const { spawn } = require("node:child_process");
const os = require("node:os");

const name = `${require("./package.json").name}-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "memory-graph.exe" : "memory-graph";
let program;
try {
  program = require.resolve(`${name}/${file}`);
} catch {
  console.error(`memory-graph: the package ${name} is not installed. It holds the program for this platform.`);
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`memory-graph: ${program}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
