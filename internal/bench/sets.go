// Package bench measures retrieval and speed through the same code as the server (see docs/benchmarks.md).
package bench

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// Set is a set of questions with known evidence.
type Set struct {
	Name   string // the file's name
	SHA256 string // of the file, hex
	Groups []Group
}

// Group is a conversation or a pool of passages. It has its own namespace.
type Group struct {
	Name      string
	Documents []Document
	Questions []GoldQuestion
}

// Document is stored by one call of store_episode.
type Document struct {
	ID         string
	Content    string
	Speaker    string
	SessionID  string
	OccurredAt time.Time
}

// Question is asked verbatim. Gold has the ids of the documents that answer it, at least one.
type GoldQuestion struct {
	Text  string
	Gold  []string
	Group string // category, a row of the table
}

// The formats of set files.
const (
	Locomo   = "locomo"   // conversations in sessions, one document per turn
	Passages = "passages" // {"corpus": [{"id","title","text"}], "questions": [{"question","gold","group"}]}
)

// ReadSet reads a set in the given format. The errors are InvalidArgument.
func ReadSet(form, path string) (Set, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return Set{}, memory.Errorf(memory.InvalidArgument, "--data %s cannot be read: %w", path, err)
	}
	sum := sha256.Sum256(raw)
	set := Set{Name: path[strings.LastIndexAny(path, `/\`)+1:], SHA256: hex.EncodeToString(sum[:])}
	switch form {
	case Locomo:
		set.Groups, err = readLocomo(raw)
	case Passages:
		set.Groups, err = readPassages(raw)
	default:
		return Set{}, memory.Errorf(memory.InvalidArgument, "--set %q is unknown.", form).WithHint("Use locomo or passages.")
	}
	if err != nil {
		return Set{}, memory.Errorf(memory.InvalidArgument, "--data %s is not a %s set: %w", path, form, err)
	}
	return set, nil
}

var sessionKey = regexp.MustCompile(`^session_(\d+)$`)

func readLocomo(raw []byte) ([]Group, error) {
	var file []struct {
		SampleID     string                     `json:"sample_id"`
		Conversation map[string]json.RawMessage `json:"conversation"`
		QA           []struct {
			Question string   `json:"question"`
			Evidence []string `json:"evidence"`
			Category int      `json:"category"`
		} `json:"qa"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, err
	}
	var groups []Group
	for _, c := range file {
		g := Group{Name: c.SampleID}
		known := map[string]bool{}
		for _, n := range sessionNumbers(c.Conversation) {
			key := "session_" + strconv.Itoa(n)
			var when string
			if err := unmarshalOptional(c.Conversation[key+"_date_time"], &when); err != nil {
				return nil, err
			}
			var turns []struct {
				ID      string `json:"dia_id"`
				Speaker string `json:"speaker"`
				Text    string `json:"text"`
				Caption string `json:"blip_caption"`
			}
			if err := json.Unmarshal(c.Conversation[key], &turns); err != nil {
				return nil, err
			}
			for _, t := range turns {
				content := t.Text
				if t.Caption != "" {
					content += " [image: " + t.Caption + "]"
				}
				known[t.ID] = true
				g.Documents = append(g.Documents, Document{ID: t.ID, Content: content, Speaker: t.Speaker,
					SessionID: c.SampleID + "/" + key, OccurredAt: sessionTime(when)})
			}
		}
		for _, q := range c.QA {
			if gold := evidence(q.Evidence, known); len(gold) > 0 {
				g.Questions = append(g.Questions, GoldQuestion{Text: q.Question, Gold: gold, Group: strconv.Itoa(q.Category)})
			}
		}
		groups = append(groups, g)
	}
	return groups, nil
}

func unmarshalOptional(raw json.RawMessage, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	return json.Unmarshal(raw, into)
}

func sessionNumbers(conversation map[string]json.RawMessage) []int {
	var numbers []int
	for key := range conversation {
		if m := sessionKey.FindStringSubmatch(key); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	return numbers
}

// sessionTime parses "1:56 pm on 8 May, 2023". It returns the zero time for any other format.
func sessionTime(s string) time.Time {
	t, err := time.Parse("3:04 pm on 2 January, 2006", s)
	if err != nil {
		return time.Time{}
	}
	return t
}

var dialogueID = regexp.MustCompile(`^D:?(\d+):0*(\d+)$`)

// evidence normalises ids (several in one string, D:11:26, D30:05) and drops unknown ones.
func evidence(raw []string, known map[string]bool) []string {
	var gold []string
	for _, e := range raw {
		for _, part := range strings.FieldsFunc(e, func(r rune) bool { return strings.ContainsRune(";, \t\n", r) }) {
			m := dialogueID.FindStringSubmatch(part)
			if m == nil {
				continue
			}
			if id := "D" + m[1] + ":" + m[2]; known[id] && !slices.Contains(gold, id) {
				gold = append(gold, id)
			}
		}
	}
	slices.Sort(gold)
	return gold
}

func readPassages(raw []byte) ([]Group, error) {
	var file struct {
		Corpus []struct {
			ID    string `json:"id"`
			Title string `json:"title"`
			Text  string `json:"text"`
		} `json:"corpus"`
		Questions []struct {
			Question string   `json:"question"`
			Gold     []string `json:"gold"`
			Group    string   `json:"group"`
		} `json:"questions"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, err
	}
	g := Group{Name: "all"}
	for _, d := range file.Corpus {
		g.Documents = append(g.Documents, Document{ID: d.ID, Content: d.Title + "\n" + d.Text})
	}
	for _, q := range file.Questions {
		if len(q.Gold) > 0 {
			g.Questions = append(g.Questions, GoldQuestion{Text: q.Question, Gold: q.Gold, Group: cmp.Or(q.Group, "all")})
		}
	}
	return []Group{g}, nil
}
