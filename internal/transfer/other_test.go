package transfer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
	"memory-graph/store"
)

// fixture returns the function that reads a fixture, and its format as it is recognised.
func fixture(t testing.TB, name string) (transfer.Format, func(transfer.Sink) error) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if !transfer.HasNotes(t.Context(), path) {
			t.Errorf("%s is not recognised", name)
		}
		return transfer.BasicMemory, func(to transfer.Sink) error { return transfer.ReadNotes(t.Context(), path, to) }
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		return database(t, text)
	}
	format, _, err := transfer.Detect(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return format, func(to transfer.Sink) error {
		return transfer.Read(t.Context(), format, bytes.NewReader(text), to)
	}
}

// database unpacks a database and opens it.
func database(t testing.TB, packed []byte) (transfer.Format, func(transfer.Sink) error) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "their.db")
	if err := os.WriteFile(path, text, 0o400); err != nil {
		t.Fatal(err)
	}
	db, err := store.OpenForeign(t.Context(), path, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if format, _, err := transfer.Detect(bytes.NewReader(text)); format != transfer.SQLite || err != nil {
		t.Errorf("recognised as %q, %v", format, err)
	}
	format, err := transfer.DetectTables(db)
	if err != nil {
		t.Fatal(err)
	}
	return format, func(to transfer.Sink) error { return transfer.ReadTables(t.Context(), format, db, to) }
}

type passed = map[transfer.Passed]int

