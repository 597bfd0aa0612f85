package transfer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

// contents returns the contents of the turns.
func contents(turns []transfer.Message) []string {
	var out []string
	for _, t := range turns {
		out = append(out, t.Content)
	}
	return out
}

func TestRead_TakesTheWholeMessagesOfAConversationThatIsCutOff(t *testing.T) {
	t.Parallel()
	const claude = `[{"uuid":"u1","name":"one","chat_messages":[{"uuid":"a","sender":"human","text":"first"}]},
{"uuid":"u2","name":"two","chat_messages":[{"uuid":"b","sender":"human","text":"second"},{"uuid":"c","sender":"assistant","text":"third"},{"uuid":"d","sender":"human","text":"fou`
	const gpt = `[{"title":"T","create_time":1700000000,"mapping":{"x":{"message":{"id":"m1","author":{"role":"user"},"content":{"content_type":"text","parts":["first"]}}},
"y":{"parent":"x","message":{"id":"m2","author":{"role":"assistant"},"create_time":1700000060,"content":{"content_type":"text","parts":["second"]}}},"z":{"parent":"y","message":{"id":"m3","author":{"ro`
	for name, c := range map[string]struct {
		format transfer.Format
		text   string
		want   []string
	}{
		"a list": {transfer.Claude, claude, []string{"first", "second", "third"}},
		"one alone": {transfer.Claude, strings.TrimPrefix(claude[strings.Index(claude, "\n"):], "\n"),
			[]string{"second", "third"}},
		"a tree":        {transfer.ChatGPT, gpt, []string{"first", "second"}},
		"nothing whole": {transfer.Claude, `[{"uuid":"u1","chat_messages":[{"uuid":"a","sen`, nil},
		"a cut memory":  {transfer.Mem0, `[{"memory":"likes tea"},{"memory":"likes cof`, []string{"likes tea"}},
		"garbage between": {transfer.Claude, strings.Replace(claude, `{"uuid":"c"`, `{uuid:"c"`, 1),
			[]string{"first", "second"}},
	} {
		got := read(t, c.format, c.text)
		if diff := cmp.Diff(c.want, contents(got.turns)); diff != "" {
			t.Errorf("%s: %q\n%s", name, got.problems, diff)
		}
		if len(got.problems) == 0 || !strings.Contains(got.problems[len(got.problems)-1], "nothing after it can be read") {
			t.Errorf("%s: %q", name, got.problems)
		}
	}
}

