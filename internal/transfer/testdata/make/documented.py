"""Writes engram.db, engram.json, engram-newer.json and openmemory.db by the documentation of their programs, which
could not be run: engram's module is not in the Go proxy, and OpenMemory comes as containers. python documented.py OUT-DIR

engram: DOCS.md, "Database Schema", and the export of `engram export`. OpenMemory: the columns of its API's models.
"""
import json, pathlib, sqlite3, sys

out = pathlib.Path(sys.argv[1])


def database(name, tables):
    (out / name).unlink(missing_ok=True)
    c = sqlite3.connect(out / name)
    c.execute("pragma page_size = 512")
    for table, rows in tables.items():
        columns = list(dict.fromkeys(k for r in rows for k in r))
        c.execute(f"create table {table} ({', '.join(columns)})")
        for r in rows:
            c.execute(f"insert into {table} ({', '.join(r)}) values ({', '.join('?' * len(r))})", list(r.values()))
    c.commit()
    c.close()


def observation(n, kind, title, content, at, **more):
    return {"id": n, "sync_id": f"obs-{n:04d}", "session_id": "s-1", "type": kind, "title": title, "content": content,
            "project": "clockshop", "scope": "project", "topic_key": None, "revision_count": 1, "duplicate_count": 1,
            "created_at": at, "updated_at": at, "deleted_at": None, **more}


session = {"id": "s-1", "project": "clockshop", "directory": "/home/ada/clockshop", "started_at": "2026-03-01 09:00:00",
           "ended_at": "2026-03-01 10:00:00", "summary": "The strike train was repaired."}
observations = [
    observation(1, "decision", "Brass for the wheels", "The wheels of the strike train are made of brass.",
                "2026-03-01 09:10:00"),
    observation(2, "preference", "Tea", "Ada drinks her tea without milk.", "2026-03-01 09:20:00", scope="personal",
                project=None),
    observation(3, "bugfix", "Late strike", "The strike was late by a minute.", "2026-03-01 09:30:00"),
    observation(4, "decision", "Steel for the wheels", "The wheels are made of steel.", "2026-02-01 09:30:00"),
    observation(5, "note", "Gone", "This was deleted.", "2026-02-02 09:30:00", deleted_at="2026-02-03 09:30:00")]
prompts = [{"id": 1, "sync_id": "prompt-0001", "session_id": "s-1", "content": "Why is the strike late?",
            "project": "clockshop", "created_at": "2026-03-01 09:05:00"}]
database("engram.db", {
    "sessions": [session], "observations": observations, "user_prompts": prompts,
    "memory_relations": [
        {"id": 1, "sync_id": "rel-1", "source_id": "obs-0001", "target_id": "obs-0004", "relation": "supersedes",
         "judgment_status": "judged"},
        {"id": 2, "sync_id": "rel-2", "source_id": "obs-0001", "target_id": "obs-0003", "relation": "related",
         "judgment_status": "pending"}]})


def export(name, observations):
    doc = {"version": "0.1.0", "exported_at": "2026-03-02 09:00:00", "sessions": [session],
           "observations": observations, "prompts": prompts}
    (out / name).write_text(json.dumps(doc, indent=1) + "\n")


export("engram.json", observations[:4])
late = {**observations[2], "content": "The strike was late by a minute; the fly was loose.",
        "updated_at": "2026-04-01 09:00:00", "revision_count": 2}
tea = {**observations[1], "deleted_at": "2026-04-01 09:00:00"}
export("engram-newer.json", [observations[0], tea, late,
                             observation(6, "note", "Oil", "One drop of oil is enough.", "2026-04-01 09:05:00")])


def uuid(n):
    return f"{n:032x}"


def memory(n, user, text, state="active"):
    return {"id": uuid(n), "user_id": uuid(user), "app_id": uuid(9), "content": text, "vector": None, "metadata": "{}",
            "state": state, "created_at": "2026-05-01 09:00:00.000000", "updated_at": "2026-05-01 09:00:00.000000",
            "archived_at": None, "deleted_at": "2026-05-02 09:00:00.000000" if state == "deleted" else None}


database("openmemory.db", {
    "users": [{"id": uuid(1), "user_id": "ada", "name": "Ada"}, {"id": uuid(2), "user_id": "tomas", "name": None}],
    "apps": [{"id": uuid(9), "owner_id": uuid(1), "name": "cursor"}],
    "memories": [memory(21, 1, "Ada repairs tower clocks."), memory(22, 2, "Tomas makes dials."),
                 memory(23, 1, "Ada lives in Uppsala.", "deleted")],
    "access_controls": [{"id": uuid(31), "subject_type": "app", "effect": "allow"}]})
