package vault

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// The manifest lists every file that an export wrote, with its content. Only these files are ever replaced or removed,
// and only if they are unchanged since they were written or imported.
const (
	manifestFile = ownDir + "/manifest.jsonl"
	nextFile     = ownDir + "/manifest.next" // of an export that is running, or was interrupted
	version      = 1
	mostManifest = 64 << 20 // bytes of a line
)

// header is the first line of a manifest.
type header struct {
	Vault     int    `json:"memory_graph_vault"`
	Namespace string `json:"namespace"`
}

// entry is a file of the vault.
type entry struct {
	Key  string `json:"key"` // e12, m7, or for other pages what they show
	File string `json:"file"`
	Hash string `json:"hash"`           // of the file as it was written, or as an import has read it
	Stem string `json:"stem,omitempty"` // stemOf of the name; while it is unchanged, the file keeps its name
	Page *Page  `json:"page,omitempty"` // what the file says: the base of the next comparison

	// Stale has the hashes of the page's files under earlier names, until an export has removed them.
	Stale map[string]string `json:"stale,omitempty"`

	// Left is the hash of a file that an import did not read completely, or noFile. Exports do not change such a file.
	Left string `json:"left,omitempty"`

	// Call is the import that wrote the entry, and Before the entry before that, which an undo of the call restores.
	// Before has no key if the file was not listed.
	Call   string `json:"call,omitempty"`
	Before *entry `json:"before,omitempty"`
}

// noFile stands for the hash of a missing file.
const noFile = "none"

// check makes an entry from a file safe to use; ok is false if that is impossible.
func (e *entry) check() (ok bool) {
	if e.Key == "" || !local(e.File) {
		return false
	}
	for file := range e.Stale {
		if !local(file) {
			delete(e.Stale, file)
		}
	}
	if e.Page != nil {
		id, err := memory.ParseID(e.Key)
		if err != nil {
			return false
		}
		e.Page.ID = id
	}
	return e.Before == nil || e.Before.Key == "" || e.Before.check()
}

// id returns the entity or memory of a page; ok is false for other pages.
func (e *entry) id() (memory.ID, bool) {
	id, err := memory.ParseID(e.Key)
	return id, err == nil && e.Page != nil
}

type manifest struct {
	namespace   string
	entries     map[string]*entry // by key
	interrupted map[string]*entry // by key: what an interrupted export wrote or was about to write
}

// IsVault reports whether a folder has a manifest.
func IsVault(dir string) bool {
	for _, name := range []string{manifestFile, nextFile} {
		if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// manifest reads the manifest; ok is false if there is none. Files that an interrupted export wrote count as written.
func (d *folder) manifest() (m *manifest, ok bool, err error) {
	m = &manifest{entries: map[string]*entry{}, interrupted: map[string]*entry{}}
	whole, err := d.entries(manifestFile, m, m.entries)
	if err != nil {
		return nil, false, err
	}
	begun, err := d.entries(nextFile, m, m.interrupted)
	if err != nil {
		return nil, false, err
	}
	for key, e := range m.interrupted {
		old := m.entries[key]
		hash, err := d.hashOf(e.File)
		if err != nil {
			return nil, false, err
		}
		if hash == "" && old == nil { // it was about to be written
			continue
		}
		if old == nil || hash == e.Hash || hash != "" && (old.File != e.File || hash != old.Hash) {
			m.entries[key] = e
		}
	}
	return m, whole || begun, nil
}

func (d *folder) entries(name string, m *manifest, into map[string]*entry) (ok bool, err error) {
	f, err := d.root.Open(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, d.failed("read", name, err)
	}
	defer func() { _ = f.Close() }() // opened read-only
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 1<<16), mostManifest)
	damaged := memory.Errorf(memory.InvalidArgument, "The manifest %s is damaged.", filepath.Join(d.path, name)).
		WithHint("Restore the folder %s from a backup, or remove it and export with --force.", ownDir)
	for in.Scan() {
		if !ok {
			var h header
			if json.Unmarshal(in.Bytes(), &h) != nil || h.Vault != version {
				return false, memory.Errorf(memory.InvalidArgument, "%s is not a manifest that this program can read.",
					filepath.Join(d.path, name)).WithHint("A newer memory-graph may have written it: use that one.")
			}
			m.namespace, ok = h.Namespace, true
			continue
		}
		var e entry
		if json.Unmarshal(in.Bytes(), &e) != nil {
			if name == nextFile { // the last line of an export that was killed
				continue
			}
			return false, damaged
		}
		if !e.check() {
			return false, memory.Errorf(memory.InvalidArgument, "%s lists a file outside of the vault: %.100q.",
				filepath.Join(d.path, name), e.File).WithHint("Export to a new folder.")
		}
		into[e.Key] = &e
	}
	if err := in.Err(); err != nil {
		return false, d.failed("read", name, err)
	}
	if !ok && name == manifestFile {
		return false, damaged
	}
	return ok, nil
}

