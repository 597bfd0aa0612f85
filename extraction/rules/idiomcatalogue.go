package rules

import (
	"slices"
	"strings"
	"sync"
)

// catalogue holds all idioms that are read, ready to be chosen by the words of a sentence.
type catalogue struct {
	idioms []idiom
	of     map[string][]int  // the idioms that have a word or a verb as the one to look for, by their position
	ids    map[string]uint16 // every word of which some idiom needs one, by number
	needs  [][][]uint16      // by idiom: of each part that it cannot do without, the words, of which one is enough
}

// idiomsRead gives the catalogue, made when it is first asked for: a process that extracts nothing does not wait for it.
var idiomsRead = sync.OnceValue(func() *catalogue {
	c := &catalogue{of: map[string][]int{}, ids: map[string]uint16{}}
	for _, table := range []string{idiomsOfTasks, idiomsOfWork, idiomsOfPeople, idiomsOfUse, idiomsOfNeed, idiomsOfChoice, idiomsOfChange, idiomsOfMaking, idiomsOfNotes} {
		for line := range strings.Lines(table) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '/' {
				continue
			}
			for w := range parseIdiom(line, &c.idioms) {
				c.of[w] = append(c.of[w], len(c.idioms)-1)
			}
			c.needs = append(c.needs, c.number(&c.idioms[len(c.idioms)-1]))
		}
	}
	return c
})

// number gives the words that an idiom needs, by their numbers.
func (c *catalogue) number(d *idiom) (needs [][]uint16) {
	for i := range d.parts {
		p := &d.parts[i]
		if p.optional || len(p.words) == 0 || p.words["$"] {
			continue
		}
		var ids []uint16
		for w := range p.words {
			id, ok := c.ids[w]
			if !ok {
				id = uint16(len(c.ids))
				c.ids[w] = id
			}
			ids = append(ids, id)
		}
		needs = append(needs, ids)
	}
	return needs
}

// candidates gives the idioms that have all the words that they need in the sentence, by position.
func (c *catalogue) candidates(s *sentence) []int {
	has := make([]bool, len(c.ids))
	var words []string
	see := func(w string) {
		if id, ok := c.ids[w]; ok && !has[id] {
			has[id] = true
			words = append(words, w)
		}
	}
	for _, t := range s.t {
		see(t.lower)
		if t.kind != wordToken {
			continue
		}
		if auxiliaries[t.lower] || t.lower == "'s" {
			see("be")
			see("have")
			see("do")
		}
		if v, ok := verbForms[t.lower]; ok {
			see(v.lemma)
		}
	}
	var out []int
	for _, w := range words {
		for _, i := range c.of[w] {
			if met(c.needs[i], has) {
				out = append(out, i)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// met says whether the sentence has a word of each part.
func met(needs [][]uint16, has []bool) bool {
	for _, ids := range needs {
		if !slices.ContainsFunc(ids, func(id uint16) bool { return has[id] }) {
			return false
		}
	}
	return true
}
