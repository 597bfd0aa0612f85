// Asks the built program itself what hosts should show to the model: its tools and its instructions.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

// describe starts `memory-graph serve`, and returns { tools: [name], instructions }. It also asks the memory something:
// before the answer, the server stores the turns that waited for it.
export async function describe(program, env) {
  const server = spawn(program, ["serve"], { env, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise((done) => server.on("exit", done));
  const say = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "bench", version: "1" };
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  let instructions, tools;
  for await (const line of createInterface({ input: server.stdout })) {
    const { id, result, error } = JSON.parse(line);
    if (error) throw new Error(`memory-graph serve answered ${JSON.stringify(error)}`);
    if (id === 1) {
      instructions = result.instructions;
      say({ method: "notifications/initialized" });
      say({ id: 2, method: "tools/list" });
    }
    if (id === 2) {
      tools = result.tools.map((tool) => tool.name);
      say({ id: 3, method: "tools/call", params: { name: "retrieve", arguments: { query: "anything" } } });
    }
    if (id === 3) {
      server.stdin.end();
      await ended;
      return { instructions, tools };
    }
  }
  throw new Error("memory-graph serve ended before it answered");
}
