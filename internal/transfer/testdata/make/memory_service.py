"""Writes mcp-memory-service.db and .json: pip install mcp-memory-service; cd OUT-DIR; python memory_service.py .

The vectors are constants: no model is asked. So the program takes two of the memories for a contradiction.
"""
import asyncio, pathlib, sys

import mcp_memory_service.storage.sqlite_vec as sv
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.sync.exporter import MemoryExporter
from mcp_memory_service.utils.hashing import generate_content_hash

out = pathlib.Path(sys.argv[1])
S = sv.SqliteVecMemoryStorage


async def none(self):
    self.embedding_model, self.embedding_dimension = object(), 8


S._initialize_embedding_model = none
S._generate_embedding = lambda self, text, *a, **k: [0.5] * 8
at = 1767258000.0  # 2026-01-01T09:00:00Z


def memory(text, tags, kind, days, **metadata):
    t = at + days * 86400
    return Memory(content=text, content_hash=generate_content_hash(text), tags=tags, memory_type=kind,
                  metadata=metadata, created_at=t, updated_at=t)


async def main():
    s = S(str(out / "mcp-memory-service.db"))
    s.embedding_dimension = 8
    await s.initialize()
    tea = memory("Ada Lind drinks her tea without milk.", ["tea", "ada"], "preference", 0)
    oil = memory("The tower clock gets one drop of oil.", ["clock"], "decision", 10, project="clockshop", user_id="ada")
    old = memory("The workshop opens at nine.", [], "note", 20)
    for m in (tea, oil, old):
        print(await s.store(m))
    print(await s.delete(old.content_hash))
    print(await MemoryExporter(s).export_to_json(out / "mcp-memory-service.json"))
    await s.close() if asyncio.iscoroutinefunction(s.close) else s.close()


asyncio.run(main())
