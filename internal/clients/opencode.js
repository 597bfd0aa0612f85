const unhurried = ["--max", "5s"]; // for events whose answer nobody waits for

export const MemoryGraph = async ({ client, directory }) => {
  const sessions = new Map(); // by id: { inner, agent, begins, command, answer }
  let last = Promise.resolve(); // events are handed over in their order

  const hook = (event, id, fields, ...options) => {
    const session = sessions.get(id);
    const agent = session?.inner ? { agent_id: id, agent_type: session.agent } : {};
    return (last = last.then(() => run(event, { session_id: id, cwd: directory, ...agent, ...fields }, options)));
  };

  // known returns what is known about a session. The first message of this process asks OpenCode for the rest.
  const known = async (id) => {
    if (!sessions.has(id)) {
      const [{ data: info }, { data: messages }] = await Promise.all([
        client.session.get({ path: { id } }),
        client.session.messages({ path: { id }, query: { limit: 1 } }),
      ]);
      sessions.set(id, { inner: Boolean(info?.parentID), begins: messages?.length > 0 ? "resume" : "startup" });
    }
    return sessions.get(id);
  };

  return {
    "command.execute.before": async ({ command, sessionID, arguments: words }) => {
      (await known(sessionID)).command = `/${command} ${words ?? ""}`.trim();
    },

    "chat.message": async ({ sessionID }, { message, parts }) => {
      const session = await known(sessionID);
      const said = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored);
      const prompt = session.command ?? said.map((part) => part.text).join("\n");
      session.agent = message.agent;
      const start = session.begins && !session.inner ? hook("session.created", sessionID, { source: session.begins }) : "";
      const context = hook("chat.message", sessionID, { prompt, message_id: message.id });
      session.begins = session.command = undefined;
      const text = [await start, await context].filter(Boolean).join("\n");
      const { id } = parts.at(-1) ?? {};
      // OpenCode orders the parts of a message by their ids.
      if (id && text) parts.push({ id: `${id}0`, messageID: message.id, sessionID, type: "text", synthetic: true, text });
    },

    "tool.execute.after": async ({ tool, sessionID, callID, args }, result) => {
      const fields = { tool_name: tool, tool_input: args, tool_response: result?.output ?? result, tool_use_id: callID };
      hook("tool.execute.after", sessionID, fields, ...unhurried);
    },

    // The last message of the assistant in a turn is its answer. Messages before it announce the use of tools.
    "experimental.text.complete": async ({ sessionID, messageID }, { text }) => {
      const session = sessions.get(sessionID);
      if (!session) return;
      const before = session.answer?.messageID === messageID ? `${session.answer.text}\n` : "";
      session.answer = { messageID, text: before + text };
    },

    event: async ({ event }) => {
      const id = event.properties?.sessionID;
      const session = sessions.get(id);
      if (!session) return;
      if (event.type === "session.compacted") {
        session.answer = undefined; // it was the summary
        session.begins = "compact";
      }
      if (event.type === "session.idle" && session.answer) {
        const { messageID, text } = session.answer;
        session.answer = undefined;
        hook("session.idle", id, { last_assistant_message: text, message_id: messageID }, ...unhurried);
      }
    },

    dispose: async () => void (await last),
  };
};
