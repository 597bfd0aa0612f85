package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/internal/transfer"
)

const claudeChat = `[{"uuid":"u1","name":"Boats","created_at":"2026-01-02T03:04:05Z","chat_messages":[
	{"uuid":"a","sender":"human","text":"My sister Lena lives in Porto. The mooring at Quay 9 costs 140 a month."},
	{"uuid":"b","sender":"assistant","text":"The lighthouse keeper of Skagen is called Torvald."}]}]`

func claudeFormat(r *engine.ImportRequest) { r.Format = transfer.Claude }
func trusted(r *engine.ImportRequest)      { r.Trusted = true }
func dryRun(r *engine.ImportRequest)       { r.DryRun = true }

// contents returns the contents of the turns that a question finds, sorted by id.
func contents(t *testing.T, e *engine.Engine, query string) []string {
	t.Helper()
	var out []string
	for _, f := range ask(t, e, query, retrieval.Text).Episodes {
		out = append(out, f.Episode.Content)
	}
	slices.Sort(out)
	return out
}

func undone(t *testing.T, e *engine.Engine, call string) memory.Undone {
	t.Helper()
	u, err := openStore(t, e).Undo(t.Context(), "n", call, human)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestUndo_OfAnImportTakesItsTurnsBack(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	put(t, e, "The mooring at Quay 3 is free.")
	r, _ := imported(t, e, claudeChat, claudeFormat, trusted)
	g, _ := imported(t, e,
		`{"type":"relation","from":"evil mooring guide","to":"harbour","relationType":"requires running"}`, reference)
	const query = "mooring"
	if got := contents(t, e, query); len(got) != 3 {
		t.Fatalf("%q", got)
	}
	full := exported(t, e)
	undone(t, e, g.CallID)
	back := undone(t, e, r.CallID)
	if back.Action != "import" || len(back.Stayed) > 0 {
		t.Errorf("%+v", back)
	}
	if diff := cmp.Diff([]string{"The mooring at Quay 3 is free."}, contents(t, e, query)); diff != "" {
		t.Error(diff)
	}
	if got := contents(t, e, ""); len(got) != 1 {
		t.Errorf("the newest turns are %q", got)
	}
	soundGraph(t, e)

	// An export records the undo, and so does an import of that export.
	other := forImport(t)
	imported(t, other, exported(t, e), trusted)
	if exported(t, other) != exported(t, e) {
		t.Error("the export is not what it was made of")
	}
	if got := contents(t, other, ""); len(got) != 1 {
		t.Errorf("after the way through a file the newest turns are %q", got)
	}
	if redo := undone(t, other, back.UndoneBy); len(redo.Objects) < 2 || len(contents(t, other, query)) != 2 {
		t.Errorf("after the way through a file it comes back as %+v", redo)
	}

	// Undoing the undo restores everything, and a second import finds it.
	undone(t, e, back.UndoneBy)
	if got := contents(t, e, query); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if again, _ := imported(t, e, claudeChat, claudeFormat, trusted); len(again.New) > 0 || again.Known != 2 {
		t.Errorf("%+v", again)
	}
	if mentions := func(s string) int {
		return strings.Count(s, `{"record":"mention"`)
	}; mentions(exported(t, e)) >= mentions(full) || mentions(exported(t, e)) == 0 {
		t.Error("mentions came back otherwise")
	}
	soundGraph(t, e)
}

func TestUndo_OfAnImportThatCameAgain(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	// without any names
	const plain = `[{"uuid":"u","chat_messages":[{"uuid":"a","sender":"human","text":"the mooring is dear"},{"uuid":"b","sender":"human","text":"and it leaks"}]}]`
	first, _ := imported(t, e, plain, claudeFormat)
	back := undone(t, e, first.CallID)
	second, _ := imported(t, e, plain, claudeFormat, trusted)
	if second.New["turn"] != 2 {
		t.Errorf("%+v", second)
	}
	if _, err := openStore(t, e).Undo(t.Context(), "n", back.UndoneBy, human); err == nil ||
		memory.AsError(err).Code != memory.Conflict || !strings.Contains(err.Error(), "imported again") {
		t.Errorf("%v", err)
	}
	undone(t, e, second.CallID)
	undone(t, e, back.UndoneBy)
	if got := contents(t, e, "mooring"); len(got) != 1 {
		t.Errorf("%q", got)
	}
	soundGraph(t, e)
}

func TestUndo_OfAnImportLeavesTheTurnsThatOthersStandOn(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	r, _ := imported(t, e, claudeChat, claudeFormat)
	turn := ask(t, e, "lighthouse keeper", retrieval.Text).Episodes[0].Episode
	if _, err := openWriter(t, e).CreateRelation(t.Context(), scope,
		memory.RelationDraft{Head: "Skagen", Relation: "manages", Tail: "Torvald",
			CreateMissing: true}, turn.ID, human); err != nil {
		t.Fatal(err)
	}
	back := undone(t, e, r.CallID)
	if diff := cmp.Diff([]memory.ID{memory.EpisodeID(turn.ID)}, back.Stayed); diff != "" {
		t.Error(diff)
	}
	if got := contents(t, e, ""); len(got) != 1 || got[0] != turn.Content {
		t.Errorf("%q", got)
	}
	soundGraph(t, e)
}

func TestImport_TrustedLaterRaisesWhatIsThere(t *testing.T) {
	t.Parallel()
	const graph = `{"type":"entity","name":"Ada","entityType":"person","observations":["keeps bees in Uppsala"]}
{"type":"relation","from":"Ada","to":"Kestrel","relationType":"works_at"}`
	for name, c := range map[string]struct {
		text           string
		format         func(*engine.ImportRequest)
		message, wants string
		raised         int
	}{
		"a graph":         {graph, reference, "Where does Ada work?", "Kestrel", 2},
		"a conversation":  {claudeChat, claudeFormat, "How much is the mooring at Quay 9?", "140 a month", 2},
		"what rules find": {claudeChat, claudeFormat, "Where does Lena live?", "lives_in", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := forImport(t)
			block := func() string {
				got, err := e.ContextBlock(t.Context(), contextblock.Request{Scope: memory.Scope{Namespace: "n"},
					Message: c.message, Budget: 2000})
				if err != nil {
					t.Fatal(err)
				}
				return got.Block
			}
			imported(t, e, c.text, c.format)
			if got := block(); strings.Contains(got, c.wants) {
				t.Errorf("nobody vouched for it: %s", got)
			}
			dry, _ := imported(t, e, c.text, c.format, trusted, dryRun)
			r, problems := imported(t, e, c.text, c.format, trusted)
			if r.Raised != c.raised || r.Known != 0 || len(r.New) > 0 || r.CallID == "" || dry.Raised != r.Raised {
				t.Errorf("%+v, %q; the dry run said %+v", r, problems, dry)
			}
			if got := block(); !strings.Contains(got, c.wants) {
				t.Errorf("it is vouched for: %s", got)
			}
			if again, _ := imported(t, e, c.text, c.format, trusted); again.Raised != 0 || again.Known != c.raised {
				t.Errorf("%+v", again)
			}
			undone(t, e, r.CallID)
			if got := block(); strings.Contains(got, c.wants) {
				t.Errorf("that was taken back: %s", got)
			}
			soundGraph(t, e)
		})
	}
}

