package llm

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

func mustForm(t testing.TB) *form {
	t.Helper()
	f, err := formOf(reflect.TypeFor[answer]())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestUnwrap_FindsTheOneObject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want, err string }{
		{`{"a": 1}`, `{"a": 1}`, ""},
		{"Sure:\n```json\n{\"a\": 1}\n```\nDone.", `{"a": 1}`, ""},
		{"```\n{\"a\": 1}\n```", `{"a": 1}`, ""},
		{"```{\"a\": 1}```", `{"a": 1}`, ""},
		{"<think>{} or\n```x```?</think>{\"a\": 1}", `{"a": 1}`, ""},
		{"<think>so</think>\n\nIt is {\"a\": 1}. Good?", `{"a": 1}`, ""},
		{`{"a": "use ` + "```" + ` here"}`, `{"a": "use ` + "```" + ` here"}`, ""},
		{`Nothing found.`, "", "no JSON object"},
		{`<think>{"a": 1}`, "", "not closed"},
		{"```json\n{\"a\": 1}", "", "not closed"},
		{"```\n{}\n``` or\n```\n{}\n```", "", "more than one"},
		{"```\n{}\n``` or {}", "", "more than one"},
		{`[{"a": 1}]`, "", "array"},
		{`} {`, "", "incomplete"},
		{``, "", "no JSON object"},
	} {
		got, err := unwrap(c.text)
		if c.err == "" && (err != nil || got != c.want) {
			t.Errorf("%q gives %q, %v; want %q", c.text, got, err, c.want)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%q gives %q, %v; want an error with %q", c.text, got, err, c.err)
		}
	}
}

func TestAnswer_HasEachTurnOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		turns []int
		n     int
		ok    bool
	}{
		{[]int{1}, 1, true}, {[]int{2, 1}, 2, true}, {nil, 1, false}, {[]int{1}, 2, false}, {[]int{1, 1}, 2,
			false}, {[]int{0, 1}, 2, false},
		{[]int{1, 3}, 2, false}, {[]int{1, 2, 3}, 2, false},
	} {
		var a answer
		for _, n := range c.turns {
			a.Turns = append(a.Turns, turnAnswer{Turn: n})
		}
		if err := a.check(c.n); (err == nil) != c.ok {
			t.Errorf("%v of %d: %v", c.turns, c.n, err)
		}
	}
}

func TestFold_LeadsBackToTheText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, find, want string }{
		{"We  use\tRedis", "use redis", "use\tRedis"},
		{"don’t “quote” me", `don't "quote" me`, "don’t “quote” me"},
		{"Zoë — née Bär", "zoë - NÉE bär", "Zoë — née Bär"},
		{"re\u200bdis and Redis", "redis", "re\u200bdis"},
		{"日本語のRedisです", "redis", "Redis"},
		{"foo_bar foo", "foo", "foo"},
		{"a.b a-b", "b", "b"},
		{"İstanbul", "i\u0307stanbul", ""},
		{"x", "", ""},
		{"", "x", ""},
	} {
		f := fold(c.text)
		got := ""
		if start, stop, ok := f.find(c.find, 0); ok {
			var from, to int
			got, from, to = f.span(start, stop)
			if c.text[from:to] != got {
				t.Errorf("%q: offsets %d and %d", c.text, from, to)
			}
		}
		if got != c.want {
			t.Errorf("%q in %q is %q, want %q", c.find, c.text, got, c.want)
		}
	}
}

// good is the seed answer for fuzzing.
const good = `{"turns":[{"turn":1,"entities":[{"id":1,"name":"Redis","type":"tool","description":"a cache"}],"relations":[` +
	`{"quote":"We use Redis","head":0,"relation":"uses","tail":1,"edge_class":"semantic","basis":"stated","confidence":0.9,"ended":false,"valid_from":"2024-03","valid_until":null}]}]}`

// Any answer is either read completely or refused.
func FuzzRead(f *testing.F) {
	form := mustForm(f)
	for _, s := range []string{good, "[" + good + "]", good[:50], "```json\n" + good + "\n```", "<think>x</think>" + good,
		`{"turns":[]}`, `{"turns":[{}]}`, `{"turns":null}`, "{\"a\":1,\"a\":2}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		if inner, err := unwrap(content); err == nil {
			var a answer
			_ = form.read(inner, &a)
		}
		var a answer
		if err := form.read(content, &a); err != nil {
			if utf8.ValidString(content) && strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has lines: %q", err)
			}
			return
		}
		v, err := decode(content)
		if err != nil {
			t.Fatal("read, and not decoded")
		}
		read := 0
		for _, turn := range a.Turns {
			read += len(turn.Entities) + len(turn.Relations)
		}
		if n := items(v) - len(a.Turns); n != read {
			t.Errorf("%d of %d items were read", read, n)
		}
	})
}