// revert restores the entries from before imports that have since been undone, so that the next import offers their
// edits again.
func (m *manifest) revert(ctx context.Context, from Source) error {
	calls := map[string]bool{}
	for _, e := range m.entries {
		for ; e != nil; e = e.Before {
			if e.Call != "" {
				calls[e.Call] = false
			}
		}
	}
	if len(calls) == 0 {
		return nil
	}
	return from.Vault(ctx, m.namespace, func(r *store.VaultReader) (err error) {
		for call := range calls {
			if calls[call], err = r.Undone(ctx, call); err != nil {
				return err
			}
		}
		for key := range m.entries {
			for e := m.entries[key]; e != nil && e.Before != nil && calls[e.Call]; e = m.entries[key] {
				if m.entries[key] = e.Before; e.Before.Key == "" {
					delete(m.entries, key)
				}
			}
		}
		return nil
	})
}

// files returns the listed files by folded path.
func (m *manifest) files() map[string]*entry {
	out := make(map[string]*entry, len(m.entries))
	for _, e := range m.entries {
		out[fold(e.File)] = e
	}
	return out
}

// stale returns the files of pages under earlier names, with their hashes.
func (m *manifest) stale() map[string]string {
	out := map[string]string{}
	for _, e := range m.entries {
		maps.Copy(out, e.Stale)
	}
	return out
}

// journal writes the next manifest, an entry before its file, so that an interrupted export knows what it wrote.
type journal struct {
	f *os.File
	w *bufio.Writer
}

func (d *folder) journal(namespace string) (*journal, error) {
	if err := d.root.MkdirAll(ownDir, 0o700); err != nil {
		return nil, d.failed("write", nextFile, err)
	}
	f, err := d.root.OpenFile(filepath.FromSlash(nextFile), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, d.failed("write", nextFile, err)
	}
	j := &journal{f, bufio.NewWriterSize(f, 1<<16)}
	return j, j.line(header{version, namespace})
}

// line adds a line; flush makes it durable against the death of the process.
func (j *journal) line(v any) error {
	text, err := encode(v)
	if err != nil {
		return err
	}
	_, err = j.w.Write(text)
	return err
}

// adopt makes the next manifest the one of the vault.
func (d *folder) adopt(j *journal) error {
	if err := errors.Join(j.w.Flush(), j.f.Sync(), j.f.Close()); err != nil {
		return d.failed("write", nextFile, err)
	}
	if err := d.root.Rename(filepath.FromSlash(nextFile), filepath.FromSlash(manifestFile)); err != nil {
		return d.failed("write", manifestFile, err)
	}
	return nil
}

// save replaces the manifest.
func (d *folder) save(m *manifest, order []string) error {
	return d.write(manifestFile, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		for _, v := range append([]any{header{version, m.namespace}}, values(m, order)...) {
			text, err := encode(v)
			if err != nil {
				return err
			}
			if _, err := b.Write(text); err != nil {
				return err
			}
		}
		return b.Flush()
	})
}

func values(m *manifest, order []string) []any {
	var out []any
	for _, key := range order {
		if e := m.entries[key]; e != nil {
			out = append(out, e)
		}
	}
	return out
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