func TestImport_CountsAddUpAndTheDryRunSaysTheSame(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 1200 { // more than one transaction
		fmt.Fprintf(&many, `{"type":"entity","name":"Node %d","entityType":"thing","observations":["is %d"]}`+"\n", i%900,
			i%450)
	}
	for i := range 1200 {
		fmt.Fprintf(&many, `{"type":"relation","from":"Node %d","to":"node %d","relationType":"Leads to"}`+"\n", i%700,
			(i+1)%700)
	}
	many.WriteString(`{"type":"entity","name":"NODE 7","entityType":"Clock","observations":["ticks"]}` + "\n" +
		`{"type":"planet"}` + "\n" + `{"type":"relation","from":"a","to":"b","relationType":""}`)
	for name, c := range map[string]struct {
		text   string
		format transfer.Format
		items  int
	}{
		"a graph":             {many.String(), transfer.Reference, 2403},
		"a graph in disorder": {disorder(1500), transfer.Reference, 1500},
		"memories": {`[{"id":"1","memory":"likes tea"},{"id":"1","memory":"likes tea"},{"id":"2","memory":"likes boats","state":"deleted"},{"memory":""},{"memory":"likes sails","created_at":"noon"}]`,
			transfer.Mem0, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := forImport(t)
			for _, vouched := range []bool{false, true} { // the second import raises the first one's trust
				as := func(r *engine.ImportRequest) { r.Format, r.Trusted = c.format, vouched }
				before := exported(t, e)
				dry, said := imported(t, e, c.text, as, dryRun)
				if exported(t, e) != before || dry.CallID != "" {
					t.Error("a dry run wrote")
				}
				r, problems := imported(t, e, c.text, as)
				sum := r.New["entity"] + r.New["relation"] + r.New["turn"] + r.Known + r.Raised + r.Merged + r.Grown + r.Kept +
					r.Failed
				for _, n := range r.Passed {
					sum += n
				}
				if sum != c.items || r.Failed+r.Noted != len(problems) {
					t.Errorf("trusted %v: %d of %d: %+v with %d remarks", vouched, sum, c.items, r, len(problems))
				}
				dry.CallID = r.CallID
				if diff := cmp.Diff(r, dry); diff != "" {
					t.Errorf("trusted %v: the dry run said otherwise: %s", vouched, diff)
				}
				if diff := cmp.Diff(problems, said); diff != "" {
					t.Errorf("trusted %v: %s", vouched, diff)
				}
			}
		})
	}
}

// disorder returns lines of a graph in which names, types, relations and observations repeat and contradict each other.
func disorder(lines int) string {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	name := func() string {
		return pick("Thing ", "THING ", "thing-", "Thing  ") + fmt.Sprint(random.IntN(lines/4))
	}
	var b strings.Builder
	for range lines {
		if random.IntN(2) == 0 {
			fmt.Fprintf(&b, `{"type":"entity","name":%q,"entityType":%q,"observations":[%q,%q]}`+"\n", name(),
				pick("person", "Person", "tool", ""), pick("likes tea", "uses Go", "is <private>red</private>"),
				pick("likes tea", "I work at Contoso"))
		} else {
			fmt.Fprintf(&b, `{"type":"relation","from":%q,"to":%q,"relationType":%q}`+"\n", name(), name(),
				pick("uses", "works_at", "works for", "same_as", "employs", "depends on"))
		}
	}
	return b.String()
}

func TestImport_KeepsTheTypeOfANameThatIsAnotherHere(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	const text = `{"type":"entity","name":"Ann","entityType":"Person","observations":["tea"]}
{"type":"entity","name":"ANN","entityType":"Ferry","observations":["has two decks"]}`
	for range 2 {
		imported(t, e, text, reference)
	}
	var got []memory.ReferenceEntity
	if err := openStore(t, e).ReferenceEntities(t.Context(), "n",
		func(o memory.ReferenceEntity) error { got = append(got, o); return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]memory.ReferenceEntity{{Name: "Ann", Type: "Person",
		Observations: []string{"tea", "has two decks", "entityType: Ferry"}}}, got); diff != "" {
		t.Error(diff)
	}
}
