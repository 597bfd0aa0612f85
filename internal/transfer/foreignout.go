package transfer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Formats that are written and not read.
const (
	GraphML Format = "graphml"
	CSV     Format = "csv"
	JSONLD  Format = "jsonld"
)

// ErrEnough ends an export whose remaining lines are not needed.
var ErrEnough = errors.New("the rest is not needed")

// graphWriter writes the parts of a memory in another format, in the order in which they come: turns, entities, facts,
// evidence.
type graphWriter interface {
	begin(namespace string) error
	turn(outLine) error
	entity(outLine) error
	fact(outLine) error
	evidence(fact, turn string) error
	end() error
}

// outLine is a line of an export of memory-graph. It has the fields of all records that are written elsewhere.
type outLine struct {
	Record string `json:"record"`
	ID     int64  `json:"id"`
	Name   string `json:"name"`

	Kind        string  `json:"kind"`
	Type        string  `json:"type"`
	Description string  `json:"description"`
	Merged      int     `json:"merged"`
	Confidence  float64 `json:"confidence"`
	Origin      string  `json:"origin"`
	CreatedAt   string  `json:"created_at"`
	ExpiredAt   string  `json:"expired_at"`

	HeadID     int64       `json:"head_id"`
	TailID     int64       `json:"tail_id"`
	Relation   string      `json:"relation"`
	Label      string      `json:"label"`
	EdgeClass  string      `json:"edge_class"`
	Fact       string      `json:"fact"`
	ValidFrom  string      `json:"valid_from"`
	ValidUntil string      `json:"valid_until"`
	ExpiresAt  string      `json:"expires_at"`
	FromUnit   memory.Unit `json:"from_unit"`
	UntilUnit  memory.Unit `json:"until_unit"`

	Session    string `json:"session_id"`
	Project    string `json:"project"`
	User       string `json:"user"`
	Role       string `json:"role"`
	Speaker    string `json:"speaker"`
	Source     string `json:"source"`
	OccurredAt string `json:"occurred_at"`
	Status     string `json:"status"`
	Content    string `json:"content"`

	RelationshipID int64 `json:"relationship_id"`
	EpisodeID      int64 `json:"episode_id"`
}

// from and until show when a fact holds, with the precision that is known; "" for unknown or open.
func (l outLine) from() string { return shownTime(l.ValidFrom, l.FromUnit) }

func (l outLine) until() string {
	if l.ValidUntil != "" {
		return shownTime(l.ValidUntil, l.UntilUnit)
	}
	return shownTime(l.ExpiresAt, l.UntilUnit)
}

// label is the relation as the caller gave it, "" if that reads from tail to head.
func (l outLine) label() string {
	if turned, _ := graph.Reads(graph.Snake(l.Label), l.Relation); turned {
		return ""
	}
	return l.Label
}

// active reports whether a fact has not ended; a scheduled end may lie ahead or be due.
func (l outLine) active() bool { return l.ValidUntil == "" }

func shownTime(stored string, unit memory.Unit) string {
	t, err := memory.ParseStored(stored)
	if err != nil {
		return ""
	}
	return unit.Show(t)
}

// Translator turns the lines of an export of memory-graph, which are written to it, into another format. Its memory use
// does not grow with the export, except for one bit for each entity, fact and turn. It leaves out quarantined and
// withdrawn turns, nodes other than entities and memories, and facts that never held.
type Translator struct {
	to      graphWriter
	rest    []byte // an incomplete line
	has     map[string]bitset
	written int
	began   bool
	noTurns bool     // the format has no turns
	last    [2]int64 // the fact and the turn of the last evidence, which may occur with several methods
}

// Written returns how many entities, facts and turns have been written.
func (t *Translator) Written() int { return t.written }

func newTranslator(to graphWriter) *Translator {
	return &Translator{to: to, has: map[string]bitset{"e": {}, "r": {}, "t": {}}}
}

// Write takes a part of the export. The error is ErrEnough after the last line that is needed.
func (t *Translator) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	from := 0
	for {
		n := bytes.IndexByte(t.rest[from:], '\n')
		if n < 0 {
			break
		}
		if err := t.line(t.rest[from : from+n]); err != nil {
			return 0, err
		}
		from += n + 1
	}
	t.rest = slices.Delete(t.rest, 0, from)
	return len(p), nil
}

// Close writes the end of the format. Call it after the export.
func (t *Translator) Close() error {
	if !t.began {
		if err := t.to.begin(""); err != nil {
			return err
		}
	}
	return t.to.end()
}

func (t *Translator) line(text []byte) error {
	var l outLine
	var record struct {
		Record string `json:"record"`
	}
	if err := json.Unmarshal(text, &record); err != nil {
		return fmt.Errorf("read the export: %w", err)
	}
	switch record.Record {
	case "namespace", "episode", "entity", "relationship", "evidence":
		if err := json.Unmarshal(text, &l); err != nil {
			return fmt.Errorf("read the export: %w", err)
		}
	case "event": // nothing that is needed follows
		return ErrEnough
	default:
		return nil
	}
	take := func(kind string, write func(outLine) error) error {
		t.has[kind].set(l.ID)
		t.written++
		return write(l)
	}
	switch record.Record {
	case "namespace":
		t.began = true
		return t.to.begin(l.Name)
	case "episode":
		if !t.noTurns && l.Status != memory.StatusQuarantined && l.Status != memory.StatusWithdrawn {
			return take("t", t.to.turn)
		}
	case "entity":
		if l.Merged == 0 && (l.Kind == string(memory.NodeEntity) || l.Kind == string(memory.NodeMemory)) {
			return take("e", t.to.entity)
		}
	case "relationship":
		never := l.ValidUntil != "" && l.ValidUntil == l.ValidFrom
		if !never && t.has["e"].has(l.HeadID) && t.has["e"].has(l.TailID) {
			return take("r", t.to.fact)
		}
	case "evidence":
		pair := [2]int64{l.RelationshipID, l.EpisodeID}
		if pair != t.last && t.has["r"].has(l.RelationshipID) && t.has["t"].has(l.EpisodeID) {
			t.last = pair
			return t.to.evidence(memory.RelationshipID(l.RelationshipID).String(), memory.EpisodeID(l.EpisodeID).String())
		}
	}
	return nil
}

// bitset is a set of ids: one bit for each, if they lie close together.
type bitset map[int64]uint64

func (b bitset) set(id int64)      { b[id>>6] |= 1 << (id & 63) }
func (b bitset) has(id int64) bool { return b[id>>6]&(1<<(id&63)) != 0 }

// node returns the id of a node, if the set has the memories.
func (b bitset) node(id int64) string {
	if b.has(id) {
		return memory.NodeID(memory.NodeMemory, id).String()
	}
	return memory.NodeID(memory.NodeEntity, id).String()
}

// instant shows a stored time as RFC 3339, "" for none.
func instant(stored string) string {
	t, err := memory.ParseStored(stored)
	if err != nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// nodeID returns the id of an entity or a memory as answers show it.
func nodeID(kind string, id int64) string { return memory.NodeID(memory.NodeKind(kind), id).String() }
