package communities

import (
	"context"
	"fmt"
	"strings"

	"memory-graph/extraction/llm"
	"memory-graph/internal/memory"
	"memory-graph/prompts"
	"memory-graph/store"
)

// told is what may be told of a community: names and facts that no turn in quarantine holds back, the most central and
// the strongest first.
type told struct {
	members []store.CommunityMember
	facts   []sentence
	origin  memory.Origin
	size    int
	naming  int // how many members make the name
}

// sentence is a fact in words, without a full stop.
type sentence struct {
	id         int64
	text       string
	head, tail int64
}

// trusted reports whether a fact or a name may stand in a context block.
func trusted(confidence float64, origin memory.Origin) bool {
	return confidence >= memory.ShownConfidence && origin.Trust() > memory.OriginTool.Trust()
}

// newTold chooses what to tell of a community. If some of its facts may stand in a context block, it tells only these:
// else one fact of a file would keep the summary out of all blocks.
func newTold(c change, nodes map[int64]store.CommunityMember, edges map[int64]store.CommunityFact) told {
	t := told{size: c.Size, naming: c.naming}
	for _, only := range []bool{true, false} {
		t.tell(c, nodes, edges, only)
		if len(t.facts) > 0 {
			break
		}
	}
	return t
}

// sameKind is the maximum number of facts of one summary with the same head and relation, or relation and tail.
const sameKind = 2

func (t *told) tell(c change, nodes map[int64]store.CommunityMember, edges map[int64]store.CommunityFact, only bool) {
	t.origin, t.members, t.facts = memory.OriginUser, nil, nil
	least := func(o memory.Origin) {
		if o.Trust() < t.origin.Trust() {
			t.origin = o
		}
	}
	alike, seen := map[string]int{}, map[int64]bool{}
	var rest []sentence
	for _, e := range c.facts {
		f, ok := edges[e.ID]
		head, heads := nodes[e.Head]
		tail, tails := nodes[e.Tail]
		if !ok || !heads || !tails || only && !trusted(f.Confidence, f.Origin) {
			continue
		}
		least(f.Origin)
		seen[f.Head], seen[f.Tail] = true, true
		text := fmt.Sprintf("%s %s %s", short(head.Name), strings.ReplaceAll(f.Relation, "_", " "), short(tail.Name))
		out, in := fmt.Sprint(f.Head, f.Relation), fmt.Sprint(f.Relation, " ", f.Tail)
		if alike[out] >= sameKind || alike[in] >= sameKind {
			rest = append(rest, sentence{e.ID, text, f.Head, f.Tail})
			continue
		}
		alike[out]++
		alike[in]++
		t.facts = append(t.facts, sentence{e.ID, text, f.Head, f.Tail})
	}
	t.facts = append(t.facts, rest...)
	for _, id := range c.members {
		if m, ok := nodes[id]; ok && (seen[id] || !only || trusted(m.Confidence, m.Origin)) {
			least(m.Origin)
			t.members = append(t.members, m)
		}
	}
}

// short cuts the name of a memory, which is a text.
func short(name string) string { return prompts.Line(80, name) }

const (
	factsTold = 5 // facts in the program's own summary
	namesTold = 5 // further names in it
)

// name joins the names of the most central members.
func (t told) name() string {
	var names []string
	for _, m := range t.members[:min(len(t.members), t.naming)] {
		names = append(names, prompts.Line(40, m.Name))
	}
	return and(names, 0)
}

// summary says the strongest facts in one sentence and the other central names in a second one.
func (t told) summary() string {
	if len(t.facts) == 0 {
		return ""
	}
	var parts []string
	said := map[int64]bool{}
	for _, f := range t.facts[:min(len(t.facts), factsTold)] {
		parts = append(parts, f.text)
		said[f.head], said[f.tail] = true, true
	}
	s := strings.Join(parts, "; ") + "."
	var others []string
	for _, m := range t.members {
		if !said[m.ID] && len(others) < namesTold {
			others = append(others, short(m.Name))
		}
	}
	more := t.size - len(said) - len(others)
	if len(others) > 0 {
		s += " Also " + and(others, max(0, more)) + "."
	}
	return s
}

// and joins names as prose: "A, B and 3 more".
func and(names []string, more int) string {
	if more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// central returns the most central members that may be told.
func (t told) central() []memory.Node {
	var nodes []memory.Node
	for _, m := range t.members[:min(len(t.members), memory.CentralMembers)] {
		nodes = append(nodes, m.Node)
	}
	return nodes
}

// The limits of a question and of its answer.
const (
	MaxPromptBytes = 8192 // both messages together
	answerTokens   = 500
	maxName        = 80 // characters
	maxSummary     = 700
)

// Purpose is the purpose of the questions.
const Purpose = "community"

// description is the model's answer.
type description struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

// describe asks the model for a name and a summary.
func describe(ctx context.Context, ask Asker, t told) (name, summary string, u llm.Usage, err error) {
	q, err := question(t)
	if err != nil {
		return "", "", u, err
	}
	var d description
	clean := func() { d.Name, d.Summary = prompts.Line(maxName, d.Name), prompts.Line(maxSummary, d.Summary) }
	q.Check = func() error {
		if clean(); d.Name == "" || d.Summary == "" {
			return fmt.Errorf("the name or the summary is empty")
		}
		return nil
	}
	u, err = ask.Complete(ctx, q, &d)
	clean()
	return d.Name, d.Summary, u, err
}

// question renders the two messages: as many names and facts as fit into MaxPromptBytes, at most a quarter of it names.
func question(t told) (llm.Request, error) {
	system, err := prompts.Render("community_system", nil)
	if err != nil {
		return llm.Request{}, err
	}
	empty, err := render(nil, nil)
	if err != nil {
		return llm.Request{}, err
	}
	room := MaxPromptBytes - len(system) - len(empty)
	var names []string
	for _, m := range t.members {
		names = append(names, prompts.Line(80, m.Name))
	}
	names = fitting(names, room/4)
	for _, n := range names {
		room -= len(n) + 1
	}
	var facts []string
	for _, f := range t.facts {
		facts = append(facts, prompts.Line(260, f.text))
	}
	user, err := render(names, fitting(facts, room))
	return llm.Request{Name: "community", System: system, User: user, MaxTokens: answerTokens, Purpose: Purpose}, err
}

func render(names, facts []string) (string, error) {
	each := func(list []string, limit int) string {
		var b strings.Builder
		for _, s := range list {
			b.WriteString(prompts.Line(limit, s) + "\n")
		}
		return b.String()
	}
	return prompts.Render("community_user", prompts.Data{"Mark": prompts.Mark(append(names, facts...)...),
		"Members": each(names, 80), "Facts": each(facts, 260)})
}

// fitting returns the first lines that fit into room bytes.
func fitting(lines []string, room int) []string {
	for i, l := range lines {
		if room -= len(l) + 1; room < 0 {
			return lines[:i]
		}
	}
	return lines
}
