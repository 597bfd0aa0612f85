package sessions

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// File is a file with a session.
type File struct {
	Host     string // the id of the host
	Path     string
	Size     int64     // bytes
	Modified time.Time // when it was written last
	Began    time.Time // the first time in it, or in its name, or Modified

	Session string // if the file itself does not name it
	Dir     string // the working directory, if the file itself does not name it; "" if unknown
}

// place is where a host keeps its sessions.
type place struct {
	host     string
	variable string // names the host's directory
	dir      string // the host's directory below the home directory
	below    []string
	accepts  func(root, path string) bool
	reader   func(talk) reader
}

// places are the hosts, by their files as of November 2026.
var places = []place{
	{host: "claude-code", variable: "CLAUDE_CONFIG_DIR", dir: ".claude", below: []string{"projects"},
		accepts: func(_, path string) bool {
			return filepath.Ext(path) == ".jsonl" && !strings.HasPrefix(filepath.Base(path), "agent-") &&
				!has(path, "subagents")
		},
		reader: func(t talk) reader { return &claude{talk: t} }},
	{host: "codex", variable: "CODEX_HOME", dir: ".codex", below: []string{"sessions", "archived_sessions"},
		accepts: func(_, path string) bool { return filepath.Ext(path) == ".jsonl" },
		reader:  func(t talk) reader { return &codex{talk: t} }},
	{host: "cursor", dir: ".cursor", below: []string{"projects"},
		accepts: func(_, path string) bool {
			return filepath.Ext(path) == ".jsonl" && has(path, "agent-transcripts") && !has(path, "subagents")
		},
		reader: func(t talk) reader { return &cursor{talk: t} }},
	{host: "gemini-cli", dir: ".gemini", below: []string{"tmp"},
		accepts: func(_, path string) bool {
			ext := filepath.Ext(path)
			return (ext == ".jsonl" || ext == ".json") && filepath.Base(filepath.Dir(path)) == "chats"
		},
		reader: func(t talk) reader { return &gemini{talk: t} }},
}

// Hosts lists the hosts whose sessions can be read.
func Hosts() []string {
	var ids []string
	for _, p := range places {
		ids = append(ids, p.host)
	}
	return ids
}

// Dirs returns the directories in which a host keeps its sessions. env is the value of a variable, home the home
// directory. It is nil for an unknown host and without a home directory.
func Dirs(host string, env func(string) string, home string) (dirs []string) {
	for _, p := range places {
		if p.host != host {
			continue
		}
		root := ""
		if p.variable != "" {
			root = env(p.variable)
		}
		if !filepath.IsAbs(root) {
			if home == "" {
				return nil
			}
			root = filepath.Join(home, p.dir)
		}
		for _, b := range p.below {
			dirs = append(dirs, filepath.Join(root, b))
		}
	}
	return dirs
}

// Find finds the sessions in a host's directories, the oldest first. Directories that do not exist have none. It
// follows no links.
func Find(ctx context.Context, host string, dirs []string) (files []File, err error) {
	i := slices.IndexFunc(places, func(p place) bool { return p.host == host })
	if i < 0 {
		return nil, errors.New("the sessions of " + host + " cannot be read")
	}
	for _, root := range dirs {
		walk := func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case !d.Type().IsRegular() || !places[i].accepts(root, path):
				return nil
			}
			info, err := d.Info()
			if err != nil { // removed since
				return nil
			}
			files = append(files, File{Host: host, Path: path, Size: info.Size(), Modified: info.ModTime().UTC()})
			return nil
		}
		if err := filepath.WalkDir(root, walk); err != nil {
			return nil, err
		}
	}
	for n := range files {
		files[n].locate()
	}
	slices.SortFunc(files, func(a, b File) int { // a fork, which repeats its origin, follows it
		return cmp.Or(a.Began.Compare(b.Began), a.Modified.Compare(b.Modified), cmp.Compare(a.Path, b.Path))
	})
	return files, nil
}

// reader returns the reader of the file's host.
func (f File) reader(visit func(Turn) error) reader {
	i := slices.IndexFunc(places, func(p place) bool { return p.host == f.Host })
	return places[i].reader(talk{host: f.Host, file: f, visit: visit})
}

// whole reports whether the file is one JSON object and not lines.
func (f File) whole() bool { return filepath.Ext(f.Path) == ".json" }

// has reports whether a path has a directory of that name.
func has(path, dir string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(path), "/"), dir)
}

// firstTime matches the first time in a file.
var firstTime = regexp.MustCompile(`"(?:timestamp|startTime)": ?"([^"]{20,40})"`)

// timeInName matches the time in the name of a file: rollout-2026-01-02T10-00-00-ID.jsonl.
var timeInName = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d-\d\d`)

// locate fills in when the session began, and what is recorded beside the file instead of in it.
func (f *File) locate() {
	f.Began = f.Modified
	if at, err := time.Parse("2006-01-02T15-04", timeInName.FindString(filepath.Base(f.Path))); err == nil {
		f.Began = at
	}
	if file, err := os.Open(f.Path); err == nil {
		head, _ := io.ReadAll(io.LimitReader(file, 16<<10)) // Read reports errors
		if m := firstTime.FindSubmatch(head); m != nil {
			if at := parseTime(string(m[1])); !at.IsZero() {
				f.Began = at
			}
		}
		_ = file.Close() // opened for reading
	}
	switch f.Host {
	case "gemini-cli":
		f.Dir = geminiDir(filepath.Dir(filepath.Dir(f.Path)))
	case "cursor":
		f.Session = strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path))
		parts := strings.Split(filepath.ToSlash(f.Path), "/")
		if i := slices.Index(parts, "agent-transcripts"); i > 0 {
			f.Dir = unfold(string(filepath.Separator), parts[i-1])
		}
	}
}

// geminiDir returns the project directory of a directory in ~/.gemini/tmp. Newer versions write it into a file there.
// Older ones name the directory after the hash of the path; then the list of known projects may have the path.
func geminiDir(dir string) string {
	if text, err := os.ReadFile(filepath.Join(dir, ".project_root")); err == nil && len(text) < 4096 {
		return strings.TrimSpace(string(text))
	}
	var known struct {
		Projects map[string]string `json:"projects"`
	}
	text, err := os.ReadFile(filepath.Join(dir, "..", "..", "projects.json"))
	if err != nil || json.Unmarshal(text, &known) != nil {
		return ""
	}
	for path, name := range known.Projects {
		sum := sha256.Sum256([]byte(path))
		if name == filepath.Base(dir) || hex.EncodeToString(sum[:]) == filepath.Base(dir) {
			return path
		}
	}
	return ""
}

// unfold returns the directory whose path was written with a dash for every character that is not a letter or digit; ""
// if no such directory exists.
func unfold(at, name string) string {
	if name == "" {
		return at
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		rest, ok := strings.CutPrefix(name, dashed(e.Name()))
		if !ok || !e.IsDir() || rest != "" && rest[0] != '-' {
			continue
		}
		if found := unfold(filepath.Join(at, e.Name()), strings.TrimPrefix(rest, "-")); found != "" {
			return found
		}
	}
	return ""
}

func dashed(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, name), "-")
}
