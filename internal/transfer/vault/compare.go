package vault

import (
	"cmp"
	"maps"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// compare finds the changes, and decides which of them can be applied.
func (v *viewing) compare() {
	for _, file := range slices.Sorted(maps.Keys(v.leaves)) {
		l := v.leaves[file]
		switch {
		case l.base == nil:
			v.added(l)
		case v.into[l.base.Key] == "":
			v.changed(l)
		}
	}
	for _, e := range v.gone {
		if _, merged := v.into[e.Key]; !merged {
			v.change(&Change{Kind: EntityRemoved, File: e.File, Name: e.Page.Name, id: e.Page.ID,
				within: &leaf{file: e.File, base: e, page: *e.Page}})
		}
	}
	slices.SortStableFunc(v.Changes, func(a, b *Change) int {
		return slices.Index(order, a.Kind) - slices.Index(order, b.Kind)
	})
	for _, c := range v.Changes {
		c.State = Open
		v.settle(c)
	}
	slices.SortStableFunc(v.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

func (v *viewing) change(c *Change) {
	if c.id.Num != 0 {
		c.Entity = c.id.String()
	}
	v.Changes = append(v.Changes, c)
}

// merges finds the pages that a person merged: a page names another in `merge`, or a page is gone and another has its
// name as a new alias or all of its facts.
func (v *viewing) merges() {
	for _, file := range slices.Sorted(maps.Keys(v.leaves)) {
		l := v.leaves[file]
		if l.base == nil {
			continue
		}
		for _, name := range l.page.Merge {
			target, _, ok := link(name)
			if !ok {
				target = oneLine(name)
			}
			from := v.m.entries[v.stems[fold(target)]]
			if from == nil || from.Page == nil || from.Key == l.base.Key {
				v.problem(file, l.page.Lines["merge"], "merge: "+target+" is no other page of the vault")
				l.bad = true
				continue
			}
			v.merge(from, l, l.page.Lines["merge"])
		}
		for _, gone := range v.gone {
			if v.took(l, gone) {
				v.merge(gone, l, l.page.Lines["aliases"])
			}
		}
	}
}

func (v *viewing) merge(from *entry, l *leaf, line int) {
	if _, done := v.into[from.Key]; done {
		return
	}
	v.into[from.Key] = l.base.Key
	v.change(&Change{Kind: Merged, File: l.file, Line: line, Name: l.base.Page.Name, Was: from.Page.Name,
		Is: l.base.Page.Name, id: from.Page.ID, into: l.base.Page.ID, within: l})
}

// took reports whether a page has taken over the name, or all facts, of a page that is gone.
func (v *viewing) took(l *leaf, gone *entry) bool {
	name := memory.Canonical(gone.Page.Name)
	if slices.Contains(l.page.Aliases, name) && !slices.Contains(l.base.Page.Aliases, name) {
		return true
	}
	for _, f := range gone.Page.Facts {
		if _, ok := l.page.fact(f.ID); !ok {
			return false
		}
	}
	return len(gone.Page.Facts) > 0
}

func (v *viewing) added(l *leaf) {
	p := l.page
	if memory.Canonical(p.Name) == "" {
		v.problem(l.file, 0, "the page has no name")
		return
	}
	p.Type = cmp.Or(graph.Snake(p.Type), memory.DefaultType)
	l.page = p
	v.change(&Change{Kind: EntityAdded, File: l.file, Line: 1, Name: p.Name, Is: p.Type, page: &p, within: l})
	for _, f := range p.Facts {
		f.ID = 0
		v.change(&Change{Kind: FactAdded, File: l.file, Line: f.Line, Name: p.Name, Is: f.words(), is: f, within: l})
	}
}

// changed finds the changes of one page.
func (v *viewing) changed(l *leaf) {
	was, is := l.base.Page, l.page
	add := func(kind Kind, field, from, to string) {
		v.change(&Change{Kind: kind, File: l.file, Line: is.Lines[field], Name: was.Name, Was: from, Is: to, id: was.ID,
			within: l})
	}
	if name := v.renamed(l); name != "" {
		add(Renamed, "title", was.Name, name)
	}
	if _, given := is.Lines["type"]; given && graph.Snake(is.Type) != was.Type && is.Type != was.Type {
		add(TypeChanged, "type", was.Type, graph.Snake(is.Type))
	}
	if is.Description != was.Description {
		add(DescriptionChanged, "", was.Description, is.Description)
	}
	if _, given := is.Lines["confidence"]; given && is.Confidence != was.Confidence {
		add(ConfidenceChanged, "confidence", was.Confidence, is.Confidence)
	}
	for _, i := range is.Info {
		if !slices.Contains(was.Info, i) {
			v.problem(l.file, is.Lines[i.Key], "the field "+i.Key+" cannot be changed here")
			l.bad = true
		}
	}
	if is.Lines["id"] != 0 { // otherwise the frontmatter is lost
		v.aliases(l, add)
	}
	added, removed := differ(was.Observations, is.Observations)
	for _, o := range removed {
		add(ObservationRemoved, "", o, "")
	}
	for _, o := range added {
		add(ObservationAdded, "", "", o)
	}
	v.facts(l)
}

// renamed returns the new name of a page, from the title, else the heading, else the file; "" if the name is unchanged.
func (v *viewing) renamed(l *leaf) string {
	was, is := l.base.Page, l.page
	title, heading := is.Title, is.Heading
	if title == cmp.Or(was.Title, was.Name) {
		title = ""
	}
	if heading == cmp.Or(was.Heading, was.Name) {
		heading = ""
	}
	switch {
	case title != "" && heading != "" && title != heading:
		v.problem(l.file, is.Lines["title"], "the title and the heading have two new names")
		l.bad = true
		return ""
	case title != "" || heading != "":
		if name := cmp.Or(title, heading); name != was.Name {
			return name
		}
		return ""
	}
	if file := stem(l.file); file != stem(l.base.File) && file != stemOf(was.Name) {
		return oneLine(file)
	}
	return ""
}

func (v *viewing) aliases(l *leaf, add func(kind Kind, field, from, to string)) {
	added, removed := differ(l.base.Page.Aliases, l.page.Aliases)
	merged := map[string]bool{memory.Canonical(l.base.Page.Name): true}
	for from, into := range v.into {
		if into == l.base.Key {
			merged[memory.Canonical(v.m.entries[from].Page.Name)] = true
		}
	}
	for _, a := range removed {
		add(AliasRemoved, "aliases", a, "")
	}
	for _, a := range added {
		if !merged[a] {
			add(AliasAdded, "aliases", "", a)
		}
	}
}

// differ returns what was added to a list and removed from it, with repetitions.
func differ(was, is []string) (added, removed []string) {
	count := map[string]int{}
	for _, s := range was {
		count[s]++
	}
	for _, s := range is {
		if count[s]--; count[s] < 0 {
			added = append(added, s)
		}
	}
	for _, s := range slices.Backward(was) {
		if count[s] > 0 {
			count[s]--
			removed = append(removed, s)
		}
	}
	slices.Reverse(removed)
	return added, removed
}
