"""Writes cognee.json and cognee.graphml: pip install cognee; cd OUT-DIR; python cognee_export.py

The graph is stored by the program's own classes and written by its export. No model is asked.
"""
import asyncio, os

os.environ.update(MOCK_EMBEDDING="true", LLM_API_KEY="none", TELEMETRY_DISABLED="1", ENV="test",
                  ENABLE_BACKEND_ACCESS_CONTROL="false", DATA_ROOT_DIRECTORY=os.path.abspath("cognee-data"),
                  SYSTEM_ROOT_DIRECTORY=os.path.abspath("cognee-system"))
import cognee
from cognee.low_level import setup
from cognee.modules.data.methods import create_authorized_dataset
from cognee.modules.engine.models import Entity, EntityType
from cognee.modules.migration.export import export_dataset
from cognee.modules.users.methods import get_default_user
from cognee.tasks.storage import add_data_points


async def main():
    await setup()
    user = await get_default_user()
    await create_authorized_dataset("clocks", user)
    person = EntityType(name="person", description="A human being")
    maker = EntityType(name="organization", description="A company or a workshop")
    kestrel = Entity(name="Kestrel Works", is_a=maker, description="A workshop for clocks.")
    ada = Entity(name="Ada Lind", is_a=person, description="Repairs tower clocks.")
    await add_data_points([ada, kestrel], graph_only=True, custom_edges=[
        (str(ada.id), str(kestrel.id), "works_at",
         {"edge_text": "Ada Lind works at Kestrel Works.", "valid_at": "2026-01-05T00:00:00Z",
          "source_node_id": str(ada.id), "target_node_id": str(kestrel.id), "relationship_name": "works_at"})])
    for form in ("json", "graphml"):
        print(await export_dataset("clocks", form, f"cognee.{form}", user=user))


asyncio.run(main())
