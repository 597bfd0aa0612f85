package transfer

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// thing is a node of another program's graph.
type thing struct{ name, typ string }

// readGraphiti reads a graph of graphiti or Zep: episodes, nodes and edges, as the program's own classes write them.
func readGraphiti(ctx context.Context, from Tables, to Sink) error {
	if err := each(ctx, from, "episodes", func(r record) error {
		m := Message{Line: r.line(), Kind: "episode", Session: r.name("thread_id", "session_id"), User: r.name("user_id"),
			Project: r.name("group_id", "graph_id"), Role: episodeRole(r), Speaker: r.name("role"),
			Content: r.text("content"), At: r.time("valid_at", "created_at"), Key: "graphiti:p:" + r.text("uuid", "uuid_")}
		return to.turn(m)
	}); err != nil {
		return err
	}
	things, vectors := map[string]thing{}, 0
	if err := each(ctx, from, "nodes", func(r record) error {
		t := thing{r.text("name"), graphitiType(r.list("labels"))}
		id := r.text("uuid", "uuid_")
		things[id] = t
		if list, _ := r["name_embedding"].([]any); len(list) > 0 {
			vectors++
		}
		return to.thing(r, t, r.text("summary"), "graphiti:n:"+id, r.name("group_id", "graph_id"))
	}); err != nil {
		return err
	}
	err := each(ctx, from, "edges", func(r record) error {
		if list, _ := r["fact_embedding"].([]any); len(list) > 0 {
			vectors++
		}
		e := edge{id: "graphiti:e:" + r.text("uuid", "uuid_"), head: things[r.text("source_node_uuid")],
			tail: things[r.text("target_node_uuid")], relation: r.text("name"), fact: r.text("fact"),
			from: r.time("valid_at"), until: r.time("invalid_at", "expired_at"), said: r.time("created_at"),
			project: r.name("group_id", "graph_id")}
		return to.edge(r.line(), e)
	})
	to.left(vectors, PassedVectors)
	return err
}

// episodeRole returns who said an episode. Texts and JSON are documents.
func episodeRole(r record) memory.Role {
	switch strings.ToLower(r.text("role_type")) {
	case "assistant", "system":
		return memory.RoleAssistant
	case "tool", "function":
		return memory.RoleTool
	}
	if source := r.text("source"); source == "text" || source == "json" {
		return memory.RoleTool
	}
	return memory.RoleUser
}

// graphitiType returns the label that says what a node is.
func graphitiType(labels []string) string {
	labels = slices.DeleteFunc(labels, func(s string) bool { return s == "Entity" || s == "EntityNode" })
	slices.Sort(labels)
	if len(labels) == 0 {
		return ""
	}
	return labels[0]
}

// cogneeTables are the lists of a file of cognee. Its server names nodes and edges by a label, and gives the other
// fields of nodes as properties.
type cogneeTables struct{ Tables }

func (c cogneeTables) Rows(ctx context.Context, table string, visit func(map[string]any) error) error {
	return c.Tables.Rows(ctx, table, func(row map[string]any) error {
		r := maps.Clone(record(row).object("properties"))
		if r == nil {
			r = record{}
		}
		maps.Copy(r, row)
		name := map[string]string{"nodes": "name", "edges": "relationship_name"}[table]
		if record(row).text(name) == "" && record(row).text("label") != "" {
			r[name] = row["label"]
		}
		return visit(r)
	})
}

