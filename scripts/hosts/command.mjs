// llm_command with the command of a real host: a turn is stored, the command asks the endpoint about it, and the facts
// of the answer are in the graph. Then the endpoint hangs, and the command is killed with everything that it started.
// The host is set up with our server and hooks: inside the command they must be off.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "./server.mjs";

const said = "Since the spring I work at Contoso, in the mornings.";
const answer = JSON.stringify({ turns: [{ turn: 1,
  entities: [{ id: 1, name: "Contoso", type: "organization", description: null }],
  relations: [{ quote: "I work at Contoso", head: 0, relation: "works_at", tail: 1, edge_class: "semantic",
    basis: "stated", confidence: 0.95, ended: false, valid_from: null, valid_until: null }] }] });
const patience = 90_000; // ms; longer means that nothing happens

// command runs the check on a Host. It returns { failed: [text], requests, asked: the endpoint's requests that were
// asked for the turn, run: the arguments of the command, ms: until the facts were there }.
export async function command(host) {
  const failed = [];
  const check = (name, ok, saw) => ok || failed.push(`${name}; saw ${JSON.stringify(saw)?.slice(0, 1500)}`);
  const { line, runs } = onPath(host);
  host.setUp();
  const settings = (timeout) => ({ ...host.env, MEMORY_GRAPH_LLM_COMMAND: line, MEMORY_GRAPH_RULES: "false",
    MEMORY_GRAPH_LLM_COMMAND_GATHER: "0s", MEMORY_GRAPH_LLM_COMMAND_TIMEOUT: timeout, MEMORY_GRAPH_TOOLSETS: "all" });
  const { endpoint } = host;
  endpoint.every = true; // the question has no tools
  const asked = ({ system, messages }) => [system, ...messages.map(({ text }) => text)].join("\n");
  const about = (request) => asked(request).includes(said);

  endpoint.script = (request) => ({ text: about(request) ? answer : "ok" });
  const began = performance.now();
  let server = await connect(host.program, settings("60s"));
  const tool = async (name, args) => (await server.ask("tools/call", { name, arguments: args })).structuredContent;
  await tool("store_episode", { content: said, user: "Ada" });
  const facts = async () => (await tool("retrieve_linked", { entity: "Contoso" }))?.links ?? [];
  const found = await until(async () => (await facts()).length > 0);
  const ms = Math.round(performance.now() - began);
  const job = async () => (await tool("status", {})).jobs?.find(({ kind }) => kind === "extract");
  check("the facts of the answer are in the graph", found && (await facts())[0].relation === "works_at",
    { facts: await facts(), job: await job(), requests: endpoint.requests.length });
  await server.close();
  const requests = [...endpoint.requests];
  check("one request for the turn", requests.filter(about).length === 1, requests.map(asked));
  check("no request has a context block", !requests.some((r) => asked(r).includes("<memory_context>")), requests);
  const ours = requests.flatMap(({ tools }) => tools).filter(({ name, namespace }) =>
    /memory.graph|store_episode/.test(`${namespace} ${name}`));
  check("no request offers our tools", ours.length === 0, ours);
  check("one run", runs().length === 1, runs());
  check("only the turn is stored", host.episodes().map(({ content }) => content).join() === said, host.episodes());

  let hanging = 0;
  endpoint.script = () => (hanging++, new Promise(() => {}));
  // The command must get as far as to ask, also on a busy machine.
  server = await connect(host.program, settings(`${Math.max(12, Math.ceil(ms / 500))}s`));
  await tool("store_episode", { content: "We met Lena of Fabrikam at the fair.", user: "Ada" });
  const told = await until(async () => (await job())?.last_error?.includes("did not answer in time and was killed"));
  check("a hanging command is reported", told && hanging > 0, { hanging, job: await job() });
  await server.close();
  const left = () => runs().filter(({ pid }) => alive(pid));
  check("nothing of the command's group is left", await until(() => left().length === 0), left());
  return { failed, requests: requests.length, asked: requests.filter(about).length, run: runs()[0]?.args, ms };
}

// lines are the commands that setup offers. Codex runs without its config.toml, so the endpoint stands in the line.
const lines = {
  "claude-code": () => "claude -p",
  codex: (port) => `codex exec -m bench -c model_provider=bench -c model_providers.bench.name=bench ` +
    `-c model_providers.bench.base_url=http://127.0.0.1:${port}/v1 -c model_providers.bench.wire_api=responses ` +
    `-c model_providers.bench.env_key=BENCH_KEY`,
  cline: () => "cline",
  opencode: () => "opencode run --pure --title facts",
  "gemini-cli": () => "gemini -m gemini-2.5-flash -p",
};

// onPath puts the host's command into PATH under its usual name. Each run notes its process, which leads its group.
function onPath(host) {
  const line = lines[host.id](host.endpoint.port);
  const bin = join(host.home, "bin");
  mkdirSync(bin);
  const file = join(bin, line.split(" ")[0]);
  const log = `${file}.runs`;
  writeFileSync(log, "");
  const quoted = host.command.map((word) => `'${word}'`).join(" ");
  writeFileSync(file, `#!/bin/sh\necho "$$ $*" >>'${log}'\nexec ${quoted} "$@"\n`);
  chmodSync(file, 0o755);
  host.env.PATH = `${bin}:${host.env.PATH}`;
  const runs = () => readFileSync(log, "utf8").split("\n").filter((each) => /^\d+ /.test(each))
    .map((each) => ({ pid: Number(each.split(" ")[0]), args: each.slice(each.indexOf(" ") + 1) }));
  return { line, runs };
}

// until asks again and again until the answer is true, and reports whether it was.
async function until(ok) {
  for (const end = performance.now() + patience; performance.now() < end;) {
    if (await ok()) return true;
    await new Promise((done) => setTimeout(done, 200));
  }
  return false;
}

// alive reports whether a process of a group runs.
function alive(group) {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}
