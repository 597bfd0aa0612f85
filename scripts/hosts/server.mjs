// Talks to the built program itself: what hosts should show to the model, and calls of its tools.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

// connect starts `memory-graph serve` and initializes it. The result has `initialized`, the answer to that; `ask`, which
// sends a request and returns its result; and `close`, which ends the server and waits for it.
export async function connect(program, env) {
  const server = spawn(program, ["serve"], { env, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise((done) => server.on("exit", done));
  const open = new Map();
  let last = 0;
  const say = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (method, params) => new Promise((done, failed) => {
    open.set(++last, { done, failed });
    say({ id: last, method, params });
  });
  createInterface({ input: server.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    const { done, failed } = open.get(id) ?? {};
    open.delete(id);
    if (error) failed?.(new Error(`memory-graph serve answered ${JSON.stringify(error)}`));
    else done?.(result);
  });
  ended.then(() => open.forEach(({ failed }) => failed(new Error("memory-graph serve ended before it answered"))));
  const clientInfo = { name: "bench", version: "1" };
  const initialized = await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  say({ method: "notifications/initialized" });
  return { initialized, ask, close: () => (server.stdin.end(), ended) };
}

// describe returns { tools: [name], instructions }. It also asks the memory something: before the answer, the server
// stores the turns that waited for it.
export async function describe(program, env) {
  const server = await connect(program, env);
  const { tools } = await server.ask("tools/list", {});
  await server.ask("tools/call", { name: "retrieve", arguments: { query: "anything" } });
  await server.close();
  return { instructions: server.initialized.instructions, tools: tools.map((tool) => tool.name) };
}
