package rules

import "strings"

// labelled reads what notes say in the form of a list: "Stack: Go, Postgres", "Owner of the billing service: Maria Chen".
func (r *reader) labelled(s *sentence, chunks []chunk) {
	if len(chunks) < 3 || chunks[0].kind != phraseChunk || chunks[0].p.kind == argName && chunks[0].p.of == nil {
		return
	}
	colon := 1
	for colon < len(chunks) && colon < 5 && !(chunks[colon].kind == breakChunk && chunks[colon].w == ":") {
		if chunks[colon].kind == verbChunk {
			return
		}
		colon++
	}
	if colon+1 >= len(chunks) || chunks[colon].kind != breakChunk || chunks[colon].w != ":" || chunks[colon+1].kind != phraseChunk {
		return
	}
	c := &clause{s: s, c: chunks, verb: colon}
	if c.startsClause(colon + 1) {
		return
	}
	p := chunks[0].p
	list, ok := c.list(colon + 1)
	if !ok {
		return
	}
	end := chunks[list.end-1].b
	if owner, _, ok := c.owner(p); ok {
		r.kin(c, p.head, owner, list.args, end)
		return
	}
	if kinships[p.head].states != "uses" || colon != 1 || p.kind == argNone {
		return
	}
	for _, v := range list.args {
		n := s.nameOf(v)
		if n == nil || n.sort&sortTechnical == 0 {
			continue
		}
		if e, ok := s.fit(software, v); ok {
			r.emit(s, fact{head: r.self(), tail: e, relation: "uses", conf: fair, a: 0, b: end})
		}
	}
}

// styleNouns are what people want to be so or so.
var styleNouns = set(`answer answers reply replies response responses explanation explanations comment comments commit commits message messages output example examples docs
documentation summary summaries report reports code diffs patches names tests emails sentences paragraphs lists tables headings tone style`)

// wish reads what the user is noted to have asked for: "User asked to keep answers short".
func (r *reader) wish(s *sentence) {
	if s.user || s.word(0) != "user" && s.word(1) != "user" {
		return
	}
	for i := 1; i+2 < len(s.t); i++ {
		if s.t[i].lower != "keep" || s.word(i-1) != "to" || i > 6 {
			continue
		}
		j := s.skip(i+1, "the", "all", "its", "my", "their", "your")
		if !styleNouns[s.word(j)] || s.kind(j+1) != wordToken || !s.nominal(j+1) || j+2 < len(s.t) && s.nominal(j+2) {
			return
		}
		for k := range i {
			if negations[s.t[k].lower] || doubts[s.t[k].lower] && s.t[k].lower != "asked" && s.t[k].lower != "asks" {
				return
			}
		}
		text := s.text[s.t[j+1].start:s.t[j+1].stop] + " " + s.text[s.t[j].start:s.t[j].stop]
		r.emit(s, fact{head: r.self(), tail: endpoint{text: strings.ToLower(text), stop: s.t[j+1].stop}, relation: "prefers", conf: fair, a: 0, b: j + 2})
		return
	}
}
