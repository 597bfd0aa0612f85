// Drives the server with an official TypeScript client, and prints what it checked. Exit code 1 at the first
// difference. node_modules must stand beside this file.
// Usage: node client.mjs PACKAGE ERA PROGRAM, or URL TOKEN_FILE instead of PROGRAM.
// PACKAGE is "sdk" (version 1) or "client" (version 2). ERA is a version of the protocol, or "auto": the client probes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [pkg, era, target, tokenFile] = process.argv.slice(2);
const modern = era !== "2025-11-25";
const wanted = modern ? "2026-07-28" : "2025-11-25";
const http = target.startsWith("http");

async function load() {
  if (pkg === "client") {
    return { ...(await import("@modelcontextprotocol/client")), ...(await import("@modelcontextprotocol/client/stdio")) };
  }
  const base = "@modelcontextprotocol/sdk/client";
  return {
    ...(await import(`${base}/index.js`)),
    ...(await import(`${base}/stdio.js`)),
    ...(await import(`${base}/streamableHttp.js`)),
  };
}
const mcp = await load();
const headers = http ? { Authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` } : {};
const answers = []; // the HTTP answers: [method, status, session]
const watched = async (url, init) => {
  const answer = await fetch(url, init);
  answers.push([init?.method ?? "GET", answer.status, answer.headers.get("mcp-session-id")]);
  return answer;
};
const transport = http
  ? new mcp.StreamableHTTPClientTransport(new URL(target), { requestInit: { headers }, fetch: watched })
  : new mcp.StdioClientTransport({ command: target, args: [], env: process.env });
const mode = !modern ? "legacy" : era === "auto" ? "auto" : { pin: era };
const client = new mcp.Client(
  { name: "interop", version: "1" },
  pkg === "client" ? { versionNegotiation: { mode } } : {},
);
// The answer to a cancelled call may come before the server reads the cancellation.
client.onerror = (e) => (failure ??= /unknown message ID/.test(String(e)) ? undefined : e);
let failure;

let passed = 0;
const check = async (name, f) => {
  try {
    await f();
    passed++;
  } catch (e) {
    console.error(`${name}: ${e.stack}`);
    process.exit(1);
  }
};
const refused = async (promise, code) => {
  await assert.rejects(promise, (e) => {
    assert.equal(e.code, code, String(e));
    return true;
  });
};

await client.connect(transport);
await check("version", () => {
  if (pkg === "client") assert.equal(client.getNegotiatedProtocolVersion(), wanted);
  else if (http) assert.equal(transport.protocolVersion, wanted);
});
if (!modern || era === "auto") { // a pinned client does not ask
  await check("the server names itself", () => {
    assert.equal(client.getServerVersion().name, "memory-graph");
    assert.match(client.getInstructions(), /retrieve/);
    assert.deepEqual(Object.keys(client.getServerCapabilities()).sort(),
      ["completions", "extensions", "prompts", "resources", "tools"]);
  });
}
await check("tools", async () => {
  const list = await client.listTools();
  assert.equal(list.tools.length, 9);
  if (modern) assert.ok(list.ttlMs > 0 && list.cacheScope === "private", JSON.stringify([list.ttlMs, list.cacheScope]));
});
const call = (name, args, options) =>
  pkg === "client" ? client.callTool({ name, arguments: args }, options) : client.callTool({ name, arguments: args }, undefined, options);
let turn;
await check("what was stored is found", async () => {
  turn = (await call("store_episode", { content: `Zoe moved to Oslo. ${pkg} ${era} ${http}` })).structuredContent.episode_id;
  const found = await call("retrieve", { query: "Zoe moved" });
  assert.ok(found.structuredContent.episodes.some((e) => e.id === turn), JSON.stringify(found));
});
await check("a wrong argument is an error of the tool", async () => {
  assert.equal((await call("retrieve", { nonsense: 1 })).isError, true);
});
await check("an unknown tool is an error of the protocol", () => refused(call("no_such_tool", {}), -32602));
await check("resources", async () => {
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 3);
  const got = await client.readResource({ uri: `memory://episode/${turn}` });
  assert.match(got.contents[0].text, /Oslo/);
  if (modern) assert.ok(got.ttlMs > 0, "a turn has no ttlMs");
  await client.readResource({ uri: "memory://context/hello" });
});
// Version 2 of the client turns the older code into the newer one.
await check("an unknown item", () => refused(client.readResource({ uri: "memory://episode/t99999" }), pkg === "sdk" ? -32002 : -32602));
await check("prompts", async () => {
  assert.equal((await client.listPrompts()).prompts[0].name, "memory_context");
  const got = await client.getPrompt({ name: "memory_context", arguments: { message: "Where is Zoe?" } });
  assert.match(got.messages[0].content.text, /Where is Zoe/);
  await refused(client.getPrompt({ name: "memory_context" }), -32602);
});
await check("completion", async () => {
  const got = await client.complete({
    ref: { type: "ref/resource", uri: "memory://entity/{id}" },
    argument: { name: "id", value: "Zo" },
  });
  assert.deepEqual(got.completion.values, ["Zoe"]);
});
await check("a cancelled call, and the next one", async () => {
  const stop = new AbortController();
  const cancelled = call("retrieve", { query: "Zoe" }, { signal: stop.signal });
  stop.abort("no longer wanted");
  await assert.rejects(cancelled);
  assert.ok(!(await call("retrieve", { query: "Zoe" })).isError);
});
await check("ten calls at once", async () => {
  const all = await Promise.all([...Array(10).keys()].map((i) => call("retrieve", { query: `Zoe ${i}` })));
  assert.ok(all.every((r) => !r.isError));
});
if (modern) {
  if (pkg === "client") {
    await check("discover", async () => {
      const got = await client.discover();
      assert.ok(got.supportedVersions.includes("2025-11-25") && got.supportedVersions.includes("2026-07-28"));
      assert.ok(got.ttlMs > 0);
    });
    await check("a stream of notifications opens and closes", async () => {
      const stream = await client.listen({ toolsListChanged: true });
      await stream.close();
    });
  }
  if (http) await check("there is no session", () => assert.ok(answers.every(([, , id]) => id === null)));
} else {
  await check("ping", () => client.ping());
  await check("logging is not offered", () => assert.rejects(client.setLoggingLevel("info")));
  if (http) {
    await check("a session, until it is ended", async () => {
      assert.match(transport.sessionId, /^mcp-session-/);
      assert.ok(answers.some(([method, status]) => method === "GET" && status === 200), "no stream of the session");
      const id = transport.sessionId;
      await transport.terminateSession();
      assert.deepEqual(answers.at(-1).slice(0, 2), ["DELETE", 200]);
      const after = await fetch(target, {
        method: "POST",
        headers: { ...headers, "mcp-session-id": id, "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      });
      assert.equal(after.status, 404);
    });
  }
}
await check("nothing unexpected arrived", () => assert.equal(failure, undefined));
await client.close();
console.log(`${passed} checks`);
process.exit(0);
