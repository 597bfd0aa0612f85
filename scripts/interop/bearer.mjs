// A proxy that adds the bearer token to every request, because the conformance suite cannot send one. It changes nothing
// else, not even Host and Origin.
// Usage: node bearer.mjs http://127.0.0.1:PORT TOKEN_FILE. It prints the port that it listens on.
import { readFileSync } from "node:fs";
import http from "node:http";

const [target, tokenFile] = process.argv.slice(2);
const { hostname, port } = new URL(target);
const authorization = `Bearer ${readFileSync(tokenFile, "utf8").trim()}`;

const proxy = http.createServer((req, res) => {
  const onward = http.request(
    { hostname, port, method: req.method, path: req.url, headers: { ...req.headers, authorization }, setHost: false },
    (answer) => {
      res.writeHead(answer.statusCode, answer.headers);
      res.flushHeaders();
      answer.pipe(res);
    },
  );
  onward.on("error", () => res.destroy());
  res.on("close", () => onward.destroy());
  req.pipe(onward);
});
proxy.listen(0, "127.0.0.1", () => console.log(proxy.address().port));