func TestRead_GivesMessagesWithoutATimeThatOfWhatStandsBefore(t *testing.T) {
	t.Parallel()
	at := time.Unix(1700000000, 0).UTC()
	for name, c := range map[string]struct {
		format transfer.Format
		text   string
		want   []time.Time
	}{
		"the conversation's, then the message's before": {transfer.ChatGPT, `[{"title":"T","create_time":1700000000,"current_node":"z","mapping":{
			"x":{"message":{"id":"1","author":{"role":"user"},"content":{"parts":["a"]}}},
			"y":{"parent":"x","message":{"id":"2","author":{"role":"user"},"create_time":1700000060,"content":{"parts":["b"]}}},
			"z":{"parent":"y","message":{"id":"3","author":{"role":"user"},"create_time":null,"content":{"parts":["c"]}}}}}]`,
			[]time.Time{at, at.Add(time.Minute), at.Add(time.Minute)}},
		"the first that is known": {transfer.ChatGPT, `[{"title":"T","current_node":"y","mapping":{
			"x":{"message":{"id":"1","author":{"role":"user"},"content":{"parts":["a"]}}},
			"y":{"parent":"x","message":{"id":"2","author":{"role":"user"},"create_time":1700000000,"content":{"parts":["b"]}}}}}]`,
			[]time.Time{at, at}},
		"Claude's": {transfer.Claude, `[{"uuid":"u","created_at":"2023-11-14T22:13:20Z","chat_messages":[{"sender":"human","text":"a"},{"sender":"human","text":"b","created_at":"2023-11-14T22:14:20Z"},
			{"sender":"human","text":"c","created_at":"noon"}]}]`, []time.Time{at, at.Add(time.Minute), at.Add(time.Minute)}},
	} {
		var got []time.Time
		for _, turn := range read(t, c.format, c.text).turns {
			got = append(got, turn.At)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestMem0_TakesTheRelationsOfItsGraph(t *testing.T) {
	t.Parallel()
	got := read(t, transfer.Mem0, `{"results":[{"id":"1","memory":"Kofi works at Zenith"}],"relations":[{"source":"kofi","relationship":"works_at","target":"zenith"},
		{"source":"kofi","relation":"knows","destination":"ann"},{"source":"kofi","relationship":"x"},7]}`)
	want := []memory.ReferenceRelation{{From: "kofi", Type: "works_at", To: "zenith"},
		{From: "kofi", Type: "knows", To: "ann"}}
	if diff := cmp.Diff(want, got.relations); diff != "" || len(got.turns) != 1 {
		t.Errorf("%v\n%s", got.turns, diff)
	}
	begins(t, []string{"2: a relation whose target is missing", "2: a relation: it is a number, not an object"},
		got.problems)
	got = read(t, transfer.Mem0,
		`{"results":[{"memory":"a"}],"relations":{"added_entities":[[{"x":1}]]},"memories":[{"memory":"b"}]}`)
	if diff := cmp.Diff([]string{"a", "b"}, contents(got.turns)); diff != "" {
		t.Error(diff)
	}
	begins(t, []string{"1: relations is not a list: left out"}, got.problems)
}

func TestSource_LeavesOutAByteOrderMark(t *testing.T) {
	t.Parallel()
	const mark = "\ufeff"
	for text, want := range map[string]transfer.Format{
		"[\r\n {\"uuid\":\"u\",\r\n \"chat_messages\":[{\"sender\":\"human\",\"text\":\"a\"}]}\r\n]": transfer.Claude,
		"{\"memory\":\"a\"}\r\n": transfer.Mem0,
		"[{\"memory\":\"a\"}]":   transfer.Mem0,
	} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := z.Write([]byte(mark + text))
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		for _, file := range []io.Reader{strings.NewReader(mark + text), strings.NewReader(text), &packed} {
			src, err := transfer.FromStream(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			format, r, err := transfer.Detect(src)
			if err != nil || format != want {
				t.Fatalf("%q, %v", format, err)
			}
			all, err := io.ReadAll(r)
			if diff := cmp.Diff(text, string(all)); diff != "" || err != nil {
				t.Error(diff, err)
			}
			if got := read(t, format, string(all)); len(got.turns) != 1 || got.problems != nil {
				t.Errorf("%+v", got)
			}
		}
	}
}

func TestRead_TellsTheMistakesOfAFileFromThoseOfReadingIt(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	for name, c := range map[string]struct {
		format   transfer.Format
		text     string
		reading  error // after the text
		taking   error // an error of the sink
		problems int
		want     error
	}{
		"of the disk": {format: transfer.Mem0, text: `[{"memory":"a"},`, reading: io.ErrClosedPipe,
			want: io.ErrClosedPipe},
		"of the packing": {format: transfer.Mem0, text: `[{"memory":"a"},`, reading: gzip.ErrChecksum,
			want: gzip.ErrChecksum},
		"in the middle of one": {format: transfer.Claude, text: `[{"chat_messages":[{"sender":"human","text":"a"},{"se`,
			reading: gzip.ErrChecksum, want: gzip.ErrChecksum},
		"of the lines": {format: transfer.Reference, text: `{"type":"entity","name":"a"}` + "\n",
			reading: gzip.ErrChecksum, want: gzip.ErrChecksum},
		"time is over": {format: transfer.Mem0, text: `[{"memory":"a"},`, reading: context.DeadlineExceeded,
			want: context.DeadlineExceeded},
		"broken off": {format: transfer.Mem0, text: `[{"memory":"a"},`, reading: io.ErrUnexpectedEOF,
			problems: 1},
		"no JSON":             {format: transfer.Mem0, text: `[{"memory":"a"},oops`, problems: 1},
		"of whoever takes it": {format: transfer.Mem0, text: `[{"memory":"a"}]`, taking: full, want: full},
		"of whoever takes a half": {format: transfer.Claude, text: `{"chat_messages":[{"sender":"human","text":"a"},{"se`,
			taking: full, want: full},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems, taken := []string{}, 0
			from := io.Reader(strings.NewReader(c.text))
			if c.reading != nil {
				from = io.MultiReader(from, iotest.ErrReader(c.reading))
			}
			err := transfer.Read(t.Context(), c.format, from, transfer.Sink{
				Entity:  func(int, memory.ReferenceEntity) error { taken++; return c.taking },
				Turn:    func(transfer.Message) error { taken++; return c.taking },
				Problem: func(_ int, why string) { problems = append(problems, why) },
				Note:    func(int, string) {},
			})
			if !errors.Is(err, c.want) || c.want == nil && err != nil || len(problems) != c.problems || taken != 1 {
				t.Errorf("%v, %q, %d taken", err, problems, taken)
			}
		})
	}
}

func TestRead_TakesWhatStandsBeforeTheEndOfAPackedFileThatIsCutOff(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for i := range 20_000 {
		fmt.Fprintf(z, `{"type":"entity","name":"Thing %d","entityType":"x","observations":["%x"]}`+"\n", i, i*i)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	src, err := transfer.FromStream(t.Context(), bytes.NewReader(packed.Bytes()[:packed.Len()/2]))
	if err != nil {
		t.Fatal(err)
	}
	format, r, err := transfer.Detect(src)
	if err != nil || format != transfer.Reference {
		t.Fatalf("%q, %v", format, err)
	}
	taken, problems := 0, []string{}
	err = transfer.Read(t.Context(), format, r,
		transfer.Sink{Entity: func(int, memory.ReferenceEntity) error { taken++; return nil },
			Problem: func(_ int, why string) { problems = append(problems, why) }})
	if err != nil || taken < 5000 || len(problems) == 0 ||
		!strings.Contains(problems[len(problems)-1], "cut off here") {
		t.Errorf("%d taken, %q, %v", taken, problems, err)
	}
}

func TestRead_NamesTheFieldThatIsWrongInPlainWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format     transfer.Format
		text, want string
	}{
		{transfer.Claude, `[{"uuid":5,"chat_messages":[]}]`,
			"1: the conversation has an unknown form: uuid is a number, not a text"},
		{transfer.Claude, `[{"uuid":"u","chat_messages":{}}]`,
			"1: the conversation has an unknown form: chat_messages is an object, not a list"},
		{transfer.Claude, `[{"uuid":"u","chat_messages":[{"sender":"human","text":["x"]}]}]`,
			`1: conversation "(u)", message 1: text is a list, not a text`},
		{transfer.Claude, `[5]`, "1: the conversation has an unknown form: it is a number, not an object"},
		{transfer.ChatGPT, `[{"id":"c","mapping":{"n":{"message":{"author":{"role":true}}}}}]`,
			`1: conversation "(c)": the message "n" has an unknown form: message.author.role is true or false, not a text`},
		{transfer.Mem0, "[\nnull]", "2: it is null, not an object"},
		{transfer.Reference, `{"type":"entity"`, "1: broken JSON: it is cut off"},
	} {
		if diff := cmp.Diff([]string{c.want}, read(t, c.format, c.text).problems); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}
