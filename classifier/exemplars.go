package classifier

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"
)

//go:embed exemplars/*.txt exemplars/asks/*.txt exemplars/personal/*.txt
var exemplarFiles embed.FS

// Exemplar is a message with a known class.
type Exemplar struct {
	Text     string
	Previous []string // oldest first
	Class    Class
	Scene    int // exemplars of one scene share the turns before them
}

// marks begin the lines of a scene in exemplars/: what came before, and messages that could follow.
var marks = map[string]Class{"chat": Conversational, "fix": Correction, "go": TaskContinuation, "new": NewTopic}

// Exemplars returns the messages on which the classifier was trained. The slice is shared: do not change it.
func Exemplars() ([]Exemplar, error) { return exemplars() }

// exemplars reads the files once.
var exemplars = sync.OnceValues(func() ([]Exemplar, error) {
	var out []Exemplar
	names, err := fs.Glob(exemplarFiles, "exemplars/*.txt")
	if err != nil {
		return nil, err
	}
	scene := 0
	for _, name := range names {
		text, err := fs.ReadFile(exemplarFiles, name)
		if err != nil {
			return nil, err
		}
		if out, scene, err = readExemplars(out, scene, name, string(text)); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// readExemplars reads scenes, with an empty line between: lines "> turn" that came before, then a message a line behind
// its mark. "\n" within a message is a new line.
func readExemplars(out []Exemplar, scene int, name, text string) ([]Exemplar, int, error) {
	var previous []string
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		mark, rest, _ := strings.Cut(line, " ")
		rest = strings.ReplaceAll(rest, `\n`, "\n")
		class, known := marks[mark]
		switch {
		case line == "":
			previous = nil
			scene++
		case strings.HasPrefix(line, "#"):
		case mark == ">" && rest != "":
			previous = append(previous[:len(previous):len(previous)], rest)
		case known && rest != "":
			out = append(out, Exemplar{Text: rest, Previous: previous, Class: class, Scene: scene})
		default:
			return nil, 0, fmt.Errorf("read exemplars: %s:%d is neither a turn nor a message: %q", name, n, line)
		}
	}
	return out, scene + 1, lines.Err()
}
