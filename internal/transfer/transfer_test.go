package transfer_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

// taken collects what a sink receives.
type taken struct {
	entities  []memory.ReferenceEntity
	relations []memory.ReferenceRelation
	turns     []transfer.Message
	problems  []string // those that are only noted end with (note)
	passed    map[transfer.Passed]int
}

func read(t testing.TB, format transfer.Format, text string) taken {
	t.Helper()
	got := taken{passed: map[transfer.Passed]int{}}
	err := transfer.Read(t.Context(), format, strings.NewReader(text), transfer.Sink{
		Entity:   func(_ int, e memory.ReferenceEntity) error { got.entities = append(got.entities, e); return nil },
		Relation: func(_ int, r memory.ReferenceRelation) error { got.relations = append(got.relations, r); return nil },
		Turn:     func(turn transfer.Message) error { got.turns = append(got.turns, turn); return nil },
		Problem: func(line int, reason string) {
			got.problems = append(got.problems, fmt.Sprintf("%d: %s", line, reason))
		},
		Note: func(line int, reason string) {
			got.problems = append(got.problems, fmt.Sprintf("%d: %s (note)", line, reason))
		},
		Passed: func(_ int, why transfer.Passed) { got.passed[why]++ },
	})
	if err != nil {
		t.Errorf("%s: %v", format, err)
	}
	return got
}

func TestReference_TakesWhatCanBeTakenAndNamesTheRest(t *testing.T) {
	t.Parallel()
	got := read(t, transfer.Reference, `{"type":"entity","name":"Ann","entityType":"Person","observations":["tea","tea"]}

{"type":"entity","name":"  ","entityType":"x","observations":[]}
{broken
{"type":"planet","name":"x"}
{"type":"entity","name":"Bo","observations":["a",1],"colour":"blue"}
{"type":"relation","from":"Ann","to":"Bo","relationType":"Works With"}
{"type":"relation","from":"Ann","to":null,"relationType":"x"}
[1]`)
	if diff := cmp.Diff([]memory.ReferenceEntity{{Name: "Ann", Type: "Person", Observations: []string{"tea", "tea"}},
		{Name: "Bo", Type: "concept", Observations: []string{"a"}}}, got.entities); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]memory.ReferenceRelation{{From: "Ann", To: "Bo", Type: "Works With"}},
		got.relations); diff != "" {
		t.Error(diff)
	}
	want := []string{"3: an entity without a name", "4: broken JSON", `5: the type "planet" is neither`,
		"6: entityType is missing", "6: the observation 1 is not a text",
		"6: unknown fields are left out: colour", "8: a relation whose to is null", "9: it is a list, not an object"}
	begins(t, want, got.problems)
}

func begins(t *testing.T, want, got []string) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d problems, not %d: %q", len(got), len(want), got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%q does not begin with %q", got[i], want[i])
		}
	}
}

