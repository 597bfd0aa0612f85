// Three streaming model APIs, as far as the hosts use them. Each entry of `apis` recognises its requests by the path,
// reads a request into one form, and streams a reply in its own form.
//
// A request in one form: { system, messages: [{ role, text }], tools: [{ name, namespace }] }. The roles are user,
// assistant, system, developer and tool; a tool message is the result of a call.
// A reply: { text } or { call: { name, args, namespace } }, with `name` as the request lists the tool.
import { randomUUID } from "node:crypto";

const fresh = (prefix) => prefix + randomUUID().replaceAll("-", "").slice(0, 20); // hosts join messages of the same id
const texts = (parts) => (typeof parts === "string" ? parts : (parts ?? []).map((p) => p.text ?? "").join("\n"));

// anthropic is the Messages API, of Claude Code.
const anthropic = {
  path: /^\/v1\/messages(\?|$)/,
  read(body) {
    const messages = [];
    for (const { role, content } of body.messages ?? []) {
      for (const part of typeof content === "string" ? [{ type: "text", text: content }] : content) {
        if (part.type === "text") messages.push({ role, text: part.text });
        if (part.type === "tool_result") messages.push({ role: "tool", text: texts(part.content) });
      }
    }
    return { system: texts(body.system), messages, tools: body.tools ?? [] };
  },
  write(stream, reply, body) {
    const usage = { input_tokens: 9, output_tokens: 9 };
    const block = reply.call
      ? { type: "tool_use", id: fresh("toolu_"), name: reply.call.name, input: {} }
      : { type: "text", text: "" };
    const delta = reply.call
      ? { type: "input_json_delta", partial_json: JSON.stringify(reply.call.args) }
      : { type: "text_delta", text: reply.text };
    const message = { id: fresh("msg_"), type: "message", role: "assistant", model: body.model, content: [], usage };
    const events = [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: reply.call ? "tool_use" : "end_turn" }, usage },
      { type: "message_stop" },
    ];
    for (const event of events) stream(event, event.type);
  },
};

// responses is OpenAI's Responses API, of Codex. It puts the tools of an MCP server into a namespace, whose description
// is the server's instructions.
const responses = {
  path: /^\/v1\/responses(\?|$)/,
  read(body) {
    const messages = (body.input ?? []).flatMap((item) => {
      if (item.type?.endsWith("_output")) return [{ role: "tool", text: texts(item.output) }];
      if (item.role) return (item.content ?? []).map((part) => ({ role: item.role, text: part.text ?? "" }));
      return [];
    });
    const spaces = (body.tools ?? []).filter((tool) => tool.type === "namespace");
    const tools = (body.tools ?? []).filter((tool) => tool.type !== "namespace");
    for (const space of spaces) tools.push(...space.tools.map((tool) => ({ ...tool, namespace: space.name })));
    const system = [body.instructions ?? "", ...spaces.map((space) => space.description ?? "")].join("\n");
    return { system, messages, tools };
  },
  write(stream, reply) {
    const { call } = reply;
    const item = call
      ? { type: "function_call", id: fresh("fc_"), call_id: fresh("call_"), name: call.name, namespace: call.namespace,
          arguments: JSON.stringify(call.args), status: "completed" }
      : { type: "message", id: fresh("msg_"), role: "assistant", status: "completed",
          content: [{ type: "output_text", text: reply.text, annotations: [] }] };
    const usage = { input_tokens: 9, output_tokens: 9, total_tokens: 18 };
    const response = { id: fresh("resp_"), object: "response", status: "in_progress", output: [] };
    const events = [
      { type: "response.created", response },
      { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { ...response, status: "completed", output: [item], usage } },
    ];
    for (const event of events) stream(event, event.type);
  },
};

// gemini is the Gemini API, of Gemini CLI.
const gemini = {
  path: /:streamGenerateContent(\?|$)/,
  read(body) {
    const messages = (body.contents ?? []).flatMap(({ role, parts }) =>
      parts.flatMap((part) => {
        if (part.functionResponse) return [{ role: "tool", text: JSON.stringify(part.functionResponse.response) }];
        return part.text === undefined ? [] : [{ role: role === "model" ? "assistant" : "user", text: part.text }];
      }),
    );
    const tools = (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
    return { system: texts(body.systemInstruction?.parts), messages, tools };
  },
  write(stream, reply) {
    const { call } = reply;
    const part = call ? { functionCall: { name: call.name, args: call.args } } : { text: reply.text };
    const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 };
    const candidates = [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }];
    stream({ candidates, usageMetadata });
  },
};

export const apis = [anthropic, responses, gemini];
