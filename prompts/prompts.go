// Package prompts holds what language models are told, as text that people can read and edit, and fills in what
// changes.
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

// templates are all prompts, by the name of their file. Names and lines that come from outside go through the
// functions.
var templates = template.Must(template.New("prompts").
	Option("missingkey=error").
	Funcs(template.FuncMap{"line": Line, "quoted": quoted}).
	ParseFS(files, "*.md"))

// Render fills a prompt, the file prompts/<name>.md, with data. The error is a mistake in the prompt or its data.
func Render(name string, data any) (string, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name+".md", data); err != nil {
		return "", fmt.Errorf("render the prompt %s: %w", name, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// Mark gives a word that marks where somebody's text begins and ends in a prompt: 16 hexadecimal digits that follow
// from the texts, so that no text can hold the word that would close it.
func Mark(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:", len(t)) // hashes do not fail
		h.Write([]byte(t))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Line gives a text as one line of at most limit characters: white space becomes blanks, and what cannot be seen is
// left out. What is cut ends in "…".
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

// quoted gives a name between quotation marks, as a line of its own would be.
func quoted(s string) string { return `"` + strings.ReplaceAll(Line(200, s), `"`, "'") + `"` }
