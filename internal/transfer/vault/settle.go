package vault

import (
	"fmt"
	"slices"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// settle compares three versions of a changed item: the export, the page, and the present memory. If the memory already
// has the change, nothing is done. If the memory changed differently, the change is a conflict and the memory stays.
func (v *viewing) settle(c *Change) {
	if c.id.Num == 0 { // a new page
		return
	}
	here, ok := v.now[c.id.Num]
	if !ok {
		if c.Kind == EntityRemoved || c.Kind == Merged {
			c.State = Known
			return
		}
		c.conflict("%s is no longer in the memory", c.id)
		return
	}
	now := v.pageNow(here)
	base := c.within.base.Page
	field := func(was, is, now string) {
		switch now {
		case is:
			c.State = Known
		case was:
		default:
			c.conflict("the memory says %q since the export", short(now))
		}
	}
	has := func(list []string, s string) bool { return slices.Contains(list, s) }
	known := func(so bool) {
		if so {
			c.State = Known
		}
	}
	switch c.Kind {
	case Renamed:
		field(c.Was, c.Is, now.Name)
	case TypeChanged:
		field(c.Was, c.Is, now.Type)
	case DescriptionChanged:
		field(c.Was, c.Is, now.Description)
	case ConfidenceChanged:
		field(c.Was, c.Is, now.Confidence)
	case AliasAdded:
		known(has(now.Aliases, c.Is) || memory.Canonical(now.Name) == c.Is)
	case AliasRemoved:
		known(!has(now.Aliases, c.Was))
	case ObservationAdded:
		known(has(now.Observations, c.Is))
	case ObservationRemoved:
		known(!has(now.Observations, c.Was))
	case Merged:
		if _, ok := v.now[c.into.Num]; !ok {
			c.conflict("%s is no longer in the memory", c.into)
		}
	case EntityRemoved:
		if why := differs(*base, now); why != "" {
			c.conflict("%s since the export", why)
		}
	case FactAdded:
		for _, f := range now.Facts {
			known(f.same(c.is) && f.Ended == c.is.Ended && (c.is.Since == "" || c.is.Since == f.Since) &&
				(c.is.Until == "" || c.is.Until == f.Until))
		}
	default:
		v.settleFact(c, now)
	}
}

func (c *Change) conflict(format string, args ...any) {
	c.State, c.Why = Conflict, fmt.Sprintf(format, args...)
}

// settleFact is settle for a change of a fact that the memory had.
func (v *viewing) settleFact(c *Change, now Page) {
	if c.was.ID == 0 { // a person's line that an import has read
		for _, f := range now.Facts {
			if f.same(c.was) && f.Ended == c.was.Ended {
				c.was.ID = f.ID
				break
			}
		}
	}
	f, ok := now.fact(c.was.ID)
	unchanged := ok && f.same(c.was) && f.Since == c.was.Since && f.Until == c.was.Until && f.Ended == c.was.Ended
	switch {
	case !ok && (c.Kind == FactRemoved || c.Kind == FactCorrected):
		c.State = Known
		if c.Kind == FactCorrected && !slices.ContainsFunc(now.Facts, c.is.same) {
			c.conflict("the fact was removed since the export")
		}
	case !ok && slices.ContainsFunc(now.Facts, func(f Fact) bool {
		return f.same(c.is) && f.Ended == c.is.Ended && f.Since == c.is.Since && f.Until == c.is.Until
	}):
		c.State = Known
	case !ok:
		c.conflict("the fact was removed since the export")
	case unchanged:
	case f.same(c.is) && f.Ended == c.is.Ended && (c.is.Until == "" && c.is.Ended || f.Until == c.is.Until) &&
		f.Since == c.is.Since:
		c.State = Known
	default:
		c.conflict("the memory says %q since the export", f.words())
	}
}

// pageNow returns the page that an export would write now.
func (r *Reading) pageNow(e store.VaultEntity) Page {
	return pageOf(e, r.at, func(id int64, name string) string {
		for _, kind := range []memory.Kind{memory.KindEntity, memory.KindMemory} {
			if old := r.m.entries[memory.ID{Kind: kind, Num: id}.String()]; old != nil {
				return stem(old.File)
			}
		}
		return stemOf(name) // newer than the export
	}, func(int64) string { return "" })
}

// differs describes what the memory has and the page had not; "" for nothing.
func differs(was, now Page) string {
	switch {
	case was.Name != now.Name:
		return fmt.Sprintf("it was renamed to %s", now.Name)
	case was.Description != now.Description || !slices.Equal(was.Observations, now.Observations):
		return "its text changed"
	}
	for _, f := range now.Facts {
		if old, ok := was.fact(f.ID); !ok || old.words() != f.words() {
			return fmt.Sprintf("the fact %s came", f.words())
		}
	}
	return ""
}
