// Package supersession judges whether a later turn of a conversation replaced an earlier one: both are about one thing,
// and cannot both be true. It reads English. In other languages it compares only numbers, names and vectors. All its
// functions are pure.
package supersession

import (
	"slices"
	"strings"

	"memory-graph/internal/text"
)

// Said is a turn as parsed for the judgement. It is not safe for concurrent use.
type Said struct {
	words   int      // how many it has
	text    string   // the turn, between the question that it answers and the reply to it
	stems   []string // of the text's content words, each once, sorted; nil until they are needed
	tokens  []token
	values  []value
	change  float64        // see change
	own     bool           // it speaks of who says it
	moved   bool           // somebody put something somewhere
	ends    bool           // it has a word that says of something that it is no more
	denied  []string       // stems of what it says there is none of, or no more
	moods   []mood         // of each token
	said    mood           // all of them
	refused []value        // what it says something is not
	reply   []token        // what was replied to it
	taken   map[mood]*Said // as it is with what is stated and what else counts; see as
	adds    bool           // it says that it comes to what is: also, too
}

// MaxWords is the length from which a text is an article and no turn: it says too many things for another to take its
// place. It is not judged.
const MaxWords = 120

// Read parses a turn. about is the question that the turn answers, "" for none: its words add to the topic of the turn,
// but state nothing. reply is the assistant's answer to the turn, "" for none: an assistant often repeats what it
// understood ("eight percent, then", "moved in the calendar"). The questions in reply are ignored.
func Read(content, about, reply string) *Said {
	tokens := split(content)
	reply = statements(reply)
	s := &Said{words: len(tokens), tokens: tokens, text: about + " " + content + " " + reply}
	if s.words > MaxWords {
		return s
	}
	s.reply, s.moods = split(reply), moods(tokens)
	for _, m := range s.moods {
		s.said |= m
	}
	if s.said&refused != 0 {
		s.refused = valuesWhere(tokens, func(i int) bool { return s.moods[i] == refused })
	}
	s.denied = denied(tokens)
	s.adds = adds(tokens)
	s.take(stated)
	s.own = slices.ContainsFunc(tokens, func(t token) bool { return own[t.lower] })
	return s
}

// take reads what clauses of the moods say. Only an assistant's reply to what was stated or asked for tells what was
// understood; a reply to a question answers it.
func (s *Said) take(m mood) {
	counts := func(i int) bool { return s.moods[i]&m != 0 }
	s.values = valuesWhere(s.tokens, counts)
	tokens := make([]token, 0, len(s.tokens))
	for i, t := range s.tokens {
		if counts(i) {
			tokens = append(tokens, t)
		} else if n := len(tokens); n > 0 && tokens[n-1].lower != "" {
			tokens = append(tokens, token{stop: true}) // words around a clause left out are no phrase
		}
	}
	s.change = change(tokens)
	s.moved = slices.ContainsFunc(tokens, func(t token) bool { return motions[t.lower] })
	s.ends = slices.ContainsFunc(tokens, func(t token) bool { return endings[t.lower] })
	if len(tokens) == 0 && s.said&asking != 0 {
		return
	}
	s.change = max(s.change, acknowledged(s.reply))
	for _, v := range values(s.reply) {
		if !slices.Contains(s.values, v) {
			s.values = append(s.values, v)
		}
	}
}

// as is the turn with what clauses of further moods say.
func (s *Said) as(more mood) *Said {
	more &= s.said &^ stated
	if more == 0 {
		return s
	}
	other, ok := s.taken[more]
	if !ok {
		c := *s
		other = &c
		other.taken = nil
		other.take(stated | more)
		if s.taken == nil {
			s.taken = map[mood]*Said{}
		}
		s.taken[more] = other
	}
	return other
}

// valuesWhere reads the values of those tokens that count.
func valuesWhere(tokens []token, counts func(int) bool) []value {
	var out []value
	for i, t := range tokens {
		if !counts(i) {
			continue
		}
		v, ok := valueAt(tokens, i, t)
		if v.kind == Code {
			v.unit = shape(v.text)
		}
		if ok && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// statements leaves the questions of a text out.
func statements(s string) string {
	var b strings.Builder
	for s = strings.TrimSpace(s); s != ""; {
		end := len(s)
		for i := 0; i+1 < len(s); i++ {
			if strings.IndexByte(".!?", s[i]) >= 0 && (s[i+1] == ' ' || s[i+1] == '\n') {
				end = i + 1
				break
			}
		}
		if s[end-1] != '?' {
			b.WriteString(s[:end])
		}
		s = s[end:]
	}
	return b.String()
}

// stemsOf gives the stems of a text's content words, each once, sorted.
func stemsOf(s string) []string {
	stems := []string{}
	for _, t := range text.Tokens(s) {
		if !t.Stop() {
			stems = append(stems, t.Stem)
		}
	}
	slices.Sort(stems)
	return slices.Compact(stems)
}

// denied gives the stems of the words behind no: no v2 this year.
func denied(tokens []token) []string {
	var out []string
	for i, t := range tokens {
		if t.lower == "no" && !t.stop && i+1 < len(tokens) {
			out = append(out, stemsOf(tokens[i+1].raw)...)
		}
	}
	slices.Sort(out)
	return out
}

var additions = set(`also besides additionally`)

// adds says whether a text says that it comes to what is. "Too" does behind what it adds, and not before what there is too
// much of; "also" that begins a text goes on to another subject.
func adds(tokens []token) bool {
	for i, t := range tokens {
		switch {
		case t.lower == "too":
			if t.stop || i+1 == len(tokens) {
				return true
			}
		case t.lower == "as":
			if word(tokens, i+1) == "well" && word(tokens, i+2) != "as" {
				return true
			}
		case additions[t.lower] && i > 0:
			return true
		}
	}
	return false
}

var own = set(`i i'm i've i'd i'll me my mine myself`)

// judged says whether there is anything to judge.
func (s *Said) judged() bool { return s.words > 0 && s.words <= MaxWords }

// content gives the stems of what the turn is about. Most turns are judged without them, and they cost most.
func (s *Said) content() []string {
	if s.stems == nil {
		s.stems = stemsOf(s.text)
	}
	return s.stems
}

// common gives what is in both of two sorted lists.
func common(a, b []string) []string {
	var both []string
	for _, s := range a {
		if _, ok := slices.BinarySearch(b, s); ok {
			both = append(both, s)
		}
	}
	return both
}

// otherValue says whether both have values of a kind and the later one has one that the earlier has not. Numbers are of
// one kind where they count the same: sameUnit.
func otherValue(earlier, later *Said, k Kind, sameUnit bool) bool {
	for _, v := range later.values {
		if v.kind != k || sameUnit && v.unit == "" {
			continue
		}
		alike, known := false, false
		for _, o := range earlier.values {
			if o.kind == k && (!sameUnit || o.unit == v.unit) {
				alike, known = true, known || o.text == v.text
			}
		}
		if alike && !known {
			return true
		}
	}
	return false
}
