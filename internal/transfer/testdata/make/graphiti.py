"""Writes graphiti.json and graphiti-newer.json: pip install 'graphiti-core[kuzu]'; python graphiti.py OUT-DIR

It saves episodes, nodes and edges with the program's own classes into Kuzu, reads them back and writes them as JSON.
Vectors are constants: no model is asked.
"""
import asyncio, datetime as dt, json, pathlib, sys

from graphiti_core.driver.kuzu_driver import KuzuDriver
from graphiti_core.edges import EntityEdge
from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode

out = pathlib.Path(sys.argv[1])
day = lambda m, d, h=9: dt.datetime(2026, m, d, h, tzinfo=dt.timezone.utc)
ids = (f"00000000-0000-4000-8000-{n:012d}" for n in range(1, 99))


async def dump(driver, name):
    groups = ["clocks"]
    doc = {
        "episodes": await EpisodicNode.get_by_group_ids(driver, groups),
        "nodes": await EntityNode.get_by_group_ids(driver, groups),
        "edges": await EntityEdge.get_by_group_ids(driver, groups),
    }
    for n in doc["nodes"]:
        await n.load_name_embedding(driver)
    doc = {k: sorted((x.model_dump(mode="json") for x in v), key=lambda x: x["uuid"]) for k, v in doc.items()}
    (out / name).write_text(json.dumps(doc, indent=1) + "\n")


async def main():
    driver = KuzuDriver(db=":memory:")

    async def episode(text, at, who="Ada Lind"):
        e = EpisodicNode(uuid=next(ids), name="message", group_id="clocks", labels=[], source=EpisodeType.message,
                         source_description="chat", content=f"{who}: {text}", created_at=at, valid_at=at)
        await e.save(driver)
        return e

    async def node(name, label, summary):
        n = EntityNode(uuid=next(ids), name=name, group_id="clocks", labels=["Entity", label], summary=summary,
                       created_at=day(2, 1), name_embedding=[0.5] * 4)
        await n.save(driver)
        return n

    async def edge(a, rel, b, fact, ep, valid=None, invalid=None, expired=None):
        e = EntityEdge(uuid=next(ids), group_id="clocks", source_node_uuid=a.uuid, target_node_uuid=b.uuid, name=rel,
                       fact=fact, episodes=[ep.uuid], created_at=ep.created_at, valid_at=valid, invalid_at=invalid,
                       expired_at=expired, fact_embedding=[0.25] * 4)
        await e.save(driver)
        return e

    e1 = await episode("I repair tower clocks at Kestrel Works.", day(2, 1))
    e2 = await episode("I moved from Uppsala to Lund last month.", day(3, 10))
    ada = await node("Ada Lind", "Person", "Ada Lind repairs tower clocks.")
    kestrel = await node("Kestrel Works", "Organization", "")
    uppsala = await node("Uppsala", "Location", "")
    lund = await node("Lund", "Location", "")
    works = await edge(ada, "WORKS_AT", kestrel, "Ada Lind works at Kestrel Works.", e1, valid=day(1, 5))
    await edge(ada, "LIVES_IN", uppsala, "Ada Lind lives in Uppsala.", e1, valid=day(1, 1), invalid=day(2, 10),
               expired=day(3, 10))
    await edge(ada, "LIVES_IN", lund, "Ada Lind lives in Lund.", e2, valid=day(2, 10))
    gone = await edge(kestrel, "LOCATED_IN", uppsala, "Kestrel Works is located in Uppsala.", e1)
    await dump(driver, "graphiti.json")

    e3 = await episode("I left Kestrel Works on the first of May.", day(5, 2))
    works.invalid_at, works.expired_at = day(5, 1), day(5, 2)
    await works.save(driver)
    await gone.delete(driver)
    tower = await node("Tower clock", "Topic", "The town hall has a tower clock of 1888.")
    await edge(ada, "OWNS", tower, "Ada Lind owns the tower clock.", e3, valid=day(5, 1))
    await dump(driver, "graphiti-newer.json")


asyncio.run(main())