func TestLines_ReportsALineThatIsTooLong(t *testing.T) {
	t.Parallel()
	var problems []int
	var lines []string
	text := io.MultiReader(strings.NewReader("one\n"), io.LimitReader(endless{}, transfer.MaxLine+1),
		strings.NewReader("\nthree"))
	err := transfer.Lines(t.Context(), text, func(line int, _ string) { problems = append(problems, line) },
		func(line int, text []byte) error {
			lines = append(lines, fmt.Sprint(line, strings.TrimSpace(string(text))))
			return nil
		})
	if diff := cmp.Diff([]string{"1one", "3three"}, lines); diff != "" || err != nil || len(problems) != 1 ||
		problems[0] != 2 {
		t.Errorf("%v, %v\n%s", problems, err, diff)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

const chat = `[
 {"title":"Bread","conversation_id":"abcdefghij","current_node":"d","mapping":{
  "a":{"message":null,"parent":null},
  "b":{"message":{"id":"m1","author":{"role":"user"},"create_time":1700000000.5,"content":{"content_type":"text","parts":["How long?"]}},"parent":"a"},
  "c":{"message":{"id":"m2","author":{"role":"assistant"},"content":{"content_type":"text","parts":["Thrown away."]}},"parent":"b"},
  "d":{"message":{"id":"m3","author":{"role":"assistant"},"content":{"content_type":"multimodal_text","parts":[{"asset_pointer":"x"},"An hour."]}},"parent":"b"}}},
 {"title":"Circle","id":"c2","current_node":"y","mapping":{
  "x":{"message":{"id":"x","author":{"role":"user"},"content":{"content_type":"text","parts":["one"]}},"parent":"y"},
  "y":{"message":{"id":"y","author":{"role":"martian"},"content":{"content_type":"text","parts":["two"]}},"parent":"x"}}},
 {"title":"Lost","id":"c3","current_node":"gone","mapping":{
  "p":{"message":{"id":"p","author":{"role":"user"},"create_time":1,"content":{"content_type":"hologram","parts":["kept"]}},"parent":"nowhere"}}},
 {"other":1}
]`

func TestChatGPT_FollowsTheBranchThatWasSeenLast(t *testing.T) {
	t.Parallel()
	got := read(t, transfer.ChatGPT, chat)
	at := time.Date(2023, 11, 14, 22, 13, 20, 500_000_000, time.UTC)
	want := []transfer.Message{
		{Line: 2, Session: "Bread (abcdefgh)", Role: "user", Content: "How long?", At: at, Key: "chatgpt:abcdefghij:m1"},
		{Line: 2, Session: "Bread (abcdefgh)", Role: "assistant", Content: "An hour.", At: at, Key: "chatgpt:abcdefghij:m3"},
		{Line: 7, Session: "Circle (c2)", Role: "user", Content: "one", Key: "chatgpt:c2:x"},
		{Line: 10, Session: "Lost (c3)", Role: "user", Content: "kept", At: time.Unix(1, 0).UTC(), Key: "chatgpt:c3:p"},
	}
	if diff := cmp.Diff(want, got.turns); diff != "" {
		t.Error(diff)
	}
	begins(t, []string{`7: conversation "Circle (c2)": its messages form a cycle`,
		`7: conversation "Circle (c2)": message "y": the role "martian"`,
		`10: conversation "Lost (c3)": the current message "gone" is missing; the newest message is used; the message "nowhere" is missing`,
		`10: conversation "Lost (c3)": message "p": the content type "hologram"`, "12: not a ChatGPT conversation"},
		got.problems)
	if diff := cmp.Diff(map[transfer.Passed]int{transfer.PassedBranch: 1}, got.passed); diff != "" {
		t.Error(diff)
	}
}

func TestClaude_KeepsRolesTimesAndTitles(t *testing.T) {
	t.Parallel()
	got := read(t, transfer.Claude, `[{"uuid":"u-1","name":"A\nboat","chat_messages":[
	{"uuid":"1","sender":"human","text":"Old form","created_at":"2026-01-02T03:04:05.5Z"},
	{"uuid":"2","sender":"assistant","text":"x","content":[{"type":"text","text":"New"},{"type":"tool_use"},{"type":"text","text":"form"}],
	 "attachments":[{"file_name":"a.txt","extracted_content":"inside"}]},
	{"uuid":"2","sender":"assistant","text":"again"},{"uuid":"3","sender":"alien","text":"?"},{"uuid":"4","sender":"human","text":"late","created_at":"noon"},{"uuid":"5","sender":"human","text":""}]},
	{"uuid":"u-2"}] oops`)
	want := []transfer.Message{
		{Line: 1, Session: "A boat (u-1)", Role: "user", Content: "Old form",
			At: time.Date(2026, 1, 2, 3, 4, 5, 500_000_000, time.UTC), Key: "claude:u-1:1"},
		{Line: 1, Session: "A boat (u-1)", Role: "assistant", Content: "New\n\nform\n\na.txt:\ninside",
			At: time.Date(2026, 1, 2, 3, 4, 5, 500_000_000, time.UTC), Key: "claude:u-1:2"},
		{Line: 1, Session: "A boat (u-1)", Role: "user", Content: "late",
			At: time.Date(2026, 1, 2, 3, 4, 5, 500_000_000, time.UTC), Key: "claude:u-1:4"},
	}
	if diff := cmp.Diff(want, got.turns); diff != "" || got.passed[transfer.PassedEmpty] != 1 {
		t.Errorf("%v passed\n%s", got.passed, diff)
	}
	if len(got.problems) != 5 || !strings.Contains(got.problems[4], "nothing after it can be read") {
		t.Errorf("%q", got.problems)
	}
}

func TestMem0_TakesItsForms(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"results": `{"results":[{"id":"1","memory":"Likes tea","user_id":"ann","run_id":"r","created_at":"2026-01-02T03:04:05Z"}],"relations":[]}`,
		"list":    `[{"id":"1","memory":"Likes tea","user_id":"ann","run_id":"r","created_at":"2026-01-02T03:04:05Z"}]`,
		"memories": "{\n\"user\":{},\n\"memories\":[{\"id\":\"1\",\"content\":\"Likes " +
			"tea\",\"user_id\":\"ann\",\"run_id\":\"r\",\"created_at\":1767323045}]}",
		"lines": `{"id":"1","content":"Likes tea","user_id":"ann","run_id":"r","created_at":"2026-01-02T03:04:05Z"}` +
			"\n" + `{"id":"2","content":"x","state":"deleted"}`,
	} {
		got := read(t, transfer.Mem0, text)
		want := []transfer.Message{{Kind: "memory", Session: "r", User: "ann", Role: "assistant", Content: "Likes tea",
			At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Key: "mem0:1"}}
		for i := range got.turns {
			got.turns[i].Line = 0
		}
		if diff := cmp.Diff(want, got.turns); diff != "" || got.problems != nil {
			t.Errorf("%s: %q\n%s", name, got.problems, diff)
		}
	}
}

func TestDetect_TellsTheFormats(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]transfer.Format{
		`{"record":"memory-graph","version":1}` + "\n":                             transfer.Own,
		`{"type":"entity","name":"x","entityType":"y","observations":["mapping"]}`: transfer.Reference,
		"{broken\n" + `{"type":"relation","from":"x","to":"y","relationType":"z"}`: transfer.Reference,
		chat: transfer.ChatGPT,
		`[{"uuid":"x","name":"\"mapping\"","account":{"uuid":"y"},"chat_messages":[]}]`: transfer.Claude,
		"{\n \"conversations\": [\n  {\"uuid\": \"x\", \"chat_messages\": []}]}":        transfer.Claude,
		`{"results":[]}`:                     transfer.Mem0,
		`[{"id":"x","memory":"y"}]`:          transfer.Mem0,
		`{"id":"x","content":"y","app":"z"}`: transfer.Mem0,
		"   \n":                              "",
		"hello":                              "",
		`{"name":"x"}`:                       "",
		`[1,2,3]`:                            "",
	} {
		got, r, err := transfer.Detect(strings.NewReader(text))
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%.60q: %q, %v", text, got, err)
		}
		if all, _ := io.ReadAll(r); string(all) != text {
			t.Errorf("%.60q: Detect consumed input", text)
		}
	}
}

// FuzzRead passes arbitrary input to every reader: none may panic, and every turn must have a role, a text and a valid
// session.
func FuzzRead(f *testing.F) {
	for _, s := range []string{chat, `{"type":"entity","name":"x","entityType":"y","observations":[]}`,
		`[{"chat_messages":[{"sender":"human","text":"x"}]}]`, `{"results":[{"memory":"x"}]}`, "[", "{}", "\x00",
		`{"memories":{}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, _, err := transfer.Detect(strings.NewReader(text)); err != nil &&
			memory.AsError(err).Code != memory.InvalidArgument {
			t.Error(err)
		}
		for _, format := range []transfer.Format{transfer.Reference, transfer.Mem0, transfer.Claude, transfer.ChatGPT} {
			for _, turn := range read(t, format, text).turns {
				if turn.Role == "" || strings.TrimSpace(turn.Content) == "" || len(turn.Session) > 200 || turn.Key == "" {
					t.Errorf("%s: %+v", format, turn)
				}
			}
		}
	})
}
