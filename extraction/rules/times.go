package rules

import "slices"

// passing are words between "last" or "this" and a time.
var passing = []string{"past", "last", "coming", "few", "whole", "single", "other"}

// timeAt returns the end of the time expression that begins with token i; i if there is none.
func (s *sentence) timeAt(i int) (next int) {
	w := s.word(i)
	switch {
	case w == "":
		return i
	case timeWords[w]:
		return i + 1
	case w == "these" && s.word(i+1) == "days":
		return i + 2
	case oneOf(w, "last next this every each past that earlier") && s.timeNoun(s.skip(i+1, passing...)):
		return s.timeTail(s.skip(i+1, passing...) + 1)
	case dayNames[w] && s.t[i].capital && len(w) > 3, monthNames[w] && s.t[i].capital && s.kind(i+1) == numberToken:
		return s.timeTail(i + 1)
	case s.kind(i) == numberToken || oneOf(w, "a an one two three four five six ten few several some about half many"):
		j := i + 1
		for n := 0; n < 3 && (oneOf(s.word(j), "few couple of a or half two six long") || s.kind(j) == numberToken); n++ {
			j++
		}
		if (timeUnits[s.word(j)] || s.word(j) == "while" || s.word(j) == "time" && s.word(j+1) == "ago" ||
			s.word(j) == "bit") && oneOf(s.word(j+1), "ago back now earlier") {
			return j + 2
		}
		if s.kind(i) == numberToken && len(s.word(i)) >= 8 { // a date
			return i + 1
		}
		return i
	case oneOf(w, "in on since from until till by around before after over during for at through within of as"):
		return s.timePhrase(i)
	}
	return i
}

// timePhrase reads a time after a preposition: "in May 2024", "since university", "over the last two weeks".
func (s *sentence) timePhrase(i int) int {
	j := i + 1
	if s.word(i) == "as" && s.word(j) == "of" {
		j++
	}
	j = s.skip(j, "the", "about", "around", "early", "late", "mid", "end", "of", "beginning", "start", "middle", "my",
		"our", "over", "roughly", "at", "least", "almost", "nearly", "more", "than")
	w := s.word(j)
	switch {
	case s.kind(j) == numberToken && (year(w) || len(w) >= 8):
		return j + 1
	case monthNames[w] && (s.t[j].capital || len(w) > 3 && w != "march" && w != "may"):
		return s.timeTail(j + 1)
	case dayNames[w] && (s.t[j].capital || len(w) > 3):
		return s.timeTail(j + 1)
	case s.kind(j) == numberToken && monthNames[s.word(s.skip(j+1, "th", "st", "nd", "rd", "of"))]:
		return s.timeTail(s.skip(j+1, "th", "st", "nd", "rd", "of") + 1)
	case oneOf(w, "ages forever good now years months weeks decades"):
		if s.word(i) == "of" || w == "now" && s.word(i) == "as" {
			return i
		}
		return s.timeTail(j + 1)
	case oneOf(s.word(i), "since from after") && oneOf(w, "university school college childhood uni day birth"):
		return s.skip(j+1, "one", "on")
	}
	if t := s.timeAt(j); t > j && s.word(i) != "of" {
		return t
	}
	k := j
	for n := 0; n < 3 && (s.kind(k) == numberToken ||
		oneOf(s.word(k), "last past next few couple of a two three four five six ten many several half")); n++ {
		k++
	}
	if s.timeNoun(k) && s.word(i) != "of" && (k > j || s.word(j-1) != w && s.word(i) != "at" && s.word(i) != "by") {
		return s.timeTail(k + 1)
	}
	return i
}

// timeTail skips what may follow a time: the year of a month, the hour of a day, "ago".
func (s *sentence) timeTail(j int) int {
	for n := 0; n < 4; n++ {
		w := s.word(j)
		switch {
		case s.kind(j) == numberToken && (year(w) || len(w) <= 2 && s.word(j+1) != "percent"), w == "ago", w == "th",
			w == "morning", w == "afternoon", w == "evening", w == "night", w == "already":
			j++
		case (w == "of" || w == "in") && s.kind(j+1) == numberToken && year(s.word(j+1)):
			j += 2
		case w == "," && s.kind(j+1) == numberToken && year(s.word(j+1)):
			j += 2
		default:
			return j
		}
	}
	return j
}

func (s *sentence) timeNoun(i int) bool {
	w := s.word(i)
	return timeNouns[w] || timeUnits[w] || monthNames[w] || dayNames[w]
}

func year(w string) bool { return len(w) == 4 && (w[:2] == "19" || w[:2] == "20") }

// word returns the lower-case word of token i; "" beyond the ends.
func (s *sentence) word(i int) string { return at(s.t, i) }

func (s *sentence) kind(i int) tokenKind {
	if i < 0 || i >= len(s.t) {
		return signToken
	}
	return s.t[i].kind
}

// skip returns the first token from i on that is none of the words.
func (s *sentence) skip(i int, words ...string) int {
	for n := 0; n < 6 && i < len(s.t) && slices.Contains(words, s.t[i].lower); n++ {
		i++
	}
	return i
}
