// Package prompts holds the prompts for language models as editable text files, and fills in their variables.
package prompts

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
	"text/template"
	"unicode"
)

//go:embed *.md
var files embed.FS

// templates are all prompts, by file name. Names and lines from outside must pass through the functions.
var templates = template.Must(template.New("prompts").
	Option("missingkey=error").
	Funcs(template.FuncMap{"line": Line, "quoted": Quoted}).
	ParseFS(files, "*.md"))

// Render fills the prompt prompts/<name>.md with data. It fails only on a mistake in the prompt or its data.
func Render(name string, data any) (string, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name+".md", data); err != nil {
		return "", fmt.Errorf("render the prompt %s: %w", name, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// Mark returns a word that marks the beginning and end of untrusted texts in a prompt: 16 hexadecimal digits, a hash of
// the texts. A text therefore cannot contain its own closing mark.
func Mark(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:", len(t)) // hashes do not fail
		h.Write([]byte(t))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Line returns a text as one line of at most limit characters. White space becomes single blanks, and invisible
// characters are removed. A cut text ends in "…".
func Line(limit int, s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.In(r, unicode.Cc, unicode.Cf) {
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:max(0, limit)]) + "…"
	}
	return s
}

// Quoted returns a name in double quotation marks, on one line of at most 200 characters.
func Quoted(s string) string { return `"` + strings.ReplaceAll(Line(200, s), `"`, "'") + `"` }
