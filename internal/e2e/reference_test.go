package e2e_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// record makes testdata/reference/answers.jsonl anew, from the reference memory server itself.
var record = flag.Bool("record", false, "record the answers of the reference memory server anew")

// referenceServer is the command of the reference memory server (npm's @modelcontextprotocol/server-memory), its parts
// with a space between: scripts/interop.sh sets it.
var referenceServer = strings.Fields(os.Getenv("MEMORY_GRAPH_REFERENCE_SERVER"))

// referenceAnswer is what a server said to a call of the script, brought into an order.
type referenceAnswer struct {
	IsError    bool `json:"isError"`
	Structured any  `json:"structuredContent,omitempty"`
	Text       any  `json:"text"` // read as JSON where it is
}

// TestReference_AnswersAsRecorded runs one script of 60 calls against the toolset `reference`, and compares with what
// the reference memory server answered when its answers were recorded.
func TestReference_AnswersAsRecorded(t *testing.T) {
	t.Parallel()
	answers := filepath.Join("..", "..", "testdata", "reference", "answers.jsonl")
	if *record {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		for _, a := range play(t, itself(t)) {
			if err := enc.Encode(a); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(answers, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	var want []referenceAnswer
	for line := range strings.Lines(string(b)) {
		var a referenceAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		want = append(want, a)
	}
	equalAnswers(t, want, play(t, start(t, newDB(t), "MEMORY_GRAPH_TOOLSETS=reference")))
}

// TestReference_AnswersAsTheServerItself runs the script against both.
func TestReference_AnswersAsTheServerItself(t *testing.T) {
	t.Parallel()
	equalAnswers(t, play(t, itself(t)), play(t, start(t, newDB(t), "MEMORY_GRAPH_TOOLSETS=reference")))
}

// itself runs the reference memory server on a file of its own.
func itself(t *testing.T) *host {
	t.Helper()
	if len(referenceServer) == 0 {
		t.Skip("MEMORY_GRAPH_REFERENCE_SERVER names no reference memory server (scripts/interop.sh fetches it with npm)")
	}
	cmd := exec.Command(referenceServer[0], referenceServer[1:]...)
	cmd.Env = append(os.Environ(), "MEMORY_FILE_PATH="+filepath.Join(t.TempDir(), "memory.jsonl"))
	return run(t, cmd)
}

// play makes the calls of the script one after the other.
func play(t *testing.T, h *host) []referenceAnswer {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("..", "..", "testdata", "reference", "script.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	h.initialize()
	var out []referenceAnswer
	for line := range strings.Lines(string(script)) {
		var call struct {
			Tool      string          `json:"tool"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Fatal(err)
		}
		raw, err := h.ask("tools/call", map[string]any{"name": call.Tool, "arguments": call.Arguments})
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		var result struct {
			IsError           bool            `json:"isError"`
			StructuredContent json.RawMessage `json:"structuredContent"`
			Content           []struct{ Text string }
		}
		if err := json.Unmarshal(raw, &result); err != nil || len(result.Content) != 1 {
			t.Fatalf("%s: %s (%v)", line, raw, err)
		}
		a := referenceAnswer{IsError: result.IsError}
		a.Text = inOrder(result.Content[0].Text)
		switch {
		case !result.IsError:
			a.Structured = ordered(t, result.StructuredContent)
		case !strings.HasPrefix(result.Content[0].Text, "Entity with name"):
			a.Text = "arguments that do not fit" // each words that in its own way
		}
		out = append(out, a)
	}
	return out
}

// inOrder reads a text as JSON, if it is.
func inOrder(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return sorted("", v)
}

func ordered(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return sorted("", v)
}

// sorted brings lists of entities and relations into an order; that of observations is part of the answer.
func sorted(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			v[k] = sorted(k, inner)
		}
	case []any:
		for i := range v {
			v[i] = sorted("", v[i])
		}
		if key != "observations" && key != "addedObservations" {
			slices.SortFunc(v, func(a, b any) int {
				x, _ := json.Marshal(a) // read from JSON
				y, _ := json.Marshal(b)
				return bytes.Compare(x, y)
			})
		}
	}
	return v
}

func equalAnswers(t *testing.T, want, got []referenceAnswer) {
	t.Helper()
	const calls = 60
	if len(want) != calls || len(got) != calls {
		t.Fatalf("%d and %d answers, not %d", len(want), len(got), calls)
	}
	for i := range want {
		if diff := cmp.Diff(want[i], got[i]); diff != "" {
			t.Errorf("call %d:\n%s", i+1, diff)
		}
	}
}
