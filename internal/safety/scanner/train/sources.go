package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// text is a text for training or measuring.
type text struct {
	origin  string // user, assistant, tool, document, web; empty for ordinary text of this machine
	content string
	set     string // the labelled file, or the kind of ordinary source
	group   uint32 // of ordinary text: its file, conversation or page
	attack  bool
	hard    bool // ordinary, but looks like an attack
	talk    bool // ordinary, said to an agent or by one
}

// labelled reads lines "origin<TAB>text", in which \n is a line break.
func labelled(file string) ([]text, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []text
	for line := range strings.Lines(string(b)) {
		origin, content, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok && !strings.HasPrefix(line, "#") {
			attack := strings.HasPrefix(filepath.Base(file), "attacks")
			out = append(out, text{origin: origin, content: strings.ReplaceAll(content, `\n`, "\n"), set: file, attack: attack,
				hard: !attack})
		}
	}
	return out, nil
}

// collector collects ordinary texts without duplicates, and a limited number per group.
type collector struct {
	seen  map[string]bool
	count map[string]map[uint32]int
	out   []text
}

func newCollector() *collector {
	return &collector{seen: map[string]bool{}, count: map[string]map[uint32]int{}}
}

func hash(s string) uint32 {
	h := fnv.New32a()
	_, _ = io.WriteString(h, s)
	return h.Sum32()
}

// add collects a text of a group unless it is a duplicate or the group is full.
func (c *collector) add(set string, g uint32, content string, most int) {
	content = strings.TrimSpace(content)
	least := 20
	if talks[set] {
		least = 2
	}
	if len(content) < least || len(content) > 6000 || !utf8.ValidString(content) || c.seen[content] ||
		c.count[set][g] >= most {
		return
	}
	if c.count[set] == nil {
		c.count[set] = map[uint32]int{}
	}
	c.seen[content] = true
	c.count[set][g]++
	c.out = append(c.out, text{content: content, set: set, group: g, talk: talks[set]})
}

// ordinary collects texts that are assumed to be harmless: development data, documentation, manuals, messages of
// programs in many languages, and comments of code.
func ordinary(data string, modules, docs, manuals, messages, goroot string) []text {
	c := newCollector()
	c.data(data)
	if b, err := os.ReadFile("testdata/extraction/negatives.txt"); err == nil {
		c.lines("negatives", string(b))
	}
	c.talk()
	c.walk(modules, func(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".md") }, paragraphs,
		"readme", 30)
	c.walk(docs, func(path string) bool { return !strings.Contains(filepath.Base(path), "copyright") }, paragraphs, "doc",
		5)
	c.walk(manuals, func(path string) bool { return strings.HasSuffix(path, ".gz") }, manual, "manual", 2)
	c.walk(messages, func(path string) bool { return strings.HasSuffix(path, ".mo") }, catalogue, "messages", 5)
	c.walk(goroot, func(path string) bool { return strings.HasSuffix(path, ".go") }, comments, "comment", 3)
	return c.out
}

func (c *collector) walk(dir string, want func(string) bool, split func(string) []string, set string, most int) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() || !want(path) {
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > 1<<20 {
			return nil
		}
		b, err := readFile(path)
		if err != nil {
			return nil
		}
		group, _ := filepath.Rel(dir, path)
		parts := split(string(b))
		// Spread over the file, not only its beginning.
		step := max(1, len(parts)/most)
		for i := 0; i < len(parts); i += step {
			c.add(set, hash(group), parts[i], most)
		}
		return nil
	})
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if !strings.HasSuffix(path, ".gz") {
		return io.ReadAll(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, 4<<20))
}

// paragraphs splits a text at its empty lines.
func paragraphs(s string) []string {
	return strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n\n")
}

var (
	macro  = regexp.MustCompile(`(?m)^\.\\".*$|^\.\w+ ?|^'\\".*$`)
	escape = regexp.MustCompile(`\\f.|\\&|\\s[+-]?\d`)
)

// manual returns the paragraphs of a roff page.
func manual(s string) []string {
	var out []string
	for _, part := range regexp.MustCompile(`(?m)^\.(PP|P|TP|LP|IP|SH|Pp|Sh|It).*$`).Split(s, -1) {
		part = escape.ReplaceAllString(macro.ReplaceAllString(part, ""), "")
		out = append(out, strings.NewReplacer(`\-`, "-", `\(aq`, "'", `\(bu`, "*", `\ `, " ").Replace(part))
	}
	return out
}

// catalogue returns the translations of a GNU .mo file.
func catalogue(s string) []string {
	b := []byte(s)
	if len(b) < 28 || binary.LittleEndian.Uint32(b) != 0x950412de {
		return nil
	}
	n, at := int(binary.LittleEndian.Uint32(b[8:])), int(binary.LittleEndian.Uint32(b[16:]))
	var out []string
	for i := 1; i < n && at+8*i+8 <= len(b); i++ {
		size, from := int(binary.LittleEndian.Uint32(b[at+8*i:])), int(binary.LittleEndian.Uint32(b[at+8*i+4:]))
		if from+size <= len(b) && size > 30 {
			part, _, _ := strings.Cut(string(b[from:from+size]), "\x00")
			out = append(out, part)
		}
	}
	return out
}

// comments returns the comment blocks of Go code.
func comments(s string) []string {
	var out []string
	var b strings.Builder
	for line := range strings.Lines(s) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "//"); ok {
			b.WriteString(strings.TrimSpace(rest) + "\n")
			continue
		}
		if b.Len() > 60 && !strings.Contains(b.String(), "Copyright") {
			out = append(out, b.String())
		}
		b.Reset()
	}
	return out
}

// data adds every string of the development data. Each conversation or passage is a group.
func (c *collector) data(dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	slices.Sort(files)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		base := filepath.Base(file)
		set := strings.TrimSuffix(base, filepath.Ext(base))
		switch filepath.Ext(file) {
		case ".txt":
			c.lines(set, string(b))
		case ".json", ".jsonl":
			decoder := json.NewDecoder(bytes.NewReader(b))
			for n := uint32(0); ; n++ {
				var v any
				if decoder.Decode(&v) != nil {
					break
				}
				c.strings(v, set, n, 0)
			}
		}
	}
}

// lines adds the lines of a file, twenty to a group, except those that begin with "#" or "@".
func (c *collector) lines(set, content string) {
	n := uint32(0)
	for line := range strings.Lines(content) {
		if n++; line[0] != '#' && line[0] != '@' {
			c.add(set, n/20, strings.ReplaceAll(line, `\n`, "\n"), 1<<20)
		}
	}
}

// strings adds every string in a value. Each element of the outermost list is a group.
func (c *collector) strings(v any, set string, group uint32, depth int) {
	switch v := v.(type) {
	case string:
		c.add(set, group, v, 1<<20)
	case []any:
		for i, x := range v {
			g := group
			if depth == 0 {
				g = uint32(i)
			}
			c.strings(x, set, g, depth+1)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			c.strings(v[key], set, group, depth)
		}
	}
}
