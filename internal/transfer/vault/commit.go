package vault

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

func confidenceOf(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64) // checked when the page was read
	return v
}

// Commit records in the manifest which pages were read completely. The next export may write these pages again, and the
// next import compares with their present content. The entry of an incompletely read page stays as it was.
func (r *Reading) Commit() error {
	d, err := openFolder(r.dir, false)
	if err != nil {
		return err
	}
	defer d.close()
	left := map[*leaf]bool{}
	for _, c := range r.Changes {
		done := c.State == Applied || c.State == Known
		switch {
		case !done:
			left[c.within] = true
			if e := c.within.base; c.Kind == EntityRemoved && c.State != Untrust && c.State != Failed {
				e.Hash = "" // the memory keeps it, so the next export writes it again
			} else if c.Kind == EntityRemoved {
				e.Left = noFile
			}
		case c.Kind == EntityRemoved:
			delete(r.m.entries, c.Entity)
		}
		if c.Kind == Merged && done { // the file of the other page is no longer one of an entity
			if e := r.m.entries[c.Entity]; e != nil {
				r.inherit(c.within, e)
				if c.State == Applied {
					r.remember(e, e)
				}
				e.Page = nil
				for _, l := range r.leaves {
					if l.base == e {
						e.Hash = l.hash
					}
				}
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(r.leaves)) {
		l := r.leaves[file]
		if l.bad || left[l] {
			if e := l.base; e != nil && e.File == l.file {
				e.Left = l.hash
			}
			continue
		}
		if l.base == nil && l.made.Num == 0 || l.base != nil && l.base.Page == nil {
			continue
		}
		r.commit(l)
	}
	for e, hash := range r.unread {
		e.Left = hash
	}
	return d.save(r.m, slices.Sorted(maps.Keys(r.m.entries)))
}

// inherit gives a page a person's own sections from a page that was merged into it.
func (r *Reading) inherit(into *leaf, from *entry) {
	page := from.Page
	if page == nil || slices.Contains(r.gone, from) {
		return
	}
	for _, l := range r.leaves {
		if l.base == from {
			page = &l.page
		}
	}
	into.page.Sections = strings.TrimSpace(into.page.Sections + "\n\n" + page.Sections)
}

// commit makes a page that was read completely the base of the next comparison.
func (r *Reading) commit(l *leaf) {
	p := l.page
	e := &entry{File: l.file, Hash: l.hash, Page: &p}
	if l.base != nil {
		p.ID, p.Name, p.Info = l.base.Page.ID, l.base.Page.Name, l.base.Page.Info
		if p.Lines["id"] == 0 { // the frontmatter is lost
			p.Aliases = l.base.Page.Aliases
		}
		if p.Lines["type"] == 0 {
			p.Type = l.base.Page.Type
		}
		if p.Lines["confidence"] == 0 {
			p.Confidence = l.base.Page.Confidence
		}
	} else {
		p.ID = l.made
	}
	applied := false
	for _, c := range r.Changes {
		if c.within != l {
			continue
		}
		applied = applied || c.State == Applied
		if c.Kind == Renamed {
			p.Name = c.Is
		}
		for i := range p.Facts {
			if p.Facts[i].Line == c.is.Line && c.is.Line != 0 {
				p.Facts[i].ID = c.is.ID
			}
		}
	}
	for i, f := range p.Facts {
		if to := r.leaves[f.ToPage]; to != nil && to.made.Num != 0 {
			p.Facts[i].To = to.made.String()
		}
	}
	e.Key, e.Stem = p.ID.String(), stemOf(p.Name)
	if l.base != nil && stem(l.file) == stem(l.base.File) { // else a person has named the file
		e.Stem = l.base.Stem
	}
	if old := r.m.entries[e.Key]; old != nil && old.File != e.File && l.base == nil {
		return // the entity has a page already; the next export names this one
	}
	if applied {
		r.remember(e, r.m.entries[e.Key])
	}
	r.m.entries[e.Key] = e
}

// remember records in an entry its state before this import.
func (r *Reading) remember(e, was *entry) {
	before := entry{}
	if was != nil {
		before = *was
	}
	e.Call, e.Before = r.call, &before
}
