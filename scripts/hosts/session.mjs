// One session: set-up, a first process that says and stores something, a second one that is told and asks for it, a
// third one that is killed, a fourth one that goes on, and removal. It returns what was seen, and does not judge times.

const animals = ("badger cobra dingo egret ferret gecko heron ibis jackal koala lemur marmot newt ocelot panther " +
  "quail raven shrike tapir urchin").split(" ");
const cities = ("Lisbon Oslo Turin Gdansk Porto Bergen Zagreb Malaga Tallinn Graz Leipzig Utrecht Nantes Cork Bilbao " +
  "Kaunas Varna Split Tampere Basel").split(" ");
const languages = ("Haskell Erlang Fortran Prolog Scala Cobol Elixir Kotlin Pascal Clojure Ocaml Swift Julia Racket " +
  "Perl Ruby Lua Groovy Dart Zig").split(" ");
const people = ("Maria Jonas Priya Tomas Aisha Henrik Lucia Pavel Noemi Oskar Greta Farid Ingrid Mateo Yuki Selma " +
  "Bruno Leila Viktor Anouk").split(" ");

export const most = animals.length;

// words of session n, from 0. No two sessions share a name.
function words(n) {
  const service = `${animals[n]} service`;
  return {
    say: `Please remember that the ${service} is deployed in ${cities[n]}.`,
    tool: `The ${service} is written in ${languages[n]}.`,
    said: `Noted: the ${service} is deployed in ${cities[n]}.`,
    ask: `Which language is the ${service} written in?`,
    told: `The ${service} is written in ${languages[n]}, as you said before.`,
    lost: `The ${service} is maintained by ${people[n]} since last month.`,
    resumed: `Who maintains the ${service}?`,
    last: `It is maintained by ${people[n]}, you said so before the interruption.`,
    language: languages[n],
    person: people[n],
  };
}

// turns returns what session n must leave in the memory: one episode each.
const turns = (n) => ["say", "tool", "said", "ask", "told", "lost", "resumed", "last"].map((name) => words(n)[name]);

// session runs session n on a Host. `server` is what server.mjs says, from this program. The result:
// failed: names of checks that failed, with what was seen; times: [{ started, took }] of the four processes in ms;
// seen: { start, prompt, summary, tool } as booleans; rewritten: files that the host wrote anew, and that were
// therefore not compared.
export async function session(host, n, server) {
  const w = words(n);
  const failed = [];
  const check = (name, ok, saw) => ok || failed.push(`${name}; saw ${JSON.stringify(saw)?.slice(0, 1500)}`);
  const restored = (name, before, after) => check(name, same(before, after), differing(before, after));
  const original = host.configuration();

  host.setUp();
  host.remove();
  restored("set-up and removal restore the files", original, host.configuration());
  host.setUp();
  const configured = host.configuration();

  const said = await host.prompt(w.say, (_, results) =>
    results === 0 ? { call: { tool: "store_episode", args: { content: w.tool } } } : { text: w.said });
  const first = said.requests[0];
  const has = (tool) => first.tools.some(({ name }) => name === tool || name?.endsWith(`_${tool}`));
  const missing = server.tools.filter((tool) => !has(tool));
  check("the model has the nine tools", server.tools.length === 9 && missing.length === 0, { missing });
  const instructed = plain(first).includes(squeeze(server.instructions));
  check("the model has the instructions whole", instructed || host.table.uninstructed, plain(first));
  check("store_episode stored", result(said).includes("stored"), result(said));
  const previous = n === 0 || blocks(host, first, w.say).start.includes(words(n - 1).last);
  check("the start of the session has what the resumed one said", previous, first.messages);

  const asked = await host.prompt(w.ask, (_, results) =>
    results === 0 ? { call: { tool: "retrieve", args: { query: w.ask } } } : { text: w.told });
  const { start, prompt } = blocks(host, asked.requests[0], w.ask);
  check("the start of the session has what the last one said", start.includes(w.say), asked.requests[0].messages);
  check("the prompt has the turn that it asks for", prompt.includes(w.tool), asked.requests[0].messages);
  const twice = items(start).filter((item) => items(prompt).includes(item));
  check("the second block does not repeat the first", twice.length === 0, twice);
  check("retrieve found the turn", result(asked).includes(w.language), result(asked));

  const killed = await host.prompt(w.lost, null, { kill: true });
  const resumed = await host.prompt(w.resumed, () => ({ text: w.last }), { resume: true });
  const again = plain(resumed.requests[0]);
  check("after the kill the words are there", again.includes(w.lost), again);

  const before = host.configuration();
  const rewritten = [...configured.keys()].filter((path) => configured.get(path) !== before.get(path));
  host.remove();
  const after = host.configuration();
  check("nothing of memory-graph stays", ![...after.values()].join("").includes("memory-graph"), [...after]);
  for (const path of rewritten) [original, after].forEach((files) => files.delete(path));
  restored("removal restores the files", original, after);

  return { failed, times: [said, asked, killed, resumed], rewritten,
    seen: { start: start !== "", prompt: prompt !== "", summary: previous && start.includes(w.say),
      tool: result(said).includes("stored") && result(asked).includes(w.language) } };
}

// stored compares the memory with what `count` sessions must have left in it.
export function stored(host, count) {
  const left = Array.from({ length: count }, (_, n) => turns(n)).flat();
  const unexpected = [];
  for (const { content } of host.episodes()) {
    const at = left.indexOf(content);
    if (at < 0) unexpected.push(content);
    else left.splice(at, 1);
  }
  return { missing: left, unexpected };
}

const items = (text) => text.split("\n").filter((line) => line.startsWith("- "));
const squeeze = (text) => text.replace(/\s+/g, " ").trim();
const plain = ({ system, messages }) => squeeze([system, ...messages.map(({ text }) => text)].join("\n"));
const result = ({ requests }) => requests.at(-1).messages.findLast(({ role }) => role === "tool")?.text ?? "";
const differing = (a, b) =>
  [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path))
    .map((path) => [path, b.get(path)]);
const same = (a, b) => differing(a, b).length === 0;

// blocks finds the contexts of the hooks around the last message of the user that holds the words.
function blocks(host, { messages }, words) {
  const asked = messages.findLastIndex(({ role, text }) => role === "user" && text.endsWith(words));
  return asked < 0 ? { start: "", prompt: "" } : host.table.blocks(messages, asked);
}