// readCognee reads the JSON export of cognee. The types of entities are nodes there.
func readCognee(ctx context.Context, from Tables, to Sink) error {
	from = cogneeTables{from}
	things, types := map[string]thing{}, map[string]string{}
	kinds := map[string]string{}
	if err := each(ctx, from, "nodes", func(r record) error {
		id := r.text("id")
		kinds[id] = r.text("type")
		if kinds[id] == "EntityType" {
			types[id] = r.text("name")
		}
		return nil
	}); err != nil {
		return err
	}
	typeOf := map[string]string{}
	if err := each(ctx, from, "edges", func(r record) error {
		if typ := types[r.text("target")]; typ != "" && r.text("relationship_name") == "is_a" {
			typeOf[r.text("source")] = typ
		}
		return nil
	}); err != nil {
		return err
	}
	if err := each(ctx, from, "nodes", func(r record) error {
		id := r.text("id")
		switch {
		case kinds[id] == "EntityType":
			to.left(1, PassedTypes)
		case kinds[id] == "DocumentChunk" && r.text("text") != "":
			return to.turn(Message{Line: r.line(), Kind: "chunk", Role: memory.RoleTool, Content: r.text("text"),
				At: r.time("created_at"), Key: "cognee:c:" + id})
		case kinds[id] == "Entity" || r.text("name") != "" && r.text("description") != "":
			things[id] = thing{r.text("name"), typeOf[id]}
			return to.thing(r, things[id], r.text("description"), "cognee:n:"+id, "")
		default:
			to.left(1, PassedDerived)
		}
		return nil
	}); err != nil {
		return err
	}
	return each(ctx, from, "edges", func(r record) error {
		head, ok := things[r.text("source")]
		tail, there := things[r.text("target")]
		relation := r.text("relationship_name")
		switch {
		case relation == "is_a" && types[r.text("target")] != "":
			return nil // it became the type
		case !ok || !there:
			to.left(1, PassedStructure)
			return nil
		}
		return to.edge(r.line(), edge{id: "cognee:e:" + r.text("source") + ":" + relation + ":" + r.text("target"),
			head: head, tail: tail, relation: relation, fact: r.text("edge_text"), from: r.time("valid_at"),
			until: r.time("invalid_at"), said: r.time("created_at", "updated_at")})
	})
}

// thing passes a node to the sink: an entity and, if there is a text about it, a turn with that text as its source.
func (to Sink) thing(r record, t thing, about, key, project string) error {
	if memory.Canonical(t.name) == "" {
		to.Problem(r.line(), "a node without a name")
		return nil
	}
	if about == "" {
		typ := t.typ
		if typ == "" {
			typ = memory.DefaultType
		}
		return to.Entity(r.line(), memory.ReferenceEntity{Name: t.name, Type: typ})
	}
	return to.turn(Message{Line: r.line(), Kind: "node", Project: project, Role: memory.RoleAssistant,
		Content: t.name + ": " + about, At: r.time("updated_at", "created_at"), Key: key,
		Entities: []memory.EntityDraft{{Name: t.name, Type: t.typ, Notes: []string{about}}}})
}

// edge is a fact of another program's graph.
type edge struct {
	id             string
	head, tail     thing
	relation, fact string
	from, until    time.Time // when it held
	said           time.Time // when the program learned it
	project        string
}

// edge passes a fact with the turn that states it. A fact that ended before it began loses its beginning.
func (to Sink) edge(line int, e edge) error {
	if memory.Canonical(e.head.name) == "" || memory.Canonical(e.tail.name) == "" || strings.TrimSpace(e.relation) == "" {
		to.Problem(line, "an edge without a relation, or whose ends are not among the nodes")
		return nil
	}
	relation := strings.ToLower(e.relation)
	if e.fact == "" {
		e.fact = e.head.name + " " + strings.ReplaceAll(relation, "_", " ") + " " + e.tail.name
	}
	if !e.until.IsZero() && !e.until.After(e.from) {
		e.from = time.Time{}
	}
	if memory.Canonical(e.head.name) == memory.Canonical(e.tail.name) {
		to.left(1, PassedStructure)
		return to.turn(Message{Line: line, Kind: "edge", Project: e.project, Role: memory.RoleAssistant, Content: e.fact,
			At: e.said, Key: e.id})
	}
	return to.turn(Message{Line: line, Kind: "edge", Project: e.project, Role: memory.RoleAssistant, Content: e.fact,
		At: e.said, Key: e.id, Until: e.until, Facts: []memory.RelationDraft{{Head: e.head.name, HeadType: e.head.typ,
			Tail: e.tail.name, TailType: e.tail.typ, Relation: relation, Fact: e.fact, ValidFrom: e.from,
			ValidUntil: e.until, CreateMissing: true}}})
}
