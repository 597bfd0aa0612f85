"""Writes letta.af: pip install letta; python letta_file.py OUT-DIR

The server needs PostgreSQL, so this uses the classes of the program that its export fills.
"""
import datetime as dt, pathlib, sys

from letta.schemas.agent_file import AgentFileSchema, AgentSchema, BlockSchema, MessageSchema
from letta.schemas.enums import MessageRole
from letta.schemas.letta_message_content import TextContent

at = lambda h: dt.datetime(2026, 4, 2, h, tzinfo=dt.timezone.utc)
texts = [(MessageRole.system, "You are the assistant of a clockmaker."),
         (MessageRole.user, "The tower clock is late by a minute."),
         (MessageRole.assistant, "Raise the bob of the pendulum by one turn of the nut."),
         (MessageRole.tool, '{"status": "OK", "message": null}')]
messages = [MessageSchema(id=f"message-{i}", role=role, content=[TextContent(text=text)], created_at=at(9 + i))
            for i, (role, text) in enumerate(texts)]
agent = AgentSchema(id="agent-0", name="clockmaker", block_ids=["block-0", "block-1"], messages=messages,
                    in_context_message_ids=[m.id for m in messages], system=texts[0][1], tool_ids=[], source_ids=[])
blocks = [BlockSchema(id="block-0", label="human", value="Ada Lind repairs tower clocks.", limit=5000,
                      description="What is known about the user."),
          BlockSchema(id="block-1", label="persona", value="Answers briefly.", limit=5000)]
doc = AgentFileSchema(agents=[agent], groups=[], blocks=blocks, files=[], sources=[], tools=[], mcp_servers=[],
                      metadata={}, created_at=at(18))
(pathlib.Path(sys.argv[1]) / "letta.af").write_text(doc.model_dump_json(indent=1, exclude_none=True) + "\n")
