package retrieval

import (
	"cmp"
	"context"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/supersession"
)

// spoken returns vectors of texts and caches them.
type spoken struct {
	VectorIndex // only Vectors is called
	made        map[string][]int8
	turns       map[int64]string
}

func (s *spoken) vector(t *testing.T, content string) []int8 {
	if s.made[content] == nil {
		vecs, err := builtin.New().Embed(t.Context(), embedding.Document, []string{content})
		if err != nil {
			t.Fatal(err)
		}
		s.made[content] = embedding.Quantize(vecs[0])
	}
	return s.made[content]
}

func (s *spoken) Vectors(_ context.Context, _ string, ids []int64) (map[int64][]int8, error) {
	out := map[int64][]int8{}
	for _, id := range ids {
		out[id] = s.made[s.turns[id]]
	}
	return out, nil
}

// ranking returns the candidates of a question by vector alone, in two sessions of small talk: the earlier turn is in
// the first, the later turn in the second.
func (s *spoken) ranking(t *testing.T, question, earlier, later string, talk []string) (hits, []scored, []*candidate) {
	s.turns = map[int64]string{}
	var cs []*candidate
	asked := s.vector(t, question)
	add := func(session int, content string) {
		id := int64(len(cs) + 1)
		s.turns[id] = content
		at := time.Date(2026, 9, 1+10*session, 9, int(id), 0, 0, time.UTC)
		c := &candidate{turn: memory.Rankable{ID: id, SessionID: strconv.Itoa(session), Seq: id, Role: memory.RoleUser,
			Content: content, OccurredAt: at}}
		c.cosine, c.hasVector = cosine(asked, s.vector(t, content), embedding.Scale{}), true
		cs = append(cs, c)
	}
	for i, line := range talk {
		if half := len(talk) / 2; i == half/2 {
			add(0, earlier)
		} else if i == half+half/2 {
			add(1, later)
		}
		add(i*2/len(talk), line)
	}
	sims := Similarities{}
	for _, c := range cs {
		sims.Mean += c.cosine / float64(len(cs))
	}
	for _, c := range cs {
		sims.Std += (c.cosine - sims.Mean) * (c.cosine - sims.Mean) / float64(len(cs))
	}
	sims.Std = math.Sqrt(sims.Std)
	var above []scored
	for _, c := range cs {
		c.setCosine(c.cosine, &sims)
		above = append(above, scored{candidate: c, score: c.cosine})
	}
	link(cs)
	connect(cs, parsed(question), frequencies{})
	slices.SortStableFunc(above, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return hits{vectors: &sims, vec: asked}, above, cs
}

// The cosines between turns are compared with the mean of cosines with the question, so both are on one scale.
func TestSupersede_ComparesTurnsOnTheScaleOfTheirRanking(t *testing.T) {
	t.Parallel()
	plain := [][]int8{{100, 0, 0, 0}, {60, 80, 0, 0}, {0, 0, 100, 0}, {0, 60, 80, 0}}
	var common [][]int8 // cosines ½ + ½ × those of plain
	for _, v := range plain {
		common = append(common, append(slices.Clone(v), 100))
	}
	base := (1 + embedding.BuiltinBase) / 2
	read := make([]*supersession.Turn, len(plain))
	of := func(vecs [][]int8, scale embedding.Scale) *comparison {
		return &comparison{turns: make([]*candidate, len(vecs)), vectors: vecs, read: read, mean: .1, std: .1, scale: scale,
			rows: map[int][]float64{}}
	}
	want, got := of(plain, embedding.Scale{}), of(common, embedding.NewScale(&base))
	for later := 1; later < len(plain); later++ {
		w, g := want.pair(0, later), got.pair(0, later)
		if math.Abs(w.Deviation-g.Deviation) > 1e-9 || w.Nearest != g.Nearest {
			t.Errorf("turn %d: %+v, want %+v", later, g, w)
		}
	}
}

// The pairs were written before anything was tried on them. The numbers of wrong judgements are recorded here, so that
// a change of the judgement shows. Update better figures here and in docs/experiments.md.
func TestSupersede_JudgesPairsOfManyDomains(t *testing.T) {
	t.Parallel()
	judgePairs(t, "testdata/replaced.txt", 60, map[string]int{"later": 31, "earlier": 6, "both": 8})
}

// judgePairs judges the pairs of a file. At least the given number must exist and be judged correctly.
func judgePairs(t *testing.T, path string, pairs int, least map[string]int) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	chat, err := os.ReadFile("testdata/chat.txt")
	if err != nil {
		t.Fatal(err)
	}
	talk := strings.Split(strings.TrimSpace(string(chat)), "\n")
	s := &spoken{made: map[string][]int8{}}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	r := &Retriever{Vectors: s, Now: func() time.Time { return now }}
	right, all := map[string]int{}, map[string]int{}
	lines := strings.Split(string(raw), "\n")
	for i := 0; i+2 < len(lines); i++ {
		want, question, ok := strings.Cut(lines[i], " | ")
		if !ok {
			continue
		}
		earlier, later := lines[i+1], lines[i+2]
		found, above, cs := s.ranking(t, question, earlier, later, talk)
		req := Request{Query: question, Limit: 10}
		ranked, _, replaced, err := r.supersede(t.Context(), req, memory.Filter{}, parseQuestion(req, now), found, above, nil,
			cs)
		if err != nil {
			t.Fatal(err)
		}
		place := func(content string) int {
			return slices.IndexFunc(ranked, func(c scored) bool { return c.turn.Content == content })
		}
		was := slices.ContainsFunc(replaced, func(p replacement) bool {
			return s.turns[p.earlier] == earlier && s.turns[p.later] == later
		})
		all[want]++
		if want == "later" && was && place(later) < place(earlier) || want == "earlier" && place(earlier) < place(later) ||
			want == "both" && !was {
			right[want]++
		} else {
			t.Logf("wrong, %s: %s / %s", lines[i], earlier, later)
		}
	}
	for want, n := range least {
		if right[want] < n {
			t.Errorf("%s: %d of %d are judged rightly, at least %d were", want, right[want], all[want], n)
		}
	}
	if all["later"]+all["earlier"]+all["both"] < pairs {
		t.Errorf("%v: pairs are missing", all)
	}
}

