// Command pictures draws the README's terminal session from the real output of the program:
//
//	go run ./scripts/pictures > docs/session.svg
package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Sizes of a character and of the frame, in pixels.
const (
	charWidth, lineHeight = 8.4, 19
	frame                 = 18
	widest                = 118 // characters; longer lines are cut with an ellipsis
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run() error {
	home, err := os.MkdirTemp("", "memory-graph-pictures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	program := filepath.Join(home, "memory-graph")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	env := append(os.Environ(), "HOME="+home, "TZ=UTC", "NO_COLOR=1")
	demo := exec.Command(program, "demo", "--json")
	demo.Env = env
	out, err := demo.Output()
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	var made struct {
		Database string `json:"database"`
	}
	if err := json.Unmarshal(out, &made); err != nil {
		return fmt.Errorf("demo --json: %w", err)
	}
	defer os.RemoveAll(filepath.Dir(made.Database))
	env = append(env, "MEMORY_GRAPH_DB="+made.Database)
	var lines []string
	for _, args := range [][]string{
		{"facts", "Halyard", "--all"},
		{"context", "Which database does Halyard run on now?"},
		{"context", "thanks, that helps!"},
	} {
		c := exec.Command(program, args...)
		c.Env = env
		said, err := c.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, said)
		}
		lines = append(lines, "$ memory-graph "+quoted(args))
		for line := range strings.Lines(strings.TrimRight(string(said), "\n")) {
			line = strings.ReplaceAll(strings.TrimRight(line, "\n"), made.Database, "~/.local/share/memory-graph/memory.db")
			lines = append(lines, line)
		}
		lines = append(lines, "")
	}
	return draw(lines[:len(lines)-1])
}

// quoted joins arguments into a shell command line.
func quoted(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		if out[i] = a; strings.Contains(a, " ") {
			out[i] = `"` + a + `"`
		}
	}
	return strings.Join(out, " ")
}

func draw(lines []string) error {
	columns := 0
	for i, line := range lines {
		if r := []rune(line); len(r) > widest {
			lines[i] = string(r[:widest-1]) + "…"
		}
		columns = max(columns, utf8.RuneCountInString(lines[i]))
	}
	width, height := float64(columns)*charWidth+2*frame, len(lines)*lineHeight+2*frame
	fmt.Printf(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" `+
			`font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`+"\n", width, height)
	fmt.Printf(`<rect width="100%%" height="100%%" rx="8" fill="#16181d"/>` + "\n")
	for i, line := range lines {
		colour := "#d5d9e0"
		switch {
		case strings.HasPrefix(line, "$ "):
			colour = "#8bd49c"
		case strings.Contains(line, "ended"):
			colour = "#8a919e"
		}
		var text strings.Builder
		if err := xml.EscapeText(&text, []byte(line)); err != nil {
			return err
		}
		fmt.Printf(`<text x="%d" y="%d" fill="%s" xml:space="preserve">%s</text>`+"\n", frame, frame+(i+1)*lineHeight-5,
			colour, text.String())
	}
	_, err := fmt.Println("</svg>")
	return err
}
