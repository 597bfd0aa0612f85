package retrieval

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"memory-graph/internal/text"
)

// Passages. A turn may be one line or an essay. The words of a question count where they stand together, so a turn has
// the text score of its best passage: consecutive sentences of at most passageTokens tokens, or one longer sentence.
// The score is BM25 with the usual k1 and b. The index only finds the candidates: its statistics are of whole turns,
// and an essay contains every common word.
const (
	passageTokens = 80
	// longestHeading is the length in bytes up to which a first line is the heading of what follows.
	longestHeading = 100
	bm25K1         = 1.2
	bm25B          = .75

	// A word is common if it is in commonShare of texts of this length. In a memory of long turns, a word may be in
	// many turns and still be rare.
	commonTokens = 30
	// fewEpisodes is the number of episodes below which the words of a namespace are weighed as in so many. Of a few
	// episodes, every word is in a large part.
	fewEpisodes = 100
)

// passage is a part of a turn's content, in bytes.
type passage struct{ from, to int }

func (p passage) of(content string) string { return content[p.from:p.to] }

// reading is what a question's words find in one turn.
type reading struct {
	sentences []sentence
	tokens    int
	speaker   []text.Match // in the speaker's name, which counts in every passage
	heading   []text.Match // in a first line without an end mark, which counts in every passage too
}

// sentence is a sentence or a line of a turn.
type sentence struct {
	passage
	tokens int
	found  []text.Match
}

// reader finds the words of a question in turns.
type reader struct {
	matcher *text.Matcher
	stems   []string
	index   map[string]int
	terms   [][]int // of the query, as indexes of stems
}

func newReader(q text.Query) *reader {
	r := &reader{index: map[string]int{}}
	for _, t := range q.Terms {
		term := make([]int, len(t.Words))
		for i, w := range t.Words {
			at, ok := r.index[w]
			if !ok {
				at = len(r.stems)
				r.index[w] = at
				r.stems = append(r.stems, w)
			}
			term[i] = at
		}
		r.terms = append(r.terms, term)
	}
	r.matcher = text.NewMatcher(r.stems)
	return r
}

// found reports whether the turn has a word of the question.
func (x *reading) found() bool {
	return slices.ContainsFunc(x.sentences, func(s sentence) bool { return len(s.found) > 0 })
}

// readAll reads the turns that were not read yet, half of them in parallel.
func (r *reader) readAll(cs []*candidate) {
	read := func(r *reader, cs []*candidate) {
		for _, c := range cs {
			if c.reading == nil {
				c.readContent()
				c.reading = r.read(c.turn.Speaker, c.turn.Content)
			}
		}
	}
	other := &reader{matcher: text.NewMatcher(r.stems)}
	var beside sync.WaitGroup
	beside.Go(func() { read(other, cs[:len(cs)/2]) })
	read(r, cs[len(cs)/2:])
	beside.Wait()
}

// read reads a turn. It takes time linear in the length of the content.
func (r *reader) read(speaker, content string) *reading {
	out := &reading{}
	out.speaker, _ = r.matcher.Find(speaker, nil)
	from := 0
	for from < len(content) {
		to := from + sentenceEnd(content[from:])
		s := sentence{passage: passage{from, to}}
		if s.found, s.tokens = r.matcher.Find(content[from:to], nil); s.tokens > 0 {
			if from == 0 && isHeading(content[:to]) {
				out.heading = s.found
			}
			out.sentences = append(out.sentences, s)
			out.tokens += s.tokens
		}
		from = to
	}
	return out
}

// silent reports whether the turn has no word of the question.
func (r *reading) silent() bool {
	return len(r.speaker) == 0 && !r.found()
}

// isHeading reports whether a first sentence or line is a heading: a short line without an end mark.
func isHeading(s string) bool {
	return len(s) <= longestHeading && strings.HasSuffix(s, "\n") && !strings.ContainsAny(s, ".?!:;")
}

// sentenceEnd returns the length of the first sentence or line of a text, which is not empty.
func sentenceEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return i + 1
		case '.', '?', '!', ';':
			if i+1 < len(s) && (s[i+1] == ' ' || s[i+1] == '\n') {
				return i + 1
			}
		}
	}
	return len(s)
}

// termWeights holds the weight of each term of a question for the text score; 0 for a term that does not count.
type termWeights struct {
	terms   [][]int
	weights []float64
	single  []int   // the term of each stem alone, or -1
	average float64 // of the tokens of a turn, at most passageTokens of each
	whole   float64 // of all terms, also those that no episode contains
}

// weigh weighs the terms: ln(1 + (N − n + ½) / (n + ½)), where n of N episodes contain the term. A term of several
// words is as rare as its rarest word. Common words do not count, unless there are no others. A term with a word that
// no episode contains counts only for the whole.
func (r *reader) weigh(f frequencies, readings []*reading) termWeights {
	w := termWeights{terms: r.terms, weights: make([]float64, len(r.terms)), single: make([]int, len(r.stems))}
	tokens := 0.
	for _, x := range readings {
		tokens += float64(x.tokens)
		w.average += float64(min(x.tokens, passageTokens))
	}
	n := math.Max(1, float64(len(readings)))
	w.average = math.Max(1, w.average/n)
	part := math.Min(1, commonTokens/math.Max(1, tokens/n))
	for i := range w.single {
		w.single[i] = -1
	}
	rare := false
	for _, onlyRare := range []bool{true, false} {
		for i, term := range r.terms {
			if len(term) == 1 {
				w.single[term[0]] = i
			}
			for _, stem := range term {
				share := f.share(r.stems[stem])
				if share == 0 || onlyRare && len(term) == 1 && 1-math.Pow(1-share, part) >= commonShare {
					continue
				}
				all, with := math.Max(float64(f.episodes), fewEpisodes), share*float64(f.episodes)
				w.weights[i] = max(w.weights[i], math.Log1p(math.Max(0, all-with+.5)/(with+.5)))
				rare = rare || len(term) == 1
			}
		}
		if rare {
			break
		}
	}
	for i, term := range r.terms {
		unknown := slices.ContainsFunc(term, func(stem int) bool { return f.share(r.stems[stem]) == 0 })
		if unknown {
			w.whole += math.Log1p((math.Max(float64(f.episodes), fewEpisodes) + .5) / .5)
		} else {
			w.whole += w.weights[i]
		}
	}
	return w
}

