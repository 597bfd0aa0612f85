package factmodel_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store/internal/factmodel"
)

// The model judges the store, so its results are computed by hand here for each paragraph of docs/facts.md.

const (
	alice = 1 + iota
	acme
	beta
	golang
)

func day(s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	t, err := memory.ParseTime("test", s)
	if err != nil {
		panic(err)
	}
	return t
}

// world is a model with four entities in 2024.
func world() *factmodel.Model {
	m := factmodel.New()
	m.Begin(day("2024-01-01"), "world")
	m.Observe("Alice", "person", .9)
	m.Observe("Acme", "organization", .9)
	m.Observe("Beta", "organization", .9)
	m.Observe("Go", "language", .9)
	return m
}

func claim(head int64, relation string, tail int64, from, end string) factmodel.Claim {
	return factmodel.Claim{Head: head, Relation: relation, Tail: tail, From: day(from), End: day(end),
		Origin: memory.OriginAgent, Method: memory.MethodSupplied}
}

// span holds the values that the cases compare.
type span struct {
	From, End string
	By        int64
}

func spans(m *factmodel.Model) map[int64]span {
	out := map[int64]span{}
	for id := int64(1); id <= m.Facts(); id++ {
		f := m.Fact(id)
		date := func(t time.Time) string {
			if t.IsZero() {
				return ""
			}
			return t.Format(time.DateOnly)
		}
		out[id] = span{date(f.From), date(f.End), f.SupersededBy}
	}
	return out
}

func TestModel_WorkedByHand(t *testing.T) {
	t.Parallel()
	work := func(m *factmodel.Model, c ...factmodel.Claim) {
		for i, c := range c {
			m.Begin(day("2025-01-01").AddDate(0, 0, i), string(rune('a'+i)))
			if _, code := m.Claim(c); code != "" {
				panic(code)
			}
		}
	}
	low := claim(alice, "works_at", beta, "2023-01-01", "")
	low.Origin = memory.OriginTool
	over := claim(alice, "works_at", acme, "", "2024-06-01")
	over.Ended = true
	cases := map[string]struct {
		play func(m *factmodel.Model)
		want map[int64]span
	}{
		"a later employer ends the earlier where it begins": {
			func(m *factmodel.Model) {
				work(m, claim(alice, "works_at", acme, "2020-01-01", ""), claim(alice, "works_at", beta, "2023-01-01", ""))
			},
			map[int64]span{1: {"2020-01-01", "2023-01-01", 2}, 2: {"2023-01-01", "", 0}},
		},
		"an older employer is past until the live one began": {
			func(m *factmodel.Model) {
				work(m, claim(alice, "works_at", acme, "2023-01-01", ""), claim(alice, "works_at", beta, "2020-01-01", ""))
			},
			map[int64]span{1: {"2023-01-01", "", 0}, 2: {"2020-01-01", "2023-01-01", 1}},
		},
		"lower trust ends nothing": {
			func(m *factmodel.Model) { work(m, claim(alice, "works_at", acme, "2020-01-01", ""), low) },
			map[int64]span{1: {"2020-01-01", "", 0}, 2: {"2023-01-01", "", 0}},
		},
		"given again with an earlier beginning": {
			func(m *factmodel.Model) {
				work(m, claim(alice, "uses", golang, "", ""), claim(alice, "uses", golang, "2020-01-01", "2030-01-01"))
			},
			map[int64]span{1: {"2020-01-01", "2030-01-01", 0}},
		},
		"after a scheduled end has come the same is a new fact": {
			func(m *factmodel.Model) {
				work(m, claim(alice, "uses", golang, "2024-12-01", "2025-01-02"), claim(alice, "uses", golang, "", ""))
			},
			map[int64]span{1: {"2024-12-01", "2025-01-02", 0}, 2: {"2025-01-02", "", 0}},
		},
		"ended": {
			func(m *factmodel.Model) { work(m, claim(alice, "works_at", acme, "2020-01-01", ""), over, over) },
			map[int64]span{1: {"2020-01-01", "2024-06-01", 0}}, // given twice, it ends once
		},
		"merged, and taken apart": {
			func(m *factmodel.Model) {
				work(m, claim(alice, "uses", acme, "2022-01-01", ""), claim(alice, "uses", beta, "2020-01-01", ""),
					claim(acme, "uses", beta, "2020-01-01", ""))
				m.Begin(day("2025-02-01"), "merge")
				m.Merge(acme, beta)
				got := spans(m)
				want := map[int64]span{1: {"2020-01-01", "", 0}, 2: {"2020-01-01", "2020-01-01", 1},
					3: {"2020-01-01", "2020-01-01", 0}}
				if diff := cmp.Diff(want, got); diff != "" {
					panic(diff)
				}
				m.Begin(day("2025-02-02"), "unmerge")
				m.Unmerge(beta)
			},
			map[int64]span{1: {"2022-01-01", "", 0}, 2: {"2020-01-01", "", 0}, 3: {"2020-01-01", "", 0}},
		},
		"superseded, and undone": {
			func(m *factmodel.Model) {
				work(m, claim(alice, "uses", golang, "2020-01-01", ""))
				m.Begin(day("2025-02-01"), "supersede")
				c := claim(alice, "uses", acme, "2021-01-01", "")
				if _, code := m.Supersede(factmodel.Supersession{Fact: 1, New: &c}); code != "" {
					panic(code)
				}
				m.Begin(day("2025-02-02"), "undo")
				m.Undo("supersede")
				m.Begin(day("2025-02-03"), "undo again")
				if code := m.Undo("supersede"); code != memory.Conflict {
					panic("undone twice: " + code)
				}
				m.Begin(day("2025-02-04"), "undo of the first")
				if code := m.Undo("a"); code != "" {
					panic("what was changed and changed back has not changed: " + code)
				}
			},
			map[int64]span{1: {"2020-01-01", "2020-01-01", 0}, 2: {"2021-01-01", "2021-01-01", 0}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := world()
			c.play(m)
			if diff := cmp.Diff(c.want, spans(m)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestModel_ReadsBothAxes(t *testing.T) {
	t.Parallel()
	m := world()
	m.Begin(day("2025-01-01"), "a")
	_, _ = m.Claim(claim(alice, "works_at", acme, "2020-01-01", ""))
	m.Begin(day("2025-06-01"), "b")
	_, _ = m.Claim(claim(alice, "works_at", beta, "2023-01-01", ""))
	now := day("2025-07-01")
	for _, c := range []struct {
		valid, known string
		want         []int64
	}{
		{"", "", []int64{2}},
		{"2022-01-01", "", []int64{1}},
		{"2023-01-01", "", []int64{2}},
		{"2019-01-01", "", nil},
		{"", "2025-02-01", []int64{1}},
		{"2024-01-01", "2025-02-01", []int64{1}},
		{"2024-01-01", "2025-06-01", []int64{2}},
		{"", "2024-12-31", nil},
	} {
		var got []int64
		for id := range m.At(memory.AsOf{ValidAt: day(c.valid), KnownAt: day(c.known)}, now) {
			got = append(got, id)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("valid %q known %q: %s", c.valid, c.known, diff)
		}
	}
}