// An unvouched turn never replaces a vouched one.
func TestHolding_WhatNobodyVouchesForReplacesNothingTrusted(t *testing.T) {
	t.Parallel()
	chat, err := os.ReadFile("testdata/chat.txt")
	if err != nil {
		t.Fatal(err)
	}
	const question, earlier, later = "How much is my rent?", "Rent is 840 a month, heating included.", "The landlord " +
		"raised the rent, 895 from January."
	s := &spoken{made: map[string][]int8{}}
	r := &Retriever{Vectors: s, Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }}
	for name, c := range map[string]struct{ earlier, later, replaced bool }{
		"both are trusted":     {false, false, true},
		"the later one is not": {false, true, false},
		"neither is":           {true, true, true},
		"the earlier is not":   {true, false, true},
	} {
		found, above, cs := s.ranking(t, question, earlier, later, strings.Split(strings.TrimSpace(string(chat)), "\n"))
		for _, x := range cs {
			x.turn.Unvouched = x.turn.Content == earlier && c.earlier || x.turn.Content == later && c.later
		}
		req := Request{Query: question, Limit: 10}
		_, _, replaced, err := r.supersede(t.Context(), req, memory.Filter{}, parseQuestion(req, r.Now()), found, above, nil,
			cs)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(replaced, func(p replacement) bool {
			return s.turns[p.earlier] == earlier && s.turns[p.later] == later
		})
		if got != c.replaced {
			t.Errorf("%s: replaced is %t", name, got)
		}
	}
}

// Clients that import a conversation may give all its turns one time. Then their order is that of storage.
func TestSupersede_JudgesTurnsOfOneTimeByStorageIfTheirScoresAreNear(t *testing.T) {
	t.Parallel()
	chat, err := os.ReadFile("testdata/chat.txt")
	if err != nil {
		t.Fatal(err)
	}
	const question, earlier, later = "How much is my rent?", "Rent is 840 a month, heating included.", "The landlord " +
		"raised the rent, 895 from January."
	s := &spoken{made: map[string][]int8{}}
	r := &Retriever{Vectors: s}
	found, above, cs := s.ranking(t, question, earlier, later, strings.Split(strings.TrimSpace(string(chat)), "\n"))
	for _, c := range cs {
		c.turn.OccurredAt = time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC)
	}
	req := Request{Query: question, Limit: 10}
	_, _, replaced, err := r.supersede(t.Context(), req, memory.Filter{}, parseQuestion(req, r.now()), found, above, nil,
		cs)
	if err != nil {
		t.Fatal(err)
	}
	pair := func(a, b string) bool {
		return slices.ContainsFunc(replaced, func(p replacement) bool {
			return s.turns[p.earlier] == a && s.turns[p.later] == b
		})
	}
	if !pair(earlier, later) || pair(later, earlier) {
		t.Errorf("%t, the reverse %t", pair(earlier, later), pair(later, earlier))
	}
	for i := range above {
		if above[i].turn.Content == later {
			above[i].score *= .4
		}
	}
	if _, _, replaced, err = r.supersede(t.Context(), req, memory.Filter{}, parseQuestion(req, r.now()), found, above, nil,
		cs); err != nil || pair(earlier, later) {
		t.Errorf("a turn of less than half the score replaces: %v", err)
	}
}
