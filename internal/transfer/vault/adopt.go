package vault

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"memory-graph/internal/memory"
)

// Own returns the kind and the id of a page from its frontmatter. kind is "" for a file that no export wrote, and id is
// "" for none.
func Own(data []byte) (kind, id string) {
	front, _, _, ok := Front(data)
	if !ok {
		return "", ""
	}
	if Fields(front, func(key string, value *yaml.Node, _ int) {
		switch key {
		case "memory-graph":
			kind = value.Value
		case "id":
			id = value.Value
		}
	}) != nil || !slices.Contains([]string{kindEntity, kindMemory, kindSession, kindIndex}, kind) {
		return "", ""
	}
	return kind, id
}

// find records a page of a vault that the manifest does not list.
func (x *exporting) find(file string) error {
	data, ok, err := x.d.read(file)
	if err != nil || !ok {
		return err
	}
	switch kind, id := Own(data); {
	case kind == "":
	case kind == kindSession || kind == kindIndex:
		x.turns = append(x.turns, file)
	case x.found[id] == "":
		x.found[id] = file
	}
	return nil
}

// adopt refuses a folder whose manifest is lost, because every page would be written a second time. With Force, it
// assigns the pages to the entities with their ids.
func (x *exporting) adopt(keys []string) error {
	var lost []string
	for _, key := range keys {
		if x.found[key] != "" && x.old.entries[key] == nil {
			lost = append(lost, key)
		}
	}
	files := slices.Sorted(maps.Values(x.found))
	if len(lost) == 0 && (x.known || len(files)+len(x.turns) == 0) {
		return nil
	}
	if !x.o.Force {
		return memory.Errorf(memory.Conflict, "%s has pages of a vault that no manifest lists: %s.", x.d.path,
			listed(append(files, x.turns...))).WithHint("Restore its folder %s from a backup, or export to another folder. "+
			"With --force, the pages of entities that this memory has are written anew.", ownDir)
	}
	for _, key := range lost {
		file := x.found[key]
		data, _, err := x.d.read(file)
		if err != nil {
			return err
		}
		page, _ := Parse(data)
		page.Name = page.Title
		e := &entry{Key: key, File: file, Hash: hashed(data), Stem: stemOf(page.Title), Page: &page}
		x.old.entries[key], x.hashes[file] = e, e.Hash
		x.free(file)
	}
	for _, file := range x.turns {
		x.stale = append(x.stale, file)
		x.free(file)
	}
	return nil
}

// keep copies a person's own fields and sections from a page that is overwritten.
func (x *exporting) keep(e *entry, hash string) error {
	if e.Page == nil || hash == "" {
		return nil
	}
	data, _, err := x.d.read(e.File)
	if err != nil {
		return err
	}
	page, _ := Parse(data)
	e.Page.Fields, e.Page.Sections = page.Fields, page.Sections
	return nil
}

// free makes the name of a file available for a page.
func (x *exporting) free(file string) {
	delete(x.names.taken, fold(file))
	delete(x.names.taken, fold(stem(file)))
}
