// Package secrets finds keys, tokens, passwords and private blocks in text by their shapes, and masks them before
// anything is stored.
package secrets

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"memory-graph/internal/text"
)

// Mask replaces secrets by "[masked: kind]" and returns the kinds it found, sorted. It recognises shapes, not entropy:
// hashes, UUIDs, commit ids, paths and encoded images look random too and must survive. It also finds secrets that are
// split by invisible characters or escape sequences of terminals, or written in full-width characters. It runs in
// linear time. Masking a masked text changes nothing. See docs/decisions.md,
// "Secrets are masked".
func Mask(s string) (string, []string) {
	var kinds []string
	// Masking one secret can reveal the shape of another, so one pass is not always enough. No known text needs more than
	// this.
	const passes = 4
	for range passes {
		spans := findSecrets(s)
		if len(spans) == 0 {
			break
		}
		var out strings.Builder
		from := 0
		for _, sp := range spans {
			out.WriteString(s[from:sp.start])
			out.WriteString("[masked: " + sp.kind + "]")
			from = sp.end
			kinds = append(kinds, sp.kind)
		}
		out.WriteString(s[from:])
		s = out.String()
	}
	slices.Sort(kinds)
	return s, slices.Compact(kinds)
}

// span is the place of a secret in the text.
type span struct {
	start, end int
	kind       string
}

// rule is one shape of a secret.
type rule struct {
	kind  string
	hints []string // every match contains one of them, in lower case: a cheap test first
	re    func() *regexp.Regexp
	// real tells a secret from a text of the same shape. Its argument is all groups of the match; nil accepts every match.
	// The last group that matched is masked, or the whole match if there are no groups.
	real func(groups []string) bool
}

// findSecrets returns all secrets from left to right. Overlapping ones are joined under the kind of the first.
func findSecrets(s string) []span {
	spans := shapesIn(s)
	if t, ok := shown(s); ok {
		spans = append(spans, t.original(joined(shapesIn(t.text)))...)
	}
	return joined(spans)
}

// shapesIn returns everything that has the shape of a secret. Each expression reads the text once.
func shapesIn(s string) []span {
	lower := strings.ToLower(s)
	var spans []span
	if strings.Contains(lower, "private") {
		spans = privateBlocks(s)
	}
	if strings.Contains(lower, "private key") {
		spans = append(spans, privateKeys(s)...)
	}
	spans = append(spans, commandPasswords(s, lower)...)
	spans = append(spans, cardNumbers(s)...)
	for _, r := range rules {
		if !hinted(lower, r.hints) {
			continue
		}
		for _, m := range r.re().FindAllStringSubmatchIndex(s, -1) {
			start, end, groups := lastGroup(s, m)
			if end > start && (r.real == nil || r.real(groups)) {
				spans = append(spans, span{start, end, r.kind})
			}
		}
	}
	return spans
}

func hinted(lower string, hints []string) bool {
	return slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(lower, h) })
}

// joined sorts spans and merges those that overlap.
func joined(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(a.start-b.start, b.end-a.end, cmp.Compare(a.kind, b.kind))
	})
	out := spans[:0]
	for _, sp := range spans {
		if n := len(out); n > 0 && sp.start < out[n-1].end {
			out[n-1].end = max(out[n-1].end, sp.end)
			continue
		}
		out = append(out, sp)
	}
	return out
}

func lastGroup(s string, m []int) (start, end int, groups []string) {
	start, end = m[0], m[1]
	groups = make([]string, len(m)/2)
	for i := range groups {
		if m[2*i] < 0 {
			continue
		}
		groups[i] = s[m[2*i]:m[2*i+1]]
		if i > 0 {
			start, end = m[2*i], m[2*i+1]
		}
	}
	return start, end, groups
}

// The armour of a private key (RFC 7468, and its OpenPGP form), and the body of a key whose end is missing.
var (
	keyBegin = text.Pattern(`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`)
	keyEnd   = text.Pattern(`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`)
	keyBody  = text.Pattern(`^[A-Za-z0-9+/=\s\\:,]*`)
)

// privateKeys finds armoured private keys. It searches begin and end lines separately: a single expression would read
// the rest of the text again for each begin line without an end.
func privateKeys(s string) []span {
	var spans []span
	ends := keyEnd().FindAllStringIndex(s, -1)
	at := 0
	for _, begin := range keyBegin().FindAllStringIndex(s, -1) {
		if begin[0] < at { // inside the previous key
			continue
		}
		for len(ends) > 0 && ends[0][0] < begin[1] {
			ends = ends[1:]
		}
		if len(ends) > 0 {
			at = ends[0][1]
		} else { // at most to the next begin line, since a body contains no dash
			at = begin[1] + len(keyBody().FindString(s[begin[1]:]))
		}
		spans = append(spans, span{begin[0], at, "private key"})
	}
	return spans
}

// privateTag matches <private> or </private>, with blanks and attributes as in HTML. It does not match <private key>:
// if attributes could lack a value, many placeholders in angle brackets would be tags.
var privateTag = text.Pattern(
	`(?i)<\s*(?:private(?:\s+[a-z][\w:.-]*\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))*|(/)\s*private)\s*>`)

// privateBlocks finds the text between <private> and </private>, nested or not. An unclosed block, as in a message that
// a host cut off, extends to the end of the text: masking too much is the smaller harm.
func privateBlocks(s string) []span {
	var spans []span
	depth, start := 0, 0
	for _, tag := range privateTag().FindAllStringSubmatchIndex(s, -1) {
		switch closing := tag[2] >= 0; {
		case closing && depth == 0: // closes nothing
		case closing:
			if depth--; depth == 0 {
				spans = append(spans, span{start, tag[1], "private"})
			}
		default:
			if depth == 0 {
				start = tag[0]
			}
			depth++
		}
	}
	if depth > 0 {
		spans = append(spans, span{start, len(s), "private"})
	}
	return spans
}

// Identifier masks a name that must stay unique: the same secret always gives the same result, and different secrets
// different ones. A name without a secret is returned unchanged.
func Identifier(s string) string {
	masked, kinds := Mask(s)
	if len(kinds) == 0 {
		return masked
	}
	sum := sha256.Sum256([]byte(s))
	return "masked-" + hex.EncodeToString(sum[:])
}
