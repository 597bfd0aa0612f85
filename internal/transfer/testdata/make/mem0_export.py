"""Writes mem0.json, mem0-newer.json and mem0-history.db: pip install mem0ai chromadb; cd OUT-DIR; python mem0_export.py

No model is asked: the vectors are the program's mock, and the memories are added as they are (infer=False).
"""
import json, os, shutil, time

os.environ["MEM0_TELEMETRY"] = "false"
import mem0.utils.factory as factory
from mem0 import Memory
from mem0.embeddings.mock import MockEmbeddings

factory.EmbedderFactory.create = classmethod(lambda *a, **k: MockEmbeddings())
factory.LlmFactory.create = classmethod(lambda *a, **k: None)
shutil.rmtree("chroma", ignore_errors=True)
m = Memory.from_config({"history_db_path": "mem0-history.db",
                        "vector_store": {"provider": "chroma", "config": {"collection_name": "memories", "path": "chroma"}}})


def add(text, user, **k):
    return m.add([{"role": "user", "content": text}], user_id=user, infer=False, **k)["results"][0]["id"]


def dump(name):
    every = []
    for user in ("ada", "tomas"):
        every += m.get_all(filters={"user_id": user})["results"]
    json.dump({"results": sorted(every, key=lambda x: x["memory"])}, open(name, "w"), indent=1)


tea = add("Drinks her tea without milk.", "ada", run_id="spring", metadata={"topic": "tea"})
add("Repairs tower clocks.", "ada")
late = add("Comes at nine.", "tomas")
dump("mem0.json")
time.sleep(2)  # times are stored by the second
m.update(tea, "Drinks her tea with milk now.")
m.delete(late)
add("Comes at eight.", "tomas")
dump("mem0-newer.json")
shutil.rmtree("chroma")
