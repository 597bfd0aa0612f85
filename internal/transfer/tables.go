package transfer

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"

	"memory-graph/internal/memory"
)

// Tables are the tables of a database file, or the lists of a JSON file.
type Tables interface {
	// Columns returns the names of a table's columns, nil if there is no such table.
	Columns(table string) []string
	// Rows calls visit with each row of a table by column, and not at all if there is no such table.
	Rows(ctx context.Context, table string, visit func(map[string]any) error) error
}

// tableReaders read the formats that are tables.
var tableReaders = map[Format]func(ctx context.Context, from Tables, to Sink) error{
	Engram: readEngram, ClaudeMem: readClaudeMem, MemoryService: readMemoryService, Mem0: readOpenMemory,
	Graphiti: readGraphiti, Cognee: readCognee, Letta: readLetta, BasicMemory: readBasicMemory,
}

// listsOf are the lists of the JSON files that are read as tables.
var listsOf = map[Format][]string{
	Engram:        {"sessions", "observations", "prompts"},
	MemoryService: {"memories"},
	Graphiti:      {"episodes", "nodes", "edges"},
	Cognee:        {"nodes", "edges"},
	Letta:         {"agents", "blocks", "passages"},
}

// marks are tables, with a column of each, that identify a program's database.
var marks = []struct {
	format Format
	tables map[string]string
}{
	{ClaudeMem, map[string]string{"sdk_sessions": "memory_session_id", "observations": "created_at_epoch"}},
	{Engram, map[string]string{"sessions": "directory", "observations": "topic_key", "user_prompts": "session_id"}},
	{MemoryService, map[string]string{"memories": "content_hash"}},
	{Mem0, map[string]string{"memories": "state", "apps": "owner_id", "users": "user_id"}},
	{BasicMemory, map[string]string{"entity": "permalink", "observation": "category", "relation": "to_name"}},
}

// DetectTables recognises the format of a database by its tables. The error is InvalidArgument for an unknown one.
func DetectTables(t Tables) (Format, error) {
next:
	for _, m := range marks {
		for table, column := range m.tables {
			if !has(t, table, column) {
				continue next
			}
		}
		return m.format, nil
	}
	return "", memory.Errorf(memory.InvalidArgument, "The SQLite file belongs to no program that is known.").
		WithHint("Known are the databases of basic-memory, mcp-memory-service, engram, claude-mem and OpenMemory.")
}

func has(t Tables, table, column string) bool {
	return slices.Contains(t.Columns(table), column)
}

// ReadTables reads a database of another program. The error is InvalidArgument if the format has no database, or the
// file is damaged. Everything before an error has been passed to the sink.
func ReadTables(ctx context.Context, format Format, from Tables, to Sink) error {
	read := tableReaders[format]
	if read == nil {
		return memory.Errorf(memory.InvalidArgument, "%s is not the format of a database.", format).
			WithHint("Leave --format out: it is recognised.")
	}
	return read(ctx, from, to)
}

// each visits the rows of a table as records with their numbers.
func each(ctx context.Context, from Tables, table string, visit func(record) error) error {
	n := 0
	return from.Rows(ctx, table, func(row map[string]any) error {
		n++
		if row[lineKey] == nil {
			row[lineKey] = n
		}
		return visit(row)
	})
}

// count returns the number of rows of a table.
func count(ctx context.Context, from Tables, table string) (n int, err error) {
	err = from.Rows(ctx, table, func(map[string]any) error { n++; return nil })
	return n, err
}

// leave reports the rows of tables that are not imported.
func leave(ctx context.Context, from Tables, to Sink, why Passed, tables ...string) error {
	for _, table := range tables {
		n, err := count(ctx, from, table)
		if err != nil {
			return err
		}
		to.left(n, why)
	}
	return nil
}

// document is a JSON file that is read as tables.
type document struct {
	lists map[string][]map[string]any
	own   map[string]any // fields that are not lists
}

// maxDocument bounds the text of a JSON file that is held in memory, in bytes.
const maxDocument = 1 << 30

// readDocument reads a JSON object that has lists of objects. It is held in memory, because the parts of a graph refer
// to each other.
func readDocument(ctx context.Context, r io.Reader, to Sink, lists []string) (document, error) {
	d := document{lists: map[string][]map[string]any{}, own: map[string]any{}}
	size := 0
	take := func(list string) elementReader {
		return func(line int, raw json.RawMessage, to Sink) error {
			if size += len(raw); size > maxDocument {
				return memory.Errorf(memory.TooLarge, "The file has more than %d MiB.", maxDocument>>20).
					WithHint("Export it in parts.")
			}
			var row map[string]any
			if err := json.Unmarshal(raw, &row); err != nil || row == nil {
				if err == nil {
					err = errNull
				}
				to.Problem(line, WhyBroken(err))
				return nil
			}
			row[lineKey] = line
			d.lists[list] = append(d.lists[list], row)
			return nil
		}
	}
	of := elements{named: map[string]elementReader{}, each: func(line int, raw json.RawMessage, to Sink) error {
		if err := json.Unmarshal(raw, &d.own); err != nil {
			to.Problem(line, WhyBroken(err))
		}
		return nil
	}}
	for _, list := range lists {
		of.named[list] = take(list)
	}
	of.rest = func(own map[string]json.RawMessage) {
		for name, raw := range own {
			var v any
			if json.Unmarshal(raw, &v) == nil {
				d.own[name] = v
			}
		}
	}
	return d, readElements(ctx, r, to, of)
}

// Columns returns the fields of the list's first object.
func (d document) Columns(table string) []string {
	if len(d.lists[table]) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(d.lists[table][0]))
}

// Rows visits the objects of a list.
func (d document) Rows(ctx context.Context, table string, visit func(map[string]any) error) error {
	for _, row := range d.lists[table] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}
