// Cline ends a run with an error if a hook takes 3 s. What is late goes on, and is stored.
const patience = 2_700; // ms
const inTime = (work) => Promise.race([work, new Promise((done) => setTimeout(done, patience))]);

let session, directory; // of this process: Cline starts one for the plugins of each session
let begun = false;
let start; // what the memory knows at the start of the session
const open = new Set(); // events that memory-graph has not answered

// hook hands an event over at once: Cline may end this process soon.
const hook = (event, { conversationId, parentAgentId, agentId, agentRole }, fields, ...options) => {
  const agent = parentAgentId ? { agent_id: agentId, agent_type: agentRole } : {};
  const answer = run(event, { session_id: session ?? conversationId, cwd: directory, ...agent, ...fields }, options);
  open.add(answer);
  answer.then(() => open.delete(answer));
  return answer;
};

// safely makes a hook that never fails: Cline ends a run with an error if one does.
const safely = (hook) => async (event) => {
  try {
    return await hook(event);
  } catch {}
};

const textOf = (content) => typeof content === "string"
  ? content : content.filter(({ type }) => type === "text").map(({ text }) => text).join("\n");

// told returns what a tool told, without what Cline lists beside it: [{ query, result, success }].
const told = (output) =>
  Array.isArray(output) && output.every((part) => typeof part?.result === "string")
    ? output.map(({ result }) => result).join("\n") : output;

export default {
  name: "memory-graph",
  manifest: { capabilities: ["hooks"] },

  setup(_, context) {
    session = context.session?.sessionId;
    directory = context.workspaceInfo?.rootPath ?? process.cwd();
    if (session) start = hook("TaskStart", {}, { source: "startup" }, "--max", "2s"); // while Cline itself starts
  },

  hooks: {
    // Cline keeps the context in the conversation, as a block of its own after the message.
    beforeRun: safely(async ({ snapshot }) => {
      const said = snapshot.messages.filter(({ role, metadata }) => role === "user" && metadata?.displayRole !== "system");
      const message = said.at(-1);
      if (!message || snapshot.parentAgentId) return;
      const prompt = textOf(message.content);
      const resumed = snapshot.messages.length > 1;
      if (!begun && (resumed || !start)) {
        start = hook("TaskStart", snapshot, { source: resumed ? "resume" : "startup" }, "--max", "1s");
      }
      const answers = ["", ""];
      const ask = async () => {
        if (!begun) answers[0] = await Promise.race([start, new Promise((done) => setTimeout(done, 1_000, ""))]);
        begun = true;
        answers[1] = await hook("UserPromptSubmit", snapshot, { prompt, message_id: message.id });
      };
      await inTime(ask());
      const appendContext = answers.filter(Boolean).join("\n");
      return appendContext ? { appendContext } : undefined;
    }),

    afterTool: safely(({ snapshot, toolCall, input, result }) => {
      const { output, isError } = result;
      const fields = { tool_name: toolCall.toolName, tool_input: input, tool_use_id: toolCall.toolCallId };
      if (isError) hook("PostToolUseFailure", snapshot, { ...fields, error: output?.error ?? output }, "--max", "5s");
      else hook("PostToolUse", snapshot, { ...fields, tool_response: told(output) }, "--max", "5s");
    }),

    afterRun: safely(async ({ snapshot, result }) => {
      if (result.status === "completed") {
        const fields = { last_assistant_message: result.outputText, message_id: result.runId };
        hook("TaskComplete", snapshot, fields);
      }
      await inTime(Promise.all(open)); // after the last run, Cline ends this process
    }),
  },
};