// at parses a time of the tests; "" is the zero time.
func at(t testing.TB, s string) time.Time {
	t.Helper()
	if s == "" {
		return time.Time{}
	}
	out, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestScan_SaysWhatTheFilesOfOtherMemoriesHave(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format      transfer.Format
		found       transfer.Found
		first, last string // "" is not compared: the program wrote the time at which it ran
	}{
		"basic-memory": {format: transfer.BasicMemory, found: transfer.Found{Kinds: map[string]int{"note": 2}, Facts: 5}},
		"basic-memory.db.gz": {format: transfer.BasicMemory, found: transfer.Found{Kinds: map[string]int{"note": 2}, Facts: 5,
			Projects: []string{"clocks"}}},
		"mcp-memory-service.db.gz": {format: transfer.MemoryService, found: transfer.Found{Kinds: map[string]int{"memory": 2},
			Users: []string{"ada"}, Projects: []string{"clockshop"}, Passed: passed{transfer.PassedDeleted: 1,
				transfer.PassedLinks: 2, transfer.PassedVectors: 2}}, first: "2026-01-01T09:00:00Z", last: "2026-01-11T09:00:00Z"},
		"mcp-memory-service.json": {format: transfer.MemoryService, found: transfer.Found{Kinds: map[string]int{"memory": 2},
			Users: []string{"ada"}, Projects: []string{"clockshop"}}, first: "2026-01-01T09:00:00Z",
			last: "2026-01-11T09:00:00Z"},
		"engram.db.gz": {format: transfer.Engram, found: transfer.Found{Kinds: map[string]int{"observation": 3, "prompt": 1,
			"summary": 1}, Projects: []string{"clockshop"}, Passed: passed{transfer.PassedDeleted: 1,
			transfer.PassedReplaced: 1, transfer.PassedLinks: 1}}, first: "2026-03-01T09:05:00Z", last: "2026-03-01T10:00:00Z"},
		"engram.json": {format: transfer.Engram, found: transfer.Found{Kinds: map[string]int{"observation": 4, "prompt": 1,
			"summary": 1}, Projects: []string{"clockshop"}}, first: "2026-02-01T09:30:00Z", last: "2026-03-01T10:00:00Z"},
		"claude-mem.db.gz": {format: transfer.ClaudeMem, found: transfer.Found{Kinds: map[string]int{"observation": 2,
			"prompt": 2, "summary": 1}, Projects: []string{"clockshop"}}, first: "2026-04-02T09:00:00Z"},
		"mem0.json": {format: transfer.Mem0, found: transfer.Found{Kinds: map[string]int{"memory": 3},
			Users: []string{"ada", "tomas"}}},
		"openmemory.db.gz": {format: transfer.Mem0, found: transfer.Found{Kinds: map[string]int{"memory": 2},
			Users: []string{"ada", "tomas"}, Passed: passed{transfer.PassedDeleted: 1, transfer.PassedAccess: 1,
				transfer.PassedInternal: 1}}, first: "2026-05-01T09:00:00Z", last: "2026-05-01T09:00:00Z"},
		"graphiti.json": {format: transfer.Graphiti, found: transfer.Found{Kinds: map[string]int{"edge": 4, "entity": 3,
			"episode": 2, "node": 1}, Facts: 4, Ended: 1, Projects: []string{"clocks"}, Passed: passed{
			transfer.PassedVectors: 4}}, first: "2026-02-01T09:00:00Z", last: "2026-03-10T09:00:00Z"},
		"letta.af": {format: transfer.Letta, found: transfer.Found{Kinds: map[string]int{"block": 2, "message": 2},
			Passed: passed{transfer.PassedTools: 1, transfer.PassedEmpty: 1}}, first: "2026-04-02T10:00:00Z",
			last: "2026-04-02T18:00:00Z"},
		"cognee.json": {format: transfer.Cognee, found: transfer.Found{Kinds: map[string]int{"edge": 1, "node": 2}, Facts: 1,
			Passed: passed{transfer.PassedTypes: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			format, read := fixture(t, name)
			got, err := transfer.Scan(time.Now(), read)
			if err != nil || format != c.format {
				t.Fatalf("%s, %v", format, err)
			}
			for _, time := range []struct {
				want string
				got  *time.Time
			}{{c.first, &got.First}, {c.last, &got.Last}} {
				if time.want == "" && time.got.IsZero() || time.want != "" && !time.got.Equal(at(t, time.want)) {
					t.Errorf("the time is %v, not %s", *time.got, time.want)
				}
			}
			got.First, got.Last = time.Time{}, time.Time{}
			if c.found.Passed == nil {
				c.found.Passed = passed{}
			}
			if diff := cmp.Diff(c.found, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// messages returns the messages of a fixture by key.
func messages(t testing.TB, name string) map[string]transfer.Message {
	t.Helper()
	out := map[string]transfer.Message{}
	_, read := fixture(t, name)
	if err := read(transfer.Sink{
		Entity:  func(int, memory.ReferenceEntity) error { return nil },
		Turn:    func(m transfer.Message) error { m.Line = 0; out[m.Key] = m; return nil },
		Problem: func(line int, why string) { t.Errorf("%d: %s", line, why) },
		Note:    func(line int, why string) { t.Errorf("%d: %s", line, why) },
		Passed:  func(int, transfer.Passed) {},
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRead_MapsWhatOtherMemoriesSay(t *testing.T) {
	t.Parallel()
	category, topic := memory.LabelCategory, memory.LabelTopic
	for name, c := range map[string]struct {
		key  string
		want transfer.Message
	}{
		"engram.db.gz": {"engram:o:obs-0002", transfer.Message{Kind: "observation", Session: "s-1",
			Role: memory.RoleAssistant, Content: "Tea\n\nAda drinks her tea without milk.", At: at(t, "2026-03-01T09:20:00Z"),
			Labels: []memory.Label{{Kind: category, Value: "preference"}}}},
		"engram.json": {"engram:p:prompt-0001", transfer.Message{Kind: "prompt", Session: "s-1", Project: "clockshop",
			Role: memory.RoleUser, Content: "Why is the strike late?", At: at(t, "2026-03-01T09:05:00Z")}},
		"claude-mem.db.gz": {"claude-mem:o:memory-1:1", transfer.Message{Kind: "observation", Session: "content-1",
			Project: "clockshop", Role: memory.RoleAssistant, At: at(t, "2026-04-02T09:00:00Z"),
			Content: "The escapement takes one drop of oil\n\nMore oil collects dust\n\nThe notes of the workshop say how " +
				"the escapement of the tower clock is oiled.\n\n- One drop of oil per pallet\n- The pallets are oiled twice a year",
			Labels: []memory.Label{{Kind: topic, Value: "discovery"}, {Kind: topic, Value: "how-it-works"}}}},
		"mcp-memory-service.db.gz": {
			"mcp-memory-service:4360282a3db7c7e85a3545dac672480cff8b48e436ad787c072b7379cc6845b6",
			transfer.Message{Kind: "memory", User: "ada", Project: "clockshop", Role: memory.RoleAssistant,
				Content: "The tower clock gets one drop of oil.", At: at(t, "2026-01-11T09:00:00Z"),
				Labels: []memory.Label{{Kind: category, Value: "decision"}, {Kind: topic, Value: "clock"}}}},
		"openmemory.db.gz": {"mem0:00000000-0000-0000-0000-000000000015", transfer.Message{Kind: "memory", User: "ada",
			Role: memory.RoleAssistant, Content: "Ada repairs tower clocks.", At: at(t, "2026-05-01T09:00:00Z")}},
		"graphiti.json": {"graphiti:e:00000000-0000-4000-8000-000000000008", transfer.Message{Kind: "edge",
			Project: "clocks", Role: memory.RoleAssistant, Content: "Ada Lind lives in Uppsala.",
			At: at(t, "2026-02-01T09:00:00Z"), Until: at(t, "2026-02-10T09:00:00Z"),
			Facts: []memory.RelationDraft{{Head: "Ada Lind", HeadType: "Person", Relation: "lives_in", Tail: "Uppsala",
				TailType: "Location", Fact: "Ada Lind lives in Uppsala.", ValidFrom: at(t, "2026-01-01T09:00:00Z"),
				ValidUntil: at(t, "2026-02-10T09:00:00Z"), CreateMissing: true}}}},
		"letta.af": {"letta:b:clockmaker:human", transfer.Message{Kind: "block", Role: memory.RoleAssistant,
			Content: "Ada Lind repairs tower clocks.", At: at(t, "2026-04-02T18:00:00Z"),
			Labels: []memory.Label{{Kind: category, Value: "human"}}}},
		"cognee.json": {
			"cognee:e:26cbca88-0126-565a-94f1-7a81eb7f79a9:works_at:234c07a8-3dcd-505e-a8bb-f146aeaa2b54",
			transfer.Message{Kind: "edge", Role: memory.RoleAssistant, Content: "Ada Lind works at Kestrel Works.",
				Facts: []memory.RelationDraft{{Head: "Ada Lind", HeadType: "person", Relation: "works_at", Tail: "Kestrel Works",
					TailType: "organization", Fact: "Ada Lind works at Kestrel Works.", ValidFrom: at(t, "2026-01-05T00:00:00Z"),
					CreateMissing: true}}}},
	} {
		got, ok := messages(t, name)[c.key]
		if c.want.Key = c.key; !ok {
			t.Errorf("%s has no %s", name, c.key)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// The database and the folder of basic-memory have the same notes; the folder alone has their text.
func TestReadNotes_ReadsTheRelationsThatTheProgramReads(t *testing.T) {
	t.Parallel()
	type said struct {
		Title, Type string
		Notes       []string
		Facts       []string
	}
	read := func(name string) map[string]said {
		out := map[string]said{}
		for key, m := range messages(t, name) {
			s := said{Title: m.Entities[0].Name, Type: m.Entities[0].Type, Notes: m.Entities[0].Notes}
			for _, f := range m.Facts {
				s.Facts = append(s.Facts, f.Head+" "+f.Relation+" "+f.Tail+" "+f.Fact)
			}
			out[key] = s
		}
		return out
	}
	notes := read("basic-memory")
	want := map[string]said{
		"basic-memory:clocks/people/ada-lind": {"Ada Lind", "person", []string{
			"[craft] Repairs tower clocks #clocks #towers (since 2019)", "[preference] Drinks her tea without milk"}, []string{
			"Ada Lind works_at Kestrel Works Ada Lind works at Kestrel Works (since January)", "Ada Lind links_to Lund ",
			"Ada Lind links_to Tower clock "}},
		"basic-memory:clocks/places/kestrel-works": {"Kestrel Works", "organization", []string{"[fact] Has nine people"},
			[]string{"Kestrel Works links_to Ada Lind ", "Kestrel Works located_in Uppsala "}},
	}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(notes, read("basic-memory.db.gz")); diff != "" {
		t.Errorf("the database says something else:\n%s", diff)
	}
}

func FuzzReadOther(f *testing.F) {
	for _, name := range []string{"engram.json", "mcp-memory-service.json", "graphiti.json", "letta.af", "cognee.json",
		"basic-memory/people/Ada Lind.md"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`{"nodes":[{"uuid":1,"name":"a"},null,[]],"edges":[{"source_node_uuid":"1","target_node_uuid":"1","name":" "}]}`)
	f.Add(`{"agents":[{"messages":[{"role":"user","content":[{"type":"text","text":1}]}],"core_memory":[{"value":"x"}]}]}`)
	f.Add("---\npermalink: [a\ntitle: \"\n---\n- [ [[\n- a [[b|c]] (\n```\n- [x] #\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range []transfer.Format{transfer.Engram, transfer.MemoryService, transfer.Graphiti, transfer.Letta,
			transfer.Cognee, transfer.BasicMemory} {
			err := transfer.Read(t.Context(), format, strings.NewReader(text), transfer.Sink{
				Entity: func(_ int, e memory.ReferenceEntity) error {
					if memory.Canonical(e.Name) == "" {
						t.Errorf("%s: an entity without a name", format)
					}
					return nil
				},
				Turn: func(m transfer.Message) error {
					if m.Role == "" || strings.TrimSpace(m.Content) == "" || m.Key == "" || len(m.Session) > 200 ||
						len(m.Project) > 200 || len(m.User) > 200 || !m.At.IsZero() && m.At.Year() > 9999 {
						t.Errorf("%s: %+v", format, m)
					}
					return nil
				},
				Problem: func(int, string) {}, Note: func(int, string) {}, Passed: func(int, transfer.Passed) {}})
			if err != nil && memory.AsError(err).Code != memory.InvalidArgument {
				t.Error(err)
			}
		}
	})
}

// tables are tables for tests.
type tables map[string][]map[string]any

func (f tables) Columns(table string) []string {
	if len(f[table]) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(f[table][0]))
}

func (f tables) Rows(_ context.Context, table string, visit func(map[string]any) error) error {
	for _, row := range f[table] {
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

func TestDetectTables_RefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for _, unknown := range []tables{{}, {"memories": {{"id": 1}}}, {"observations": {{"topic_key": "x"}}}} {
		if f, err := transfer.DetectTables(unknown); err == nil || memory.AsError(err).Code != memory.InvalidArgument {
			t.Errorf("%v: %q, %v", unknown, f, err)
		}
	}
}