// best returns the text score of a turn, 0 if it has no word that counts, and the passage that has it: the first one
// without such a word.
func (w termWeights) best(x *reading) (score float64, at passage) {
	counts := make([]float64, len(w.terms))
	for i, first := range x.sentences {
		if i > 0 && len(first.found) == 0 {
			continue
		}
		clear(counts)
		w.count(counts, x.speaker)
		if i > 0 {
			w.count(counts, x.heading)
		}
		tokens, end := 0, i
		for end < len(x.sentences) && (end == i || tokens+x.sentences[end].tokens <= passageTokens) {
			w.count(counts, x.sentences[end].found)
			tokens += x.sentences[end].tokens
			end++
		}
		length := bm25K1 * (1 - bm25B + bm25B*float64(tokens)/w.average)
		sum := 0.
		for t, n := range counts {
			if n > 0 {
				sum += w.weights[t] * n * (bm25K1 + 1) / (n + length)
			}
		}
		if i == 0 || sum > score {
			score, at = sum, passage{first.from, x.sentences[end-1].to}
		}
	}
	return score, at
}

// count adds the terms of a sentence to their counts.
func (w termWeights) count(counts []float64, found []text.Match) {
	for _, m := range found {
		if t := w.single[m.Stem]; t >= 0 {
			counts[t]++
		}
	}
	for t, term := range w.terms {
		if len(term) < 2 {
			continue
		}
		for i := 0; i+len(term) <= len(found); i++ {
			k := 0
			for k < len(term) && found[i+k].Stem == term[k] && found[i+k].At == found[i].At+k {
				k++
			}
			if k == len(term) {
				counts[t]++
			}
		}
	}
}

// contain is the number of turns with the best text scores that tell how much of a question the memory has in words.
const contain = 10

// share returns the share of the question, 0..1, that the turns with the best scores contain together.
func (w termWeights) share(readings []*reading, scores []float64) float64 {
	best := make([]int, len(scores))
	for i := range best {
		best[i] = i
	}
	slices.SortFunc(best, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	counts := make([]float64, len(w.terms))
	for _, i := range best[:min(len(best), contain)] {
		if scores[i] == 0 {
			break
		}
		w.count(counts, readings[i].speaker)
		for _, s := range readings[i].sentences {
			w.count(counts, s.found)
		}
	}
	found := 0.
	for t, n := range counts {
		if n > 0 {
			found += w.weights[t]
		}
	}
	return found / w.whole
}

// readText sets the text score and the passage of each candidate, and the text score of each session. The best of each
// gets the share of the question that the best turns contain together. So words decide less if the question has other
// words than the memory. Echoes are not among the best. If no other turn has a word that counts, the candidates keep
// the scores of the index, and a session has the best of its turns.
func readText(cs []*candidate, q *parsedQuestion, f frequencies) {
	q.reader.readAll(cs)
	readings := make([]*reading, len(cs))
	for i, c := range cs {
		readings[i] = c.reading
	}
	w := q.reader.weigh(f, readings)
	best := 0.
	scores := make([]float64, len(cs))
	evident := make([]float64, len(cs)) // the scores, 0 for echoes
	for i, c := range cs {
		scores[i], c.passage = w.best(c.reading)
		if !c.echo {
			evident[i] = scores[i]
			best = math.Max(best, evident[i])
		}
	}
	if best == 0 {
		for _, c := range cs {
			if c.session != nil {
				c.session.text = math.Max(c.session.text, c.text)
			}
		}
		return
	}
	share := w.share(readings, evident)
	for i, c := range cs {
		c.text = share * math.Min(1, scores[i]/best)
	}
	sessionText(cs, w, share)
}

// sessionText sets the text score of each session: BM25 of the session as one document, whose words are those of its
// turns that text search found. Each turn counts a word once; the length of a session does not count. The best session
// gets the highest score.
func sessionText(cs []*candidate, w termWeights, highest float64) {
	counts := map[*session][]float64{}
	for _, c := range cs {
		if c.session == nil {
			continue
		}
		if counts[c.session] == nil {
			counts[c.session] = make([]float64, len(w.single))
		}
		if c.textRank == 0 || c.echo {
			continue
		}
		seen := make([]bool, len(w.single))
		for _, s := range c.reading.sentences {
			for _, m := range s.found {
				if !seen[m.Stem] {
					seen[m.Stem] = true
					counts[c.session][m.Stem]++
				}
			}
		}
	}
	with := make([]float64, len(w.single))
	for _, n := range counts {
		for stem, k := range n {
			if k > 0 {
				with[stem]++
			}
		}
	}
	best := 0.
	for s, n := range counts {
		s.text = 0
		for stem, k := range n {
			if k == 0 || w.single[stem] < 0 || w.weights[w.single[stem]] == 0 {
				continue
			}
			idf := math.Log1p((float64(len(counts)) - with[stem] + .5) / (with[stem] + .5))
			s.text += idf * k * (bm25K1 + 1) / (k + bm25K1)
		}
		best = math.Max(best, s.text)
	}
	for s := range counts {
		if best > 0 {
			s.text *= highest / best
		}
	}
}
