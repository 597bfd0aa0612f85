package llmtest

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ShownTurn is a turn as a question about facts contains it.
type ShownTurn struct {
	Number int
	Role   string
	Said   string // the day
	Self   string // name of the user
	Text   string
}

var turnHeading = regexp.MustCompile(
	`(?m)^<<([0-9a-f]{16}) turn (\d+): the (\w+) speaks, on (.*); the user \(id 0\) is "(.*)">>\n`)

// Turns returns the turns of a question about facts; nil for other questions.
func (q Request) Turns() []ShownTurn {
	var turns []ShownTurn
	for _, m := range turnHeading.FindAllStringSubmatchIndex(q.User, -1) {
		group := func(i int) string { return q.User[m[2*i]:m[2*i+1]] }
		number, err := strconv.Atoi(group(2))
		if err != nil || number != len(turns)+1 {
			continue // the text of a turn may look like a heading
		}
		text, _, ok := strings.Cut(q.User[m[1]:], "\n<<"+group(1)+" end of turn "+group(2)+">>")
		if !ok {
			continue
		}
		turns = append(turns, ShownTurn{Number: number, Role: group(3), Said: group(4), Self: group(5), Text: text})
	}
	return turns
}

// Fact is a relation in a scripted answer. An empty Head or Tail is the user.
type Fact struct {
	Head, HeadType string
	Relation       string
	Tail, TailType string
	Quote          string // "" is the turn's whole text
	Confidence     float64
	Implied        bool
	Ended          bool
	ValidFrom      string
	ValidUntil     string
}

// Script answers a question about facts: for each turn it returns the facts of every key that the turn's text contains.
// A turn without a key gets an empty answer.
func Script(facts map[string][]Fact) Answer {
	return func(q Request) (string, bool) {
		turns := q.Turns()
		if len(turns) == 0 {
			return "", false
		}
		answers := make([]any, len(turns))
		for i, t := range turns {
			var said []Fact
			for _, key := range slices.Sorted(maps.Keys(facts)) {
				if strings.Contains(t.Text, key) {
					said = append(said, facts[key]...)
				}
			}
			answers[i] = answerTo(t, said)
		}
		return encode(map[string]any{"turns": answers}), true
	}
}

// answerTo returns the answer about one turn.
func answerTo(t ShownTurn, facts []Fact) map[string]any {
	ids := map[string]int{"": 0}
	entities, relations := []any{}, []any{}
	id := func(name, typ string) int {
		if _, ok := ids[name]; !ok {
			ids[name] = len(ids)
			e := entity(ids[name], name)
			if typ != "" {
				e["type"] = typ
			}
			entities = append(entities, e)
		}
		return ids[name]
	}
	for _, f := range facts {
		r := relation(id(f.Head, f.HeadType), id(f.Tail, f.TailType), f.Quote)
		r["relation"], r["ended"] = f.Relation, f.Ended
		if f.Quote == "" {
			r["quote"] = t.Text
		}
		if f.Confidence != 0 {
			r["confidence"] = f.Confidence
		}
		if f.Implied {
			r["basis"] = "implied"
		}
		if f.ValidFrom != "" {
			r["valid_from"] = f.ValidFrom
		}
		if f.ValidUntil != "" {
			r["valid_until"] = f.ValidUntil
		}
		relations = append(relations, r)
	}
	return map[string]any{"turn": t.Number, "entities": entities, "relations": relations}
}

func entity(id int, name string) map[string]any {
	return map[string]any{"id": id, "name": name, "type": "concept", "description": nil, "confidence": 0.9}
}

func relation(head, tail int, quote string) map[string]any {
	return map[string]any{"quote": quote, "head": head, "relation": "uses", "tail": tail, "edge_class": "semantic",
		"basis":      "stated",
		"confidence": .9, "ended": false, "valid_from": nil, "valid_until": nil}
}

// Golden answers with the content of the file dir/<Request.Key>.json.
func Golden(dir string) Answer {
	return func(q Request) (string, bool) {
		b, err := os.ReadFile(filepath.Join(dir, q.Key+".json"))
		return strings.TrimSpace(string(b)), err == nil
	}
}

// Says answers every question with the same content.
func Says(content string) Answer {
	return func(Request) (string, bool) { return content, true }
}
