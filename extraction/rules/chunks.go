package rules

// chunkKind is the kind of a chunk.
type chunkKind uint8

const (
	phraseChunk chunkKind = iota
	verbChunk
	wordChunk // a preposition, a conjunction, an adverb, or any other word
	timeChunk
	commaChunk
	breakChunk // a colon, a dash, a bracket: nothing before it governs what follows
)

// chunk is a phrase, a verb group, a time, or a single word or sign of a sentence.
type chunk struct {
	kind chunkKind
	a, b int
	p    arg
	g    group
	w    string // of a wordChunk
}

// chunks cuts a sentence into chunks.
func (s *sentence) chunks() []chunk {
	var out []chunk
	for i := 0; i < len(s.t); {
		c := s.chunkAt(i)
		out = append(out, c)
		i = max(c.b, i+1)
	}
	return out
}

func (s *sentence) chunkAt(i int) chunk {
	t := s.t[i]
	if t.kind == signToken {
		switch t.lower {
		case ",":
			return chunk{kind: commaChunk, a: i, b: i + 1, w: ","}
		case "&", "+", "/":
			return chunk{kind: wordChunk, a: i, b: i + 1, w: "and"}
		case "'", "’", "\"", "*", "_", "#", "@":
			return chunk{kind: wordChunk, a: i, b: i + 1, w: t.lower}
		}
		return chunk{kind: breakChunk, a: i, b: i + 1, w: t.lower}
	}
	if t.lower == "let" && s.word(i+1) == "us" {
		if g, ok := s.groupAt(i + 2); ok && g.bare && !g.negated {
			g.a, g.lets, g.decided = i, true, true
			return chunk{kind: verbChunk, a: i, b: g.b, g: g}
		}
		return chunk{kind: wordChunk, a: i, b: i + 2, w: "let"}
	}
	if next := s.timeAt(i); next > i {
		return chunk{kind: timeChunk, a: i, b: next, w: t.lower}
	}
	if t.kind != nameToken && !s.nounFirst(i) {
		if g, ok := s.groupAt(i); ok {
			return chunk{kind: verbChunk, a: i, b: g.b, g: g}
		}
	}
	if p, ok := s.phraseAt(i); ok {
		return chunk{kind: phraseChunk, a: i, b: p.b, p: p}
	}
	return chunk{kind: wordChunk, a: i, b: i + 1, w: t.lower}
}

// nounFirst reports whether a word that can be a noun or a verb is a noun, because a verb follows: "support lives in
// York".
func (s *sentence) nounFirst(i int) bool {
	v, next := verbForms[s.t[i].lower], s.word(i+1)
	return nounish[v.lemma] && v.forms&(formBase|formS) != 0 &&
		(auxiliaries[next] || verbForms[next].forms&(formS|formPast) != 0)
}