// items counts the elements of all lists in a value.
func items(v any) (n int) {
	switch v := v.(type) {
	case []any:
		for _, i := range v {
			n += 1 + items(i)
		}
	case map[string]any:
		for _, m := range v {
			n += items(m)
		}
	}
	return n
}

// For any answer and any text, every accepted part occurs in the text.
func FuzzValidate(f *testing.F) {
	f.Add("Since 2024-03 We use Redis, a cache.", "Ada", "Grace is here", "Redis", "the cache", "we use redis", "a cache",
		"2024-03", 1, true)
	f.Add("We use Re\u200bdis", "", "", "redis", "", "use redis", "", "", 0, false)
	f.Add("WE USE REDIS, she said", "redis", "x y", "x", "redis", "SHE SAID", "null", "2024", 2, true)
	f.Add("\xff\u0130we use redis\u2028", "\x00", "", "\u0130we", "a\xff", "\u2028", " ", "0000", -1, true)
	f.Fuzz(func(t *testing.T, said, self, before, name, other, quote, description, from string, id int, user bool) {
		turn := extraction.Input{Role: memory.RoleUser, Text: said, Self: self,
			Before: []extraction.Line{{Role: memory.RoleUser, Text: before}}}
		if !user {
			turn.Role = memory.RoleAssistant
		}
		a := turnAnswer{Entities: []entityAnswer{
			{ID: id, Name: name, Type: other, Description: &description}, {ID: id + 1, Name: other, Type: "tool",
				Description: &quote},
			{ID: 3, Name: quote}, {ID: 4, Name: said}, {ID: 5, Name: before},
		}}
		for i := range 6 {
			for j := range 6 {
				a.Relations = append(a.Relations, relationAnswer{Quote: []string{quote, said, name, before}[(i+j)%4], Head: i,
					Tail: j, Relation: other + "x",
					Basis: "stated", ValidFrom: &from, ValidUntil: &description, Confidence: float64(id)})
			}
		}
		limits := Limits{Entities: 3, Relations: 3}
		got := newValidation([]extraction.Input{turn}, 0).validate(a, limits)
		most := limits.Entities + limits.Relations // things and values
		if len(got.Mentions) > most || len(got.Entities) > most || len(got.Relations) > limits.Relations {
			t.Fatal("over the limits")
		}
		for _, m := range got.Mentions {
			if m.Start < 0 || m.Stop > len(said) || said[m.Start:m.Stop] != m.Name {
				t.Errorf("%+v does not stand in %q", m, said)
			}
		}
		for _, e := range got.Entities {
			if !strings.Contains(said, e.Name) || !strings.Contains(said, e.Description) {
				t.Errorf("%+v is not said in %q", e, said)
			}
		}
		checkRelations(t, got, turn)
	})
}

func checkRelations(t *testing.T, got memory.Findings, turn extraction.Input) {
	t.Helper()
	for _, r := range got.Relations {
		if r.Quote == "" || !strings.Contains(turn.Text, r.Quote) {
			t.Errorf("the quote %q does not stand in %q", r.Quote, turn.Text)
		}
		if same(r.Head, r.Tail) || r.Relation == "" || *r.Confidence < 0 || *r.Confidence > 1 {
			t.Errorf("%+v", r)
		}
		if !r.ValidFrom.IsZero() && !r.ValidUntil.IsZero() && !r.ValidFrom.Before(r.ValidUntil) {
			t.Errorf("it ends %s and begins %s", r.ValidUntil, r.ValidFrom)
		}
		for _, name := range []string{r.Head, r.Tail} {
			if name != self(turn) && !strings.Contains(turn.Text, name) && !strings.Contains(turn.Before[0].Text, name) {
				t.Errorf("%q stands nowhere", name)
			}
		}
	}
}

func TestStrict_RefusesWhatHasNoStrictForm(t *testing.T) {
	t.Parallel()
	type deep struct {
		A struct {
			B struct {
				C struct {
					D struct {
						E struct {
							F struct {
								G struct {
									H struct {
										I struct{ J struct{ K struct{ L int } } }
									}
								}
							}
						}
					}
				}
			}
		}
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[struct{ A map[string]int }](), reflect.TypeFor[struct {
			A any
		}](), reflect.TypeFor[struct{}](), reflect.TypeFor[deep](),
	} {
		if _, err := formOf(typ); err == nil {
			t.Errorf("%s has a form", typ)
		}
	}
	f, err := formOf(reflect.TypeFor[struct {
		A *int   `json:"a" jsonschema:"nullable,minimum=1,description=how many"`
		B string `json:"b,omitempty" jsonschema:"maxLength=3,pattern=^x"`
	}]())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"properties":{"a":{"anyOf":[{"type":"integer","description":"how many"},{"type":"null"}]},"b":{"type":"string"}},"additionalProperties":false,"type":"object","required":["a","b"]}`
	if diff := cmp.Diff(want, f.text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
