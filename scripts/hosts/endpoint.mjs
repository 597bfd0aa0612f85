// A model endpoint on loopback that logs every request and answers from a script.
import { mkdirSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { apis } from "./apis.mjs";

// open listens on a free port of loopback. `directory` gets NNNN.json for each request, with its path, its body and the
// reply.
//
// The returned object's `script` is a function (request, n) => reply, which may be asynchronous. It is asked for each
// request that offers tools; `n` counts the tool results after the last message of the user. `requests` holds these
// requests in the form of apis.mjs. A request without tools is a side question of the host, and is answered with "ok",
// unless `every` is set.
export async function open(directory) {
  mkdirSync(directory, { recursive: true });
  const endpoint = { script: () => ({ text: "ok" }), requests: [], unknown: [] };
  let count = 0;
  const log = (entry) => {
    count += 1;
    writeFileSync(join(directory, `${String(count).padStart(4, "0")}.json`), JSON.stringify(entry, null, 1));
  };

  async function answer(req, res) {
    const body = parse(await bytes(req));
    const api = req.method === "POST" && apis.find((each) => each.path.test(req.url));
    if (!api) {
      endpoint.unknown.push(`${req.method} ${req.url}`);
      log({ method: req.method, path: req.url, body, status: 404 });
      return res.writeHead(404, { "content-type": "application/json" }).end(`{"error": {"message": "not found"}}`);
    }
    const request = { ...api.read(body), at: performance.now() };
    let reply = { text: "ok" };
    if (request.tools.length > 0 || endpoint.every) {
      endpoint.requests.push(request);
      reply = await endpoint.script(request, resultsAtEnd(request));
    }
    log({ method: req.method, path: req.url, body, reply });
    if (reply.call) reply = { call: { ...named(request, reply.call.tool), args: reply.call.args } };
    res.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    const stream = (event, name) => res.write(`${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
    api.write(stream, reply, body);
    res.end();
    request.answered = performance.now();
  }

  const server = http.createServer((req, res) => answer(req, res).catch((error) => {
    endpoint.unknown.push(`${req.method} ${req.url}: ${error}`);
    res.destroy();
  }));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  endpoint.port = server.address().port;
  endpoint.close = () => (server.close(), server.closeAllConnections());
  return endpoint;
}

// resultsAtEnd counts the tool results after the last message of the user.
function resultsAtEnd({ messages }) {
  const last = messages.findLastIndex((message) => message.role === "user");
  return messages.slice(last + 1).filter((message) => message.role === "tool").length;
}

// named finds the tool that the host lists under a name of its own, such as mcp__memory-graph__retrieve.
function named({ tools }, tool) {
  const found = tools.find((each) => each.name === tool || each.name?.endsWith(`_${tool}`));
  return { name: found?.name ?? tool, namespace: found?.namespace };
}

async function bytes(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parse(raw) {
  try {
    return JSON.parse(raw.toString());
  } catch {
    return { unreadable: raw.toString("base64") };
  }
}
