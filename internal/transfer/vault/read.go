package vault

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Reading is what people changed in a vault since it was exported.
type Reading struct {
	Namespace string    `json:"namespace"`
	Pages     int       `json:"pages"`   // of the vault
	Edited    int       `json:"edited"`  // of them, whose files differ from what was written
	Others    int       `json:"others"`  // Markdown files of the folder that are no pages
	Changes   []*Change `json:"changes"` // in the order in which they are applied
	Problems  []Problem `json:"problems"`

	dir    string
	m      *manifest
	leaves map[string]*leaf // by file: pages that were parsed
	gone   []*entry         // pages without a file
	now    map[int64]store.VaultEntity
	at     time.Time
	unread map[*entry]string // by entry: the hash of a file that was not read
	call   string            // that applied the changes
}

// leaf is a page that was parsed.
type leaf struct {
	file string
	hash string
	base *entry // nil for a page that a person made
	page Page
	bad  bool // it has problems, so the next export must not overwrite it
	made memory.ID
}

// name returns the name of the page's entity.
func (l *leaf) name() string {
	if l.base != nil {
		return l.base.Page.Name
	}
	return l.page.Name
}

// Read compares a vault with its last export and with the present memory. It writes nothing. The error is Conflict if
// it is the vault of another namespace.
func Read(ctx context.Context, from Source, dir, namespace string, now time.Time) (*Reading, error) {
	d, err := openFolder(dir, false)
	if err != nil {
		return nil, err
	}
	defer d.close()
	r := &Reading{Namespace: namespace, Changes: []*Change{}, Problems: []Problem{}, dir: dir, leaves: map[string]*leaf{},
		now: map[int64]store.VaultEntity{}, at: now, unread: map[*entry]string{}}
	var ok bool
	if r.m, ok, err = d.manifest(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, memory.Errorf(memory.InvalidArgument, "%s is not a vault: it has no manifest.", dir).
			WithHint("Export to it with `memory-graph export --format markdown %s`.", dir)
	}
	if r.m.namespace != namespace {
		return nil, memory.Errorf(memory.Conflict, "%s is the vault of the namespace %q, not of %q.", dir, r.m.namespace,
			namespace).WithHint("Name that namespace with --namespace.")
	}
	if err := r.m.revert(ctx, from); err != nil {
		return nil, err
	}
	v := &viewing{Reading: r, d: d, ids: map[string]*entry{}, stems: map[string]string{}, fresh: map[string]string{},
		owner: map[int64]*entry{}, into: map[string]string{}}
	if err := v.pages(ctx); err != nil {
		return nil, err
	}
	if err := from.Vault(ctx, namespace, func(s *store.VaultReader) error { return v.known(ctx, s) }); err != nil {
		return nil, err
	}
	v.compare()
	return r, nil
}

// viewing is the state of Read.
type viewing struct {
	*Reading
	d     *folder
	ids   map[string]*entry // pages of entities by key that have a file
	stems map[string]string // ids by the folded name of their page
	fresh map[string]string // files of new pages by folded name
	owner map[int64]*entry  // the page on which a fact stood
	into  map[string]string // by key: the entity into which a person merges it
}

func (r *Reading) problem(file string, line int, text string) {
	r.Problems = append(r.Problems, Problem{file, line, text})
}

// pages finds the pages of the folder.
func (v *viewing) pages(ctx context.Context) error {
	ours, stale := v.m.files(), v.m.stale()
	for _, e := range v.m.entries {
		if _, ok := e.id(); ok {
			for _, f := range e.Page.Facts {
				v.owner[f.ID] = e
			}
		}
	}
	var parsed []*leaf
	err := v.d.walk(ctx, func(file string) error {
		e := ours[fold(file)]
		hash, err := v.d.hashOf(file)
		if err != nil {
			return err
		}
		if e == nil && hash == stale[file] {
			return nil
		}
		if e != nil && hash == e.Hash {
			v.Pages++
			v.ids[e.Key] = e
			return nil
		}
		if e != nil && e.Page == nil {
			v.Pages++
			v.Edited++
			v.unread[e] = hash
			v.problem(file, 0, "what was said and the index cannot be changed here: this file is not read")
			return nil
		}
		l, err := v.parse(file, hash, e)
		if l != nil {
			parsed = append(parsed, l)
		}
		return err
	})
	if err != nil {
		return err
	}
	v.identify(parsed)
	linked := map[string]int{}
	for key, e := range v.m.entries {
		if _, ok := e.id(); !ok || v.ids[key] != nil {
			continue
		}
		if link := v.d.link(e.File); link != "" {
			v.ids[key] = e
			linked[link]++
			continue
		}
		v.gone = append(v.gone, e)
	}
	for link, pages := range linked {
		v.problem(link, 0, fmt.Sprintf("it is a link, and links are not followed: its pages (%d) are not read, and stay",
			pages))
	}
	slices.SortFunc(v.gone, func(a, b *entry) int { return strings.Compare(a.File, b.File) })
	v.adopt()
	v.link()
	v.merges()
	return nil
}

