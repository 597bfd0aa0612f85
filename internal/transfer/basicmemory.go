package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// note is a page of basic-memory: an entity with observations and relations.
type note struct {
	line                        int
	title, typ, permalink, path string
	tags                        []string
	project, body               string
	at                          time.Time
	observations                []string
	links                       []noteLink
}

type noteLink struct{ relation, target, context string }

// note passes a note to the sink: a turn with its text, which is the source of its entity and its relations. titles has
// the titles of notes by permalink.
func (to Sink) note(n note, titles map[string]string) error {
	m := Message{Line: n.line, Kind: "note", Project: n.project, Role: memory.RoleAssistant, Content: n.body, At: n.at,
		Key: "basic-memory:" + cmp.Or(n.permalink, n.path), Labels: labels(memory.LabelTopic, n.tags)}
	if n.typ == "note" { // the program's word for any page
		n.typ = ""
	}
	m.Entities = []memory.EntityDraft{{Name: n.title, Type: n.typ, Notes: n.observations}}
	for _, l := range n.links {
		target := cmp.Or(titles[l.target], l.target)
		if memory.Canonical(target) == memory.Canonical(n.title) {
			to.left(1, PassedStructure)
			continue
		}
		d := memory.RelationDraft{Head: n.title, HeadType: n.typ, Tail: target, Relation: l.relation, CreateMissing: true}
		if l.context != "" {
			d.Fact = fmt.Sprintf("%s %s %s (%s)", n.title, strings.ReplaceAll(l.relation, "_", " "), target, l.context)
		}
		m.Facts = append(m.Facts, d)
	}
	if strings.TrimSpace(m.Content) == "" {
		m.Content = n.title
	}
	return to.turn(m)
}

// readBasicMemory reads the database of basic-memory.
func readBasicMemory(ctx context.Context, from Tables, to Sink) error {
	projects, notes := map[string]string{}, map[string]*note{}
	titles := map[string]string{}
	var order []string
	if err := each(ctx, from, "project", func(r record) error {
		projects[r.text("id")] = r.name("name")
		return nil
	}); err != nil {
		return err
	}
	if err := each(ctx, from, "entity", func(r record) error {
		n := &note{line: r.line(), title: r.text("title"), typ: r.text("note_type", "entity_type"),
			permalink: r.text("permalink"), path: r.text("file_path"), project: projects[r.text("project_id")],
			at: r.time("updated_at", "created_at"), tags: r.object("entity_metadata").list("tags")}
		if memory.Canonical(n.title) == "" {
			to.Problem(n.line, "a note without a title")
			return nil
		}
		id := r.text("id")
		titles[n.permalink], notes[id] = n.title, n
		order = append(order, id)
		return nil
	}); err != nil {
		return err
	}
	if err := each(ctx, from, "observation", func(r record) error {
		if n := notes[r.text("entity_id")]; n != nil {
			text := r.text("content")
			if c := r.text("category"); c != "" {
				text = "[" + c + "] " + text
			}
			if c := r.text("context"); c != "" {
				text += " (" + c + ")"
			}
			n.observations = append(n.observations, text)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := each(ctx, from, "relation", func(r record) error {
		if n := notes[r.text("from_id")]; n != nil {
			target := r.text("to_name")
			if known := notes[r.text("to_id")]; known != nil {
				target = known.title
			}
			n.links = append(n.links, noteLink{r.text("relation_type"), target, r.text("context")})
		}
		return nil
	}); err != nil {
		return err
	}
	if err := each(ctx, from, "note_content", func(r record) error {
		if n := notes[r.text("entity_id")]; n != nil {
			_, body, _ := frontMatter([]byte(r.text("markdown_content")))
			n.body = strings.TrimSpace(string(body))
		}
		return nil
	}); err != nil {
		return err
	}
	for _, id := range order {
		n := notes[id]
		if n.body == "" { // the text is in the file; the database has its parts
			n.body = n.written()
		}
		if err := to.note(*n, titles); err != nil {
			return err
		}
	}
	return leave(ctx, from, to, PassedVectors, "search_vector_chunks")
}

// written returns a note as the program would write it.
func (n note) written() string {
	var b strings.Builder
	b.WriteString("# " + n.title + "\n\n")
	for _, o := range n.observations {
		b.WriteString("- " + o + "\n")
	}
	for _, l := range n.links {
		b.WriteString("- " + l.relation + " [[" + l.target + "]]")
		if l.context != "" {
			b.WriteString(" (" + l.context + ")")
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

// ReadNotes reads a folder of basic-memory: its Markdown files in the order of their paths, without hidden folders and
// links. The time of a note is that in its front matter, or that of its file. The error is InvalidArgument if the
// folder cannot be read.
func ReadNotes(ctx context.Context, dir string, to Sink) error {
	titles := map[string]string{} // a link may name a permalink
	if err := eachNote(ctx, dir, func(int, string) {}, func(n note) error {
		titles[n.permalink] = n.title
		return nil
	}); err != nil {
		return err
	}
	return eachNote(ctx, dir, to.Problem, func(n note) error { return to.note(n, titles) })
}

// HasNotes reports whether a folder is one of basic-memory: whether a note in it has a permalink, which only that
// program writes.
func HasNotes(ctx context.Context, dir string) bool {
	errFound := errors.New("found")
	return errors.Is(eachNote(ctx, dir, func(int, string) {}, func(n note) error {
		if n.permalink != "" {
			return errFound
		}
		return nil
	}), errFound)
}

// eachNote visits the notes of a folder. Their lines are their numbers.
func eachNote(ctx context.Context, dir string, problem func(int, string), visit func(note) error) error {
	root, err := os.OpenRoot(dir) // no link leads out of it
	if err != nil {
		return unreadable(dir, err)
	}
	defer func() { _ = root.Close() }() // opened read-only
	number := 0
	return fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return unreadable(path, err)
		case d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.EqualFold(filepath.Ext(path), ".md"):
			return nil
		}
		number++
		n, err := readNote(root, path)
		if err != nil {
			problem(number, fmt.Sprintf("%s: %v", path, err))
			return nil
		}
		n.line = number
		return visit(n)
	})
}

func readNote(root *os.Root, path string) (note, error) {
	f, err := root.Open(path)
	if err != nil {
		return note{}, memory.Reason(err)
	}
	defer func() { _ = f.Close() }() // opened read-only
	info, err := f.Stat()
	if err != nil {
		return note{}, memory.Reason(err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxNote+1))
	if err != nil {
		return note{}, memory.Reason(err)
	}
	if len(text) > maxNote {
		return note{}, fmt.Errorf("it is larger than %d MiB", maxNote>>20)
	}
	n := parseNote(text)
	n.path = path
	if n.title == "" {
		n.title = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	if n.at.IsZero() {
		n.at = info.ModTime().UTC()
	}
	return n, nil
}

// maxNote is the maximal size of a note, in bytes.
const maxNote = 8 << 20

// readNoteStream reads one note. Without a path it needs a title.
func readNoteStream(r io.Reader, to Sink) error {
	text, err := io.ReadAll(io.LimitReader(r, maxNote+1))
	if err != nil {
		return broken(err)
	}
	n := parseNote(text)
	n.line = 1
	if len(text) > maxNote || memory.Canonical(n.title) == "" || n.permalink == "" {
		return memory.Errorf(memory.InvalidArgument, "It is not a note of basic-memory: it has no title and permalink.").
			WithHint("Give the folder of the notes.")
	}
	return to.note(n, nil)
}
