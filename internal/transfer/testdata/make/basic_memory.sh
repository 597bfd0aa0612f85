#!/bin/sh
# Writes basic-memory/ and basic-memory.db.gz: pip install basic-memory; basic_memory.sh BIN-DIR OUT-DIR
# The notes are written by the program; HOME must be an empty directory.
set -eu
bm="$1/basic-memory" out=$2
mkdir -p "$HOME/notes"
export BASIC_MEMORY_HOME="$HOME/notes" BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED=false
"$bm" project add clocks "$HOME/notes" --default --local
note() { "$bm" tool write-note --project clocks --folder "$1" --title "$2" --type "$3" --tags "$4" --overwrite --local; }
note people "Ada Lind" person clocks <<'N'
# Ada Lind

Repairs tower clocks in the north.

## Observations
- [craft] Repairs tower clocks #clocks #towers (since 2019)
- [preference] Drinks her tea without milk
- [ ] Not an observation but a task
- A plain item of a list

## Relations
- works_at [[Kestrel Works]] (since January)
- lives in [[Lund]]
- [[Tower clock]]
N
note places "Kestrel Works" organization work <<'N'
# Kestrel Works

A workshop for clocks. See also [[Ada Lind]].

- [fact] Has nine people
- located_in [[Uppsala]]
N
rm -rf "$out/basic-memory"
cp -r "$HOME/notes" "$out/basic-memory"
python3 - "$HOME/.basic-memory/memory.db" "$out/basic-memory.db.gz" <<'P'
import gzip, os, shutil, sqlite3, sys
c = sqlite3.connect(sys.argv[1])
for v in ("wal_checkpoint(truncate)", "journal_mode=delete"): c.execute("pragma " + v).fetchall()
c.execute("update project set path = '/home/ada/notes'"); c.commit()  # no path of the machine that made it
c.execute("vacuum into ?", (sys.argv[2][:-3],)); c.close()
open(sys.argv[2], "wb").write(gzip.compress(open(sys.argv[2][:-3], "rb").read(), 9, mtime=0)); os.remove(sys.argv[2][:-3])
P
