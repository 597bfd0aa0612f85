package vault

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// turnsAPage is the maximum number of turns on one page; a longer session has several pages.
const turnsAPage = 500

// sheet is a page of turns.
type sheet struct {
	session string
	day     time.Time // of its first turn
	key     string
	file    string
	turns   []int64
}

// places records the pages of turns.
type places struct {
	sheets []sheet
	at     map[int64]int // sheet of each turn
}

// of returns the place of a turn in the form of a link, "" if it has none.
func (p places) of(turn int64) string {
	i, ok := p.at[turn]
	if !ok {
		return ""
	}
	return stem(p.sheets[i].file) + "#^" + memory.EpisodeID(turn).String()
}

// place gives every turn its page.
func (x *exporting) place(ctx context.Context, r *store.VaultReader) error {
	p := places{at: map[int64]int{}}
	parts := 0
	if err := r.Turns(ctx, func(t store.VaultTurn) error {
		day := t.At.UTC().Truncate(24 * time.Hour)
		last := len(p.sheets) - 1
		same := last >= 0 && p.sheets[last].session == t.Session && (t.Session != "" || p.sheets[last].day.Equal(day))
		if !same {
			parts = 0
		}
		if !same || len(p.sheets[last].turns) == turnsAPage {
			parts++
			key := "session " + t.Session
			if t.Session == "" {
				key = "day " + day.Format(time.DateOnly)
			}
			p.sheets = append(p.sheets, sheet{session: t.Session, day: day, key: fmt.Sprintf("%s#%d", key, parts)})
			last++
		}
		p.sheets[last].turns = append(p.sheets[last].turns, t.ID)
		p.at[t.ID] = last
		return nil
	}); err != nil {
		return err
	}
	for i := range p.sheets {
		s := &p.sheets[i]
		if e := x.old.entries[s.key]; e != nil && (x.left[s.key] || !x.names.taken[fold(stem(e.File))]) {
			s.file = e.File
			x.names.taken[fold(stem(e.File))] = true
		}
	}
	for i := range p.sheets {
		if s := &p.sheets[i]; s.file == "" {
			want := s.day.Format(time.DateOnly)
			if s.session != "" {
				want = stemOf(want + " " + clip(oneLine(s.session), stemBytes/2))
			}
			_, part, _ := strings.Cut(s.key[strings.LastIndexByte(s.key, '#'):], "#")
			if part != "1" {
				want += " part " + part
			}
			s.file = path.Join(sessionsDir, x.names.choose(sessionsDir, want, "2")+ext)
		}
	}
	x.places = p
	return nil
}

// sessions writes the pages of turns.
func (x *exporting) sessions(ctx context.Context, r *store.VaultReader) error {
	var b bytes.Buffer
	for _, s := range x.places.sheets {
		b.Reset()
		renderSession(&b, s.session, s.day)
		for part := range slices.Chunk(s.turns, 100) {
			list, err := r.Episodes(ctx, part)
			if err != nil {
				return err
			}
			for _, e := range list {
				renderTurn(&b, e)
			}
		}
		x.out.Sessions++
		if err := x.put(entry{Key: s.key, File: s.file}, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// indexFile returns the file of the index.
func (x *exporting) indexFile() string {
	if e := x.old.entries["index"]; e != nil {
		return e.File
	}
	file := indexStem + ext
	for x.names.taken[fold(file)] {
		file = strings.TrimSuffix(file, ext) + " (2)" + ext
	}
	return file
}

// index returns the page that leads to all others.
func (x *exporting) index() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "---\nmemory-graph: %s\n---\n\n# Memory of the namespace %s\n", kindIndex,
		escape(oneLine(x.o.Namespace)))
	slices.SortStableFunc(x.list, func(a, b listing) int { return strings.Compare(a.typ, b.typ) })
	for i, l := range x.list {
		if i == 0 || l.typ != x.list[i-1].typ {
			fmt.Fprintf(&b, "\n## %s\n\n", escape(l.typ))
		}
		fmt.Fprintf(&b, "- %s\n", linkTo(l.stem, l.label))
	}
	if len(x.places.sheets) > 0 {
		b.WriteString("\n## sessions\n\n")
	}
	sheets := slices.Clone(x.places.sheets)
	slices.SortStableFunc(sheets, func(a, b sheet) int { return b.day.Compare(a.day) })
	for _, s := range sheets {
		fmt.Fprintf(&b, "- [[%s]]\n", stem(s.file))
	}
	return b.Bytes()
}