// parse reads a file that differs from what was written; nil if it is no page.
func (v *viewing) parse(file, hash string, e *entry) (*leaf, error) {
	data, ok, err := v.d.read(file)
	if err != nil {
		return nil, err
	}
	why := unreadable(data)
	if !ok {
		why = "the file is larger than 4 MiB"
	}
	if why != "" {
		if e != nil || inFolder(file) {
			v.problem(file, 0, why+", so it is not read")
		}
		if e != nil {
			v.ids[e.Key], v.unread[e] = e, hash
		}
		return nil, nil
	}
	page, problems := Parse(data)
	if e == nil && page.ID.Num == 0 && page.Kind == "" && !inFolder(file) || page.Kind == kindSession ||
		page.Kind == kindIndex {
		v.Others++
		return nil, nil
	}
	v.Pages++
	v.Edited++
	for _, p := range problems {
		v.problem(file, p.Line, p.Text)
	}
	return &leaf{file: file, hash: hash, base: e, page: page, bad: len(problems) > 0}, nil
}

// unreadable returns why a whole file cannot be read, "" if it can.
func unreadable(data []byte) string {
	if !utf8.Valid(data) {
		return "the file is not UTF-8"
	}
	text := strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff"))
	_, _, _, ok := Front(data)
	if !ok && (strings.HasPrefix(text, "memory-graph:") || strings.HasPrefix(text, "---\nmemory-graph:")) {
		return "the frontmatter does not begin and end with a line ---"
	}
	return ""
}

// inFolder reports whether a file without an id is a new page.
func inFolder(file string) bool {
	return strings.HasPrefix(file, entitiesDir+"/") || strings.HasPrefix(file, memoriesDir+"/")
}

// identify finds the entity of each page: by its id, else by its place. A copy of a page has no entity.
func (v *viewing) identify(parsed []*leaf) {
	slices.SortFunc(parsed, func(a, b *leaf) int { // files in their own place first
		own := func(l *leaf) int {
			if l.base != nil && (l.page.ID.Num == 0 || l.page.ID.String() == l.base.Key) {
				return 0
			}
			return 1
		}
		if d := own(a) - own(b); d != 0 {
			return d
		}
		return strings.Compare(a.file, b.file)
	})
	var wrong []*leaf // with an id that is not theirs
	for _, l := range parsed {
		if l.page.ID.Num != 0 {
			key := l.page.ID.String()
			e := v.m.entries[key]
			switch {
			case e == nil || e.Page == nil:
				v.problem(l.file, l.page.Lines["id"], "the vault has no page of "+key+": remove the id to make a new entity")
				wrong = append(wrong, l)
				continue
			case v.ids[key] != nil:
				v.problem(l.file, l.page.Lines["id"], key+" has its page in "+v.ids[key].File+
					" already: remove the id to make a new entity")
				wrong = append(wrong, l)
				continue
			}
			l.base = e
		}
		if l.base != nil {
			if v.ids[l.base.Key] != nil { // another file has its id
				l.base = nil
			} else {
				v.ids[l.base.Key] = l.base
				l.page.ID = l.base.Page.ID
			}
		}
		v.leaves[l.file] = l
	}
	for _, l := range wrong { // the page is there, but it cannot be read
		if e := l.base; e != nil && e.Page != nil && v.ids[e.Key] == nil {
			v.ids[e.Key], v.unread[e] = e, l.hash
		}
	}
}

// adopt matches a new page to an entry without a file that has the same name.
func (v *viewing) adopt() {
	for _, file := range slices.Sorted(maps.Keys(v.leaves)) {
		l := v.leaves[file]
		if l.base != nil {
			continue
		}
		name := memory.Canonical(newName(l))
		i := slices.IndexFunc(v.gone, func(e *entry) bool { return memory.Canonical(e.Page.Name) == name })
		if i < 0 {
			continue
		}
		l.base, l.page.ID = v.gone[i], v.gone[i].Page.ID
		v.ids[l.base.Key] = l.base
		v.gone = slices.Delete(v.gone, i, i+1)
	}
}

// newName returns the name of a page that a person made.
func newName(l *leaf) string {
	for _, name := range []string{l.page.Title, l.page.Heading} {
		if name != "" {
			return name
		}
	}
	return oneLine(stem(l.file))
}

// link resolves the targets of facts and the pages that are merged.
func (v *viewing) link() {
	for key, e := range v.m.entries { // links to old names stay valid
		if _, ok := e.id(); ok {
			v.stems[fold(stem(e.File))] = key
		}
	}
	for file, l := range v.leaves {
		if l.base != nil {
			v.stems[fold(stem(file))] = l.base.Key
		} else {
			v.fresh[fold(stem(file))] = file
			l.page.Name = newName(l)
		}
	}
	for _, l := range v.leaves {
		for i := range l.page.Facts {
			f := &l.page.Facts[i]
			if file, ok := v.fresh[fold(f.Target)]; ok {
				f.ToPage = file
			} else {
				f.To = v.stems[fold(f.Target)]
			}
		}
	}
}

// known reads the present state of the entities that the changes affect.
func (v *viewing) known(ctx context.Context, s *store.VaultReader) error {
	var ids []int64
	add := func(e *entry) {
		if id, ok := e.id(); ok {
			ids = append(ids, id.Num)
		}
	}
	for _, l := range v.leaves {
		if l.base != nil {
			add(l.base)
		}
	}
	for _, e := range v.gone {
		add(e)
	}
	for from := range v.into {
		add(v.m.entries[from])
	}
	slices.Sort(ids)
	return s.Entities(ctx, slices.Compact(ids), func(e store.VaultEntity) error {
		v.now[e.ID] = e
		return nil
	})
}
