// The plugin that setup writes, in a host that installs it from its directory: alone, and together with setup. In
// Claude Code also the sessions to which the agent's turns belong, when the session is continued and cleared.
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { describe } from "./server.mjs";

export const withPlugins = ["claude-code", "codex"];

const say = "Please remember that the badger service is deployed in Lisbon.";
const tool = "The badger service is written in Haskell.";
const ask = "Which language is the badger service written in?";

// plugin runs the check on a Host, with setup too if `both`. It returns { failed: [text], blocks, turns }: how many
// contexts the second process got, and how many turns are stored.
export async function plugin(host, both) {
  const failed = [];
  const check = (name, ok, saw) => ok || failed.push(`${name}; saw ${JSON.stringify(saw)?.slice(0, 1500)}`);
  const directory = join(host.home, "plugin");
  const write = (...settings) => host.memory("setup", "--plugin", directory, "--program", host.as, ...settings);
  const run = (...args) => execFileSync(host.command[0], [...host.command.slice(1), "plugin", ...args],
    { env: host.env, cwd: host.work, stdio: ["ignore", "pipe", "pipe"] }).toString();
  const claude = host.id === "claude-code";
  write("--user", "Nobody");
  run("marketplace", "add", directory);
  run(claude ? "install" : "add", "memory-graph@memory-graph");
  write(); // other settings are another version
  run(claude ? "update" : "add", "memory-graph@memory-graph");
  if (both) host.setUp();

  const first = await host.prompt(say, storing(tool));
  const names = first.requests[0].tools.map(({ name }) => name).filter((name) => /(^|_)store_episode$/.test(name));
  check("the model has the tools once", names.length === 1, names);
  check("the model has the skill", whole(first.requests[0]).includes("Remember facts across conversations"), names);
  const second = await host.prompt(ask, () => ({ text: "In Haskell, as you said." }));
  const blocks = whole(second.requests[0]).split("<memory_context>").length - 1;
  check("one context of each hook", blocks === 2, second.requests[0].messages);
  const want = [say, tool, `Done: ${tool}`, ask, "In Haskell, as you said."];
  if (claude) want.push(...(await sessions(host, check)));
  await describe(host.program, host.env); // a server that starts and ends stores what waits
  const stored = host.episodes();
  const contents = stored.map(({ content }) => content);
  check("each turn is stored once", contents.sort().join("\n") === want.sort().join("\n"), contents);
  check("an update changes the settings", stored.every(({ user }) => user !== "Nobody"), stored);

  run(claude ? "uninstall" : "remove", "memory-graph@memory-graph");
  if (!both) {
    const last = await host.prompt("Is anything left?", () => ({ text: "No." }));
    check("removal leaves nothing", !/store_episode|<memory_context>/.test(whole(last.requests[0])), last.requests[0]);
  }
  return { failed, blocks, turns: stored.length };
}

// storing is a script in which the agent stores a turn and says so.
function storing(content) {
  return (_, results) => results === 0 ? { call: { tool: "store_episode", args: { content } } }
    : { text: `Done: ${content}` };
}

// sessions goes on with a session, and clears another one. It checks that what the agent stores is in the session of
// the message before, and returns the turns.
async function sessions(host, check) {
  const turns = [["Please go on with the gecko.", "The gecko is green."], ["Please look at the heron.", "The heron is grey."],
    ["Please see the ibis.", "The ibis is white."]];
  await host.prompt(turns[0][0], storing(turns[0][1]), { resume: true });
  const [command, ...args] = [...host.command, ...host.table.args("")].filter((word) => word !== "");
  const child = spawn(command, [...args, "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
    { env: host.env, cwd: host.work, stdio: ["pipe", "pipe", "inherit"] });
  const exit = new Promise((done) => child.on("close", done));
  let output = "", seen = 0, next = () => {};
  child.stdout.on("data", (data) => {
    const ends = (output += data).split("\n").filter((line) => line.includes('"type":"result"')).length;
    if (ends > seen) next();
    seen = ends;
  });
  const type = (content) => new Promise((done) => {
    next = done;
    child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
    exit.then(done);
  });
  host.endpoint.script = storing(turns[1][1]);
  await type(turns[1][0]);
  await type("/clear");
  host.endpoint.script = storing(turns[2][1]);
  await type(turns[2][0]);
  child.stdin.end();
  await exit;
  await describe(host.program, host.env);
  const of = new Map(host.episodes().map(({ content, session_id }) => [content, session_id]));
  for (const [message, kept] of [[say, tool], ...turns]) {
    check("what the agent stores is in the session of the message", of.get(message) && of.get(message) === of.get(kept),
      { message, session: of.get(message), kept: of.get(kept) });
  }
  check("clear begins a session", of.get(turns[1][0]) !== of.get(turns[2][0]), [...of]);
  return turns.flatMap(([message, kept]) => [message, kept, `Done: ${kept}`]);
}

const whole = ({ system, messages }) => [system, ...messages.map(({ text }) => text)].join("\n");
