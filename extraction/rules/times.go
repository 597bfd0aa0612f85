package rules

// timeAt returns the end of an expression of time that begins with token i, or i where none does.
func (s *sentence) timeAt(i int) (next int) {
	w := s.word(i)
	switch {
	case w == "":
		return i
	case timeWords[w]:
		return i + 1
	case w == "these" && s.word(i+1) == "days":
		return i + 2
	case (w == "last" || w == "next" || w == "this" || w == "every" || w == "each" || w == "past" || w == "that" ||
		w == "earlier") && s.timeNoun(s.skip(i+1, "past", "last", "coming", "few", "whole", "single", "other")):
		j := s.skip(i+1, "past", "last", "coming", "few", "whole", "single", "other") + 1
		return s.timeTail(j)
	case dayNames[w] && s.t[i].capital && len(w) > 3, monthNames[w] && s.t[i].capital && s.kind(i+1) == numberToken:
		return s.timeTail(i + 1)
	case s.kind(i) == numberToken || w == "a" || w == "an" || w == "one" || w == "two" || w == "three" || w == "four" ||
		w == "five" || w == "six" || w == "ten" || w == "few" || w == "several" || w == "some" || w == "about" ||
		w == "half" || w == "many":
		j := i + 1
		for n := 0; n < 3 && (s.word(j) == "few" || s.word(j) == "couple" || s.word(j) == "of" || s.word(j) == "a" ||
			s.word(j) == "or" || s.word(j) == "half" || s.kind(j) == numberToken || s.word(j) == "two" || s.word(j) == "six" ||
			s.word(j) == "long"); n++ {
			j++
		}
		if (timeUnits[s.word(j)] || s.word(j) == "while" || s.word(j) == "time" && s.word(j+1) == "ago" ||
			s.word(j) == "bit") && (s.word(j+1) == "ago" || s.word(j+1) == "back" || s.word(j+1) == "now" ||
			s.word(j+1) == "earlier") {
			return j + 2
		}
		if s.kind(i) == numberToken && len(s.word(i)) >= 8 { // a date
			return i + 1
		}
		return i
	case w == "in" || w == "on" || w == "since" || w == "from" || w == "until" || w == "till" || w == "by" ||
		w == "around" || w == "before" || w == "after" || w == "over" || w == "during" || w == "for" || w == "at" ||
		w == "through" || w == "within" || w == "of" || w == "as":
		return s.timePhrase(i)
	}
	return i
}

// timePhrase reads what stands behind a preposition: "in May 2024", "since university", "over the last two weeks".
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
	case w == "ages" || w == "forever" || w == "good" || w == "now" || w == "years" || w == "months" || w == "weeks" ||
		w == "decades":
		if s.word(i) == "of" || w == "now" && s.word(i) == "as" {
			return i
		}
		return s.timeTail(j + 1)
	case (s.word(i) == "since" || s.word(i) == "from" || s.word(i) == "after") && (w == "university" || w == "school" ||
		w == "college" || w == "childhood" || w == "uni" || w == "day" || w == "birth"):
		return s.skip(j+1, "one", "on")
	}
	if t := s.timeAt(j); t > j && s.word(i) != "of" {
		return t
	}
	k := j
	for n := 0; n < 3 && (s.kind(k) == numberToken || s.word(k) == "last" || s.word(k) == "past" || s.word(k) == "next" ||
		s.word(k) == "few" || s.word(k) == "couple" || s.word(k) == "of" || s.word(k) == "a" || s.word(k) == "two" ||
		s.word(k) == "three" || s.word(k) == "four" || s.word(k) == "five" || s.word(k) == "six" || s.word(k) == "ten" ||
		s.word(k) == "many" || s.word(k) == "several" || s.word(k) == "half"); n++ {
		k++
	}
	if s.timeNoun(k) && s.word(i) != "of" && (k > j || s.word(j-1) != w && s.word(i) != "at" && s.word(i) != "by") {
		return s.timeTail(k + 1)
	}
	return i
}

// timeTail takes what may follow: the year of a month, the hour of a day, "ago".
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

// word gives the lower-case word of token i, "" beyond the end.
func (s *sentence) word(i int) string {
	if i < 0 || i >= len(s.t) {
		return ""
	}
	return s.t[i].lower
}

func (s *sentence) kind(i int) tokenKind {
	if i < 0 || i >= len(s.t) {
		return signToken
	}
	return s.t[i].kind
}

// skip gives the first token from i on that is none of the words.
func (s *sentence) skip(i int, words ...string) int {
	for n := 0; n < 6 && i < len(s.t); n++ {
		found := false
		for _, w := range words {
			found = found || s.t[i].lower == w
		}
		if !found {
			break
		}
		i++
	}
	return i
}
