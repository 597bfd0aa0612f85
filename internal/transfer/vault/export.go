package vault

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"path"
	"slices"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Source reads one state of a namespace; *store.Store is one.
type Source interface {
	Vault(ctx context.Context, namespace string, read func(*store.VaultReader) error) error
}

// ExportOptions say what to export, and how.
type ExportOptions struct {
	Namespace string
	Now       time.Time
	Force     bool     // overwrites and removes pages that people changed since the last export
	Overwrite []string // files of pages that are written although people changed them
	Progress  func(pages int)
}

// ExportReport counts what an export did.
type ExportReport struct {
	Pages     int `json:"pages"`     // of the vault now
	Entities  int `json:"entities"`  // of them, of entities and memories
	Sessions  int `json:"sessions"`  // of them, of turns
	Written   int `json:"written"`   // new ones and those that changed
	Unchanged int `json:"unchanged"` // not touched
	Renamed   int `json:"renamed"`   // of the written ones
	Removed   int `json:"removed"`

	// Left has files that stay as people changed them: an import left something out, or the entity is gone but the page
	// has a person's own fields or sections.
	Left []string `json:"left"`
}

// Export writes a namespace into a folder. In a folder with an earlier export it writes only what has changed. The
// error is Conflict if people changed pages since, or if the folder is the vault of another namespace.
func Export(ctx context.Context, from Source, dir string, o ExportOptions) (ExportReport, error) {
	d, err := openFolder(dir, true)
	if err != nil {
		return ExportReport{}, err
	}
	defer d.close()
	x := &exporting{d: d, o: o, names: names{taken: map[string]bool{}}, files: map[string]bool{},
		keys: map[string]bool{}, hashes: map[string]string{}, left: map[string]bool{}, found: map[string]string{},
		page: map[int64]string{}}
	x.out.Left = []string{}
	if err := x.look(ctx, from); err != nil {
		return ExportReport{}, err
	}
	defer func() {
		if x.next != nil {
			_ = x.next.f.Close() // the manifest was written and closed before
		}
	}()
	err = from.Vault(ctx, o.Namespace, func(r *store.VaultReader) error { return x.run(ctx, r) })
	return x.out, err
}

// exporting is the state of an export.
type exporting struct {
	d      *folder
	o      ExportOptions
	old    *manifest
	hashes map[string]string // present hashes of the files of the manifest, by path
	left   map[string]bool   // keys of pages that stay as people changed them
	known  bool              // the folder has a manifest
	found  map[string]string // by id: pages of a vault that the manifest does not list
	turns  []string          // the same of other pages
	names  names
	next   *journal
	files  map[string]bool  // folded paths of the vault as it will be
	keys   map[string]bool  // of its pages
	stale  []string         // files of pages under earlier names, left by an interrupted export
	page   map[int64]string // the file of each node's page
	places places
	list   []listing
	out    ExportReport
}

// look reads the manifest and the folder, and refuses to overwrite what people changed.
func (x *exporting) look(ctx context.Context, from Source) (err error) {
	if x.old, x.known, err = x.d.manifest(); err != nil {
		return err
	}
	if err := x.old.revert(ctx, from); err != nil {
		return err
	}
	if x.known && x.old.namespace != x.o.Namespace {
		return memory.Errorf(memory.Conflict, "%s is the vault of the namespace %q, not of %q.", x.d.path, x.old.namespace,
			x.o.Namespace).WithHint("Export to another folder, or name that namespace with --namespace.")
	}
	ours, stale := x.old.files(), x.old.stale()
	for _, file := range x.o.Overwrite {
		if e := ours[fold(file)]; e == nil || e.File != file {
			return memory.Errorf(memory.InvalidArgument, "%q is not a page of the vault.", file).
				WithHint("Name a page by its path in the vault, such as Entities/Ann.md.")
		}
	}
	if err := x.d.walk(ctx, func(file string) error {
		if ours[fold(file)] != nil {
			return nil
		}
		if was, ok := stale[file]; ok {
			hash, err := x.d.hashOf(file)
			if err != nil || hash == was {
				x.stale = append(x.stale, file)
				return err
			}
		}
		if err := x.find(file); err != nil {
			return err
		}
		x.names.taken[fold(file)], x.names.taken[fold(stem(file))] = true, true
		return nil
	}); err != nil {
		return err
	}
	x.names.taken[fold(indexStem)] = true
	var edited []string
	for _, key := range slices.Sorted(maps.Keys(x.old.entries)) {
		e := x.old.entries[key]
		hash, err := x.d.hashOf(e.File)
		if err != nil {
			return err
		}
		x.hashes[e.File] = hash
		switch {
		case hash == e.Hash || hash == "" && e.Page == nil:
		case x.o.Force || slices.Contains(x.o.Overwrite, e.File):
			if err := x.keep(e, hash); err != nil {
				return err
			}
		case e.Left != "" && e.Left == cmp.Or(hash, noFile):
			x.left[key] = true
			x.out.Left = append(x.out.Left, e.File)
		default:
			edited = append(edited, e.File)
		}
	}
	if len(edited) > 0 {
		return memory.Errorf(memory.Conflict, "People changed %d of the pages since the last export: %s.", len(edited),
			listed(edited)).WithHint("Read them first with `memory-graph import %s`, or add --force to lose the changes.",
			x.d.path)
	}
	x.old.namespace = x.o.Namespace // a new vault
	return nil
}

