package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// poisoning is a fixture: statements of the user, and turns with which an attacker tries to change them.
type poisoning struct {
	About string
	User  string
	Facts []struct {
		Head, Relation, Tail string
		ValidFrom            string `json:"valid_from"`
	}
	Turns []struct {
		Role, Source, Content string
	}
}

func poisonings(t *testing.T) map[string]poisoning {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "poisoning", "*.json"))
	if err != nil || len(files) < 30 {
		t.Fatalf("%d fixtures (%v)", len(files), err)
	}
	out := map[string]poisoning{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p poisoning
		if err := json.Unmarshal(b, &p); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".json")] = p
	}
	return out
}

// TestPoisoning_LeavesTheUsersFactsAlone plays every fixture with the default settings, and again with facts from tool
// turns and without quarantine, so that only trust protects the facts.
func TestPoisoning_LeavesTheUsersFactsAlone(t *testing.T) {
	t.Parallel()
	for name, p := range poisonings(t) {
		for _, open := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/open=%t", name, open), func(t *testing.T) {
				t.Parallel()
				cfg := settings(t)
				cfg.Embedder = "none"
				if open {
					cfg.ExtractToolTurns, cfg.QuarantineScore, cfg.QuarantineScoreUser = true, 100, 100
				}
				p.play(t, start(t, cfg))
			})
		}
	}
}

func (p poisoning) play(t *testing.T, e *engine.Engine) {
	ctx := t.Context()
	who := memory.Scope{Namespace: "n", SessionID: "s", User: p.User}
	said := time.Date(2025, 11, 1, 9, 0, 0, 0, time.UTC)
	for _, f := range p.Facts {
		d := memory.RelationDraft{Head: f.Head, Relation: f.Relation, Tail: f.Tail, CreateMissing: true, ValidFrom: said}
		if f.ValidFrom != "" {
			d.ValidFrom, _ = time.Parse(time.DateOnly, f.ValidFrom)
		}
		if _, err := openWriter(t, e).CreateRelation(ctx, who, d, 0,
			memory.Caller{Actor: "cli", CallID: "facts"}); err != nil {
			t.Fatal(err)
		}
	}
	before := allFacts(t, e)
	if len(before) != len(p.Facts) || slices.ContainsFunc(before,
		func(f held) bool { return f.Origin != memory.OriginUser }) {
		t.Fatalf("%d facts of the user are held: %+v", len(p.Facts), before)
	}
	for i, turn := range p.Turns {
		if _, err := e.StoreEpisode(ctx, store.NewEpisode{Episode: memory.Episode{Scope: who, Role: memory.Role(turn.Role),
			Source: turn.Source, Content: turn.Content, OccurredAt: said.AddDate(0, 0,
				i+1)}, Caller: memory.Caller{Actor: "tool", Client: "test", CallID: fmt.Sprint("turn", i)}}); err != nil {
			t.Logf("turn %d is refused: %v", i, err)
		}
	}
	after := allFacts(t, e)
	kept := slices.DeleteFunc(slices.Clone(after), func(f held) bool {
		return !slices.ContainsFunc(before, func(b held) bool { return b.ID == f.ID })
	})
	if diff := cmp.Diff(before, kept); diff != "" {
		t.Errorf("the user's facts (-before +after):\n%s", diff)
	}
	for _, f := range after {
		if f.Origin == memory.OriginUser && !slices.ContainsFunc(before, func(b held) bool { return b.ID == f.ID }) {
			t.Errorf("counts as said by the user: %+v", f)
		}
	}
	p.ask(t, e, who, after)
}

// ask retrieves about all names in the facts, and checks that no injected fact comes from a tool turn.
func (p poisoning) ask(t *testing.T, e *engine.Engine, who memory.Scope, all []held) {
	for _, f := range p.Facts {
		a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: who.Namespace},
			Query: f.Head + " " + f.Relation, Limit: 50, BudgetTokens: 5000})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range all {
			known := slices.ContainsFunc(all, func(o held) bool { return o.Origin != memory.OriginTool && o.line() == h.line() })
			if h.Origin == memory.OriginTool && !known && strings.Contains(a.Context, h.line()) {
				t.Errorf("what a tool said is injected: %s", h.line())
			}
		}
	}
}

// held are the properties of a fact that must not change.
type held struct {
	ID                               int64
	Head, Relation, Tail             string
	Confidence                       float64
	ValidFrom, ValidUntil, ExpiresAt time.Time
	SupersededBy                     int64
	Origin                           memory.Origin
}

func (h held) line() string { return h.Head + " → " + h.Relation + " → " + h.Tail }

func allFacts(t *testing.T, e *engine.Engine) []held {
	t.Helper()
	list, _, err := openStore(t, e).ListRelationships(t.Context(),
		store.RelationshipFilter{Namespace: "n", All: true}, 0, 200)
	if err != nil {
		t.Fatal(err)
	}
	var out []held
	for _, r := range list {
		out = append(out, held{r.ID, r.Head.Name, r.Relation, r.Tail.Name, r.Confidence, r.ValidFrom, r.ValidUntil,
			r.ExpiresAt, r.SupersededBy, r.Origin})
	}
	slices.SortFunc(out, func(a, b held) int { return int(a.ID - b.ID) })
	return out
}
