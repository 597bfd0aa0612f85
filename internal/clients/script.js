// memory-graph setup HOST wrote this file; memory-graph setup HOST --uninstall removes it.
// It hands the events of NAME to memory-graph, and puts what the memory knows after the words of a message.
import { spawn } from "node:child_process";

const program = "memory-graph";
const settings = [];
const most = 10_000; // ms; memory-graph itself answers or gives up much earlier

// run hands one event to memory-graph. It returns the context that memory-graph answers with, or "". It never fails.
function run(event, payload, options) {
  return new Promise((done) => {
    let answer = "";
    const end = () => {
      try {
        done(JSON.parse(answer).hookSpecificOutput.additionalContext ?? "");
      } catch {
        done("");
      }
    };
    try {
      const said = JSON.stringify(payload); // first: not every value of a tool has a form in JSON
      const child = spawn(program, ["hook", "HOST", event, ...settings, ...options],
        { stdio: ["pipe", "pipe", "ignore"], timeout: most, windowsHide: true });
      child.on("error", end);
      child.on("close", end);
      child.stdout.setEncoding("utf8").on("data", (data) => (answer += data));
      child.stdin.on("error", () => {});
      child.stdin.end(said);
    } catch {
      end();
    }
  });
}