func (x *exporting) run(ctx context.Context, r *store.VaultReader) (err error) {
	ids, err := x.assign(ctx, r)
	if err != nil {
		return err
	}
	if err := x.d.save(x.old, slices.Sorted(maps.Keys(x.old.entries))); err != nil {
		return err
	}
	if x.next, err = x.d.journal(x.o.Namespace); err != nil {
		return err
	}
	if err := x.place(ctx, r); err != nil {
		return err
	}
	if err := r.Entities(ctx, ids, func(e store.VaultEntity) error { return x.entity(e) }); err != nil {
		return err
	}
	if err := x.sessions(ctx, r); err != nil {
		return err
	}
	if err := x.put(entry{Key: "index", File: x.indexFile()}, x.index()); err != nil {
		return err
	}
	if err := x.clear(); err != nil {
		return err
	}
	return x.d.adopt(x.next)
}

// listing is what the index says of a page.
type listing struct{ stem, typ, file, label string }

// assign gives every node its file: the previous one if its name is the same, else an unused one.
func (x *exporting) assign(ctx context.Context, r *store.VaultReader) (ids []int64, err error) {
	type node struct {
		id        memory.ID
		want, typ string
		name      string
	}
	var all []node
	if err := r.Names(ctx, func(id memory.ID, name, typ string) error {
		all, ids = append(all, node{id, stemOf(name), oneLine(typ), name}), append(ids, id.Num)
		return nil
	}); err != nil {
		return nil, err
	}
	keys := make([]string, len(all))
	for i, n := range all {
		keys[i] = n.id.String()
	}
	if err := x.adopt(keys); err != nil {
		return nil, err
	}
	for key := range x.left {
		x.names.taken[fold(stem(x.old.entries[key].File))] = true
	}
	kept := make([]string, len(all))
	for i, n := range all {
		e := x.old.entries[n.id.String()]
		if x.left[n.id.String()] {
			kept[i] = e.File
			continue
		}
		if e == nil || e.Stem != n.want || x.names.taken[fold(stem(e.File))] {
			continue
		}
		kept[i] = e.File
		x.names.taken[fold(stem(e.File))] = true
	}
	for i, n := range all {
		file := kept[i]
		if file == "" {
			dir := Page{ID: n.id}.dir()
			if e := x.old.entries[n.id.String()]; e != nil { // a person may have moved it
				dir = path.Dir(e.File)
			}
			file = path.Join(dir, x.names.choose(dir, n.want, n.id.String())+ext)
		}
		x.page[n.id.Num] = file
		if n.id.Kind == memory.KindMemory {
			n.typ = "memory"
		}
		x.list = append(x.list, listing{stem(file), n.typ, file, label(n.name, stem(file))})
	}
	return ids, nil
}

func (x *exporting) entity(e store.VaultEntity) error {
	p := pageOf(e, x.o.Now, func(id int64, _ string) string {
		if file, ok := x.page[id]; ok {
			return stem(file)
		}
		return ""
	}, x.places.of)
	if old := x.old.entries[p.ID.String()]; old != nil && old.Page != nil {
		p.Fields, p.Sections = old.Page.Fields, old.Page.Sections
	}
	x.out.Entities++
	return x.put(entry{Key: p.ID.String(), File: x.page[e.ID], Stem: stemOf(e.Name), Page: &p}, Render(p))
}

// put writes a page unless the file already has this content.
func (x *exporting) put(e entry, data []byte) error {
	old := x.old.entries[e.Key]
	if x.left[e.Key] {
		e.File = old.File
	}
	e.Hash = hashed(data)
	x.files[fold(e.File)], x.keys[e.Key] = true, true
	x.out.Pages++
	if x.o.Progress != nil {
		x.o.Progress(x.out.Pages)
	}
	if x.left[e.Key] {
		return x.next.line(old)
	}
	if old != nil {
		e.Stale = map[string]string{}
		for _, file := range x.stale {
			if hash, ok := old.Stale[file]; ok {
				e.Stale[file] = hash
			}
		}
		if old.File != e.File && x.hashes[old.File] != "" {
			e.Stale[old.File] = x.hashes[old.File]
		}
	}
	if err := x.next.line(e); err != nil {
		return err
	}
	if old != nil && old.File != e.File && x.hashes[old.File] != "" {
		x.out.Renamed++
		if fold(old.File) == fold(e.File) { // otherwise the new file could be removed under its old name
			if err := x.d.root.Rename(old.File, e.File); err != nil {
				return x.d.failed("rename", old.File, err)
			}
			x.hashes[e.File] = x.hashes[old.File]
		}
	}
	if x.hashes[e.File] == e.Hash {
		x.out.Unchanged++
		return nil
	}
	if err := x.next.w.Flush(); err != nil {
		return x.d.failed("write", nextFile, err)
	}
	x.out.Written++
	x.hashes[e.File] = "" // the earlier content has been replaced
	return x.d.write(e.File, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(data))
		return err
	})
}

// clear removes the files of the old manifest that are no longer part of the vault.
func (x *exporting) clear() error {
	for _, key := range slices.Sorted(maps.Keys(x.old.entries)) {
		e := x.old.entries[key]
		if x.left[key] && !x.keys[key] { // it is gone from the memory, and a person changed it
			if err := x.next.line(e); err != nil {
				return err
			}
			continue
		}
		if x.files[fold(e.File)] || x.hashes[e.File] == "" {
			continue
		}
		if e.Page != nil && !x.keys[key] && e.Page.Fields+e.Page.Sections != "" { // a person's part stays
			x.out.Left = append(x.out.Left, e.File)
			if err := x.next.line(e); err != nil {
				return err
			}
			continue
		}
		if err := x.d.remove(e.File); err != nil {
			return err
		}
		if !x.keys[key] {
			x.out.Removed++
		}
	}
	for _, file := range x.stale {
		if x.files[fold(file)] {
			continue
		}
		if err := x.d.remove(file); err != nil {
			return err
		}
	}
	return nil
}
