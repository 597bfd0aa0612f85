// Package prompts holds the prompts for language models as editable text files, and fills in their variables.
package prompts

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

//go:embed *.md
var files embed.FS

// Data fills the places of a prompt. A value is a string, or a []Data for a section that repeats. Names and lines from
// outside must pass through Line or Quoted.
type Data map[string]any

// Render fills the prompt prompts/<name>.md. {{Key}} stands for a string. A section {{#Key}}…{{/Key}} appears once for
// each element of a list, or once if the string is not empty. {{! …}} is a comment. Values are never read as a prompt.
// It fails only on a mistake in the prompt or its data.
//
// text/template would do the same, but a program that contains it keeps every exported method of every type: 4 MB.
func Render(name string, data Data) (string, error) {
	text, err := files.ReadFile(name + ".md")
	if err != nil {
		return "", fmt.Errorf("read the prompt %s: %w", name, err)
	}
	var b strings.Builder
	if err := fill(&b, string(text), data); err != nil {
		return "", fmt.Errorf("render the prompt %s: %w", name, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// fill writes a text with its places filled from the innermost of the scopes that has the key.
func fill(b *strings.Builder, text string, scopes ...Data) error {
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return nil
		}
		tag, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return fmt.Errorf("{{%.20s has no end", rest)
		}
		text = after
		if strings.HasPrefix(tag, "!") {
			continue
		}
		key, section := strings.CutPrefix(tag, "#")
		value, ok := any(nil), false
		for i := len(scopes) - 1; i >= 0 && !ok; i-- {
			value, ok = scopes[i][key]
		}
		if !section {
			s, isText := value.(string)
			if !isText {
				return fmt.Errorf("%q is no text but %T", key, value)
			}
			b.WriteString(s)
			continue
		}
		inner, after, closed := strings.Cut(text, "{{/"+key+"}}")
		if !closed {
			return fmt.Errorf("section %q has no end", key)
		}
		text = after
		var items []Data
		switch v := value.(type) {
		case []Data:
			items = v
		case string:
			if v != "" {
				items = []Data{nil}
			}
		default:
			return fmt.Errorf("section %q is neither text nor list but %T", key, value)
		}
		for _, item := range items {
			if err := fill(b, inner, append(slices.Clip(scopes), item)...); err != nil {
				return err
			}
		}
	}
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
