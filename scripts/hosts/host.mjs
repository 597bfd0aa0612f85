// One host with a HOME of its own, an endpoint of its own, and an empty memory.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { open } from "./endpoint.mjs";
import { hosts } from "./hosts.mjs";

const limit = 120_000; // ms; a host that takes longer hangs

// Host runs one host. `directory` is empty or missing; it gets the home, the work directory and the log of requests.
// The host starts `program`; `as` may be a script around it.
export class Host {
  static async start(id, { directory, modules, program, as = program, cache }) {
    const host = new Host();
    const home = join(directory, "home");
    mkdirSync(home, { recursive: true });
    mkdirSync(join(directory, "work"));
    symlinkSync(cache, join(home, ".cache")); // SQLite is compiled once for all hosts
    const endpoint = await open(join(directory, "requests"));
    const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", TERM: "xterm-256color", CI: "1", ...nowhere,
      ...hosts[id].env(endpoint.port) };
    Object.assign(host, { id, home, work: join(directory, "work"), endpoint, program, as, env, table: hosts[id] });
    host.command = host.table.program(modules);
    for (const [path, text] of Object.entries(host.table.files(endpoint.port))) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    return host;
  }

  // memory runs memory-graph in this home and returns what it prints.
  memory(...args) {
    return execFileSync(this.program, args, { env: this.env, cwd: this.work, maxBuffer: 1 << 28 }).toString();
  }

  // setUp runs `memory-graph setup`, and remove its reverse.
  setUp(...options) {
    this.memory("setup", this.id, "--program", this.as, ...options, "--yes");
  }

  remove() {
    this.memory("setup", this.id, "--program", this.as, "--uninstall", "--yes");
  }

  // prompt starts the host with one prompt and lets it end. `script` answers as in endpoint.mjs. With `kill`, host and
  // server are killed as soon as the model is asked. It returns the requests, and times in
  // ms: `started` until the first request, `ending` from the last reply to the exit, `took` for everything.
  async prompt(words, script, { resume = false, kill = false } = {}) {
    const [command, ...rest] = [...this.command, ...this.table.args(words, resume)];
    const first = this.endpoint.requests.length;
    const began = performance.now();
    const child = spawn(command, rest,
      { env: this.env, cwd: this.work, detached: true, stdio: [this.table.stdin ? "pipe" : "ignore", "pipe", "pipe"] });
    child.stdin?.end(this.table.stdin(words));
    const stop = () => { try { process.kill(-child.pid, "SIGKILL"); } catch { /* it has ended */ } };
    this.endpoint.script = kill ? () => (stop(), new Promise(() => {})) : script;
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    const timer = setTimeout(stop, limit);
    const code = await new Promise((done) => child.on("close", (code, signal) => done(code ?? signal)));
    clearTimeout(timer);
    const requests = this.endpoint.requests.slice(first);
    if (code !== (kill ? "SIGKILL" : 0) || requests.length === 0) {
      throw new Error(`${this.id} ended with ${code} after ${requests.length} requests:\n${output.slice(-4000)}`);
    }
    const ended = performance.now();
    return { requests, started: requests[0].at - began, ending: ended - requests.at(-1).answered, took: ended - began };
  }

  // configuration reads the host's files, as a map from path to content, without what the host keeps beside them.
  configuration() {
    const paths = new Set([...Object.keys(this.table.files(0)), ...this.table.added]);
    const present = [...paths].filter((path) => existsSync(join(this.home, path)));
    return new Map(present.map((path) => [path, readFileSync(join(this.home, path), "utf8")]));
  }

  // episodes returns all turns of the memory.
  episodes() {
    const records = this.memory("export").trim().split("\n").map((line) => JSON.parse(line));
    return records.filter(({ record }) => record === "episode");
  }

  // waiting counts turns in the spool.
  waiting() {
    const spool = join(this.home, ".local/share/memory-graph/memory.db-spool");
    return existsSync(spool) ? readdirSync(spool).filter((name) => name.endsWith(".json")).length : 0;
  }

  close() {
    this.endpoint.close();
  }
}

// nowhere sends whatever does not go to loopback to a port where nobody listens, for machines without namespaces.
const nowhere = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};
