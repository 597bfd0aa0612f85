package vault

import (
	"path"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// The folders and files of a vault.
const (
	entitiesDir = "Entities"
	memoriesDir = "Memories"
	sessionsDir = "Sessions"
	indexStem   = "Memory index"
	ext         = ".md"
	ownDir      = ".memory-graph"
)

// stemBytes is the maximum length of a file's name, without a suffix that distinguishes two.
const stemBytes = 120

// refused are the characters of names that Windows, links of Obsidian or Markdown do not take.
const refused = "\\/:*?\"<>|#^[]`"

// devices are names that Windows keeps for itself, with every extension.
var devices = map[string]bool{"con": true, "prn": true, "aux": true, "nul": true, "conin$": true, "conout$": true}

func init() {
	for _, d := range "0123456789¹²³" {
		devices["com"+string(d)], devices["lpt"+string(d)] = true, true
	}
}

// stemOf returns a file name for a name that every file system and every link accepts.
func stemOf(name string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r < 0x80 && strings.ContainsRune(refused, r):
			return '-'
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r) && r != '\u200d' && r != '\u200c':
			return -1
		}
		return r
	}, norm.NFC.String(oneLine(name)))
	s = strings.ReplaceAll(s, "%%", "--") // a comment of Obsidian
	s = strings.ReplaceAll(s, "%%", "--")
	s = clip(strings.Join(strings.Fields(s), " "), stemBytes)
	s = strings.Trim(s, " .") // Windows drops them at the end, and a dot in front hides the file
	s = strings.TrimSpace(s)
	if at := len(s) - len(ext); at >= 0 && strings.EqualFold(s[at:], ext) { // a link would omit it
		s = s[:at] + "-md"
	}
	if s == "" {
		return "untitled"
	}
	if device, _, _ := strings.Cut(strings.ToLower(s), "."); devices[strings.TrimSpace(device)] {
		s = "_" + s
	}
	return s
}

// clip cuts a text to a number of bytes, between characters as people see them.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end, state := 0, -1
	for rest := s; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if end+len(cluster) > most {
			break
		}
		end += len(cluster)
	}
	if end == 0 { // one character of many bytes
		end = most
		for end > 0 && s[end]&0xc0 == 0x80 {
			end--
		}
	}
	return s[:end]
}

var folding = cases.Fold()

// fold returns the form in which case-insensitive file systems compare names.
func fold(s string) string { return norm.NFC.String(folding.String(norm.NFC.String(s))) }

// stem returns the name of a file without folder and extension.
func stem(file string) string { return strings.TrimSuffix(path.Base(file), ext) }

// names hands out the names of files. Two names never differ in case alone.
type names struct {
	taken map[string]bool // folded stems of pages, and folded paths of other files
}

// choose returns an unused stem in a folder: the wanted one, or one with a suffix.
func (n names) choose(dir, want, suffix string) string {
	s := want
	for n.taken[fold(s)] || n.taken[fold(path.Join(dir, s+ext))] {
		s += " (" + suffix + ")"
	}
	n.taken[fold(s)] = true
	return s
}
