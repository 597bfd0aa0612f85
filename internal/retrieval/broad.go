package retrieval

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// broadQuestion matches questions that ask for everything about something, in English.
var broadQuestion = text.Pattern(`(?i)\b(?:(?:what|which things|how much) (?:do|does|did|can|could) ` +
	`(?:i|you|we|they) (?:know|remember|have stored|have noted|tell me|say)(?: about| of| on)?|` +
	`what (?:is|do you have|have you got) (?:known|stored|noted|recorded|on file)|` +
	`what have (?:i|we) (?:told you|said) about|` +
	`what has been (?:said|stored|noted) about|tell me (?:everything|all|more|something)? ?about|` +
	`(?:everything|all|anything)(?: that)?(?: (?:you|i|we) (?:know|remember|have))? (?:about|on)|` +
	`(?:overview|summary|outline|picture) of|(?:summari[sz]e|sum up|describe)\b)`)

// newsQuestion matches questions that ask for what is new.
var newsQuestion = text.Pattern(`(?i)\b(?:what(?:['’]?s| is| has|['’]ve| have| was)(?: been)? ` +
	`(?:going on|happening|new|up)\b|(?:anything|something|what else(?: is|['’]s)?) new\b|` +
	`any (?:recent )?(?:news|updates?|developments)\b(?: (?:about|on|from|of))?|catch me up\b(?: (?:on|with))?|` +
	`bring me up to (?:date|speed)\b(?: (?:on|with))?|what did i miss\b)`)

// recentWords say that the newest is asked for, and nothing about the subject.
var recentWords = text.Pattern(`(?i)\b(?:lately|recently|these days|of late|nowadays|currently|so far|` +
	`(?:the )?latest|(?:this|last|past) (?:week|month|year)|today|yesterday)\b`)

// emptyWords say nothing about the subject of a broad question.
var emptyWords = wordSet(`give show please everything anything something things thing stuff`)

// Broad reports whether a question asks for everything about something or for what is new, not for one fact.
func Broad(question string) bool {
	_, ok := readBroad(question)
	return ok
}

// broad is a broad question.
type broad struct {
	stems  []string // of the subject's content words; none if it asks for everything
	newest bool     // it asks for what is new
}

// readBroad reads a broad question. ok is false if it is not one.
func readBroad(question string) (b broad, ok bool) {
	news, all := newsQuestion().MatchString(question), broadQuestion().MatchString(question)
	if !news && !all {
		return b, false
	}
	b.newest = news || recentWords().MatchString(question)
	rest := question
	for _, p := range []func() *regexp.Regexp{newsQuestion, broadQuestion, recentWords} {
		rest = p().ReplaceAllString(rest, " ")
	}
	for _, t := range text.Tokens(rest) {
		if !t.Stop() && !firstPerson[t.Word] && !emptyWords[t.Word] && !slices.Contains(b.stems, t.Stem) {
			b.stems = append(b.stems, t.Stem)
		}
	}
	return b, true
}

// subject returns a broad question without the words that make it broad: in "what do I know about chess?", neither "I"
// nor "know" is what is asked for. It returns the whole question if nothing else is left, or if it is not broad.
func subject(question string) string {
	at := broadQuestion().FindStringIndex(question)
	if at == nil {
		return question
	}
	rest := strings.TrimSpace(question[:at[0]] + question[at[1]:])
	for _, t := range text.Tokens(rest) {
		if !t.Stop() || firstPerson[t.Word] {
			return "about " + rest // "May" is a name inside a sentence only
		}
	}
	return question
}

// The limits for communities in an answer to a broad question.
const (
	maxCommunities      = 3
	comparedCommunities = 200 // the largest ones, whose words are compared with the question
	readCommunities     = 10  // candidates that are read as far as the question lets see them
	relevantShare       = .5  // least share of the question's words in a community's name, summary, members or facts
)

// addCommunities adds the communities that are relevant to a broad question. A summary is about the present, so a
// question about the past gets none. One that is narrowed to a project, a user, a session or a time is told of the
// facts stated there and of no others.
func (r *Retriever) addCommunities(ctx context.Context, req Request, a *Answer) error {
	b, ok := readBroad(req.Query)
	if !ok || r.Communities == nil || req.Graph == nil || !req.At.Now() {
		return nil
	}
	f := req.scope()
	ids, relevant, err := r.candidates(ctx, req, f, b, a)
	if err != nil || len(ids) == 0 {
		return err
	}
	found, err := r.Communities.CommunitiesWithin(ctx, f, ids[:min(len(ids), readCommunities)])
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(c memory.Community) bool { // others' words may have made it a candidate
		return relevant != nil && f.Narrow() && !relevant[c.ID] && b.share(c) < relevantShare
	})
	for i := range found {
		if found[i].Stale() {
			found[i].Summary = "" // it is not what holds now
		}
	}
	a.Communities = cutPage(found[:min(len(found), maxCommunities)], req, &a.More)
	return nil
}

// candidates returns the communities that may answer a broad question, best first: those of what it names; else, if it
// asks for everything, the newest, the speaker's or the largest; else those that share words or meaning with it.
// relevant, if it is not nil, has those whose relevance follows from facts that the question lets see.
func (r *Retriever) candidates(ctx context.Context, req Request, f memory.Filter, b broad, a *Answer) (ids []int64,
	relevant map[int64]bool, err error) {
	speaker, others := a.named(req)
	switch {
	case len(others) > 0:
		if ids, err = r.communitiesOf(ctx, req, others); err == nil {
			err = r.newestFirst(ctx, f, b, ids)
		}
	case len(b.stems) > 0:
		return r.relevantCommunities(ctx, req, f, b, a)
	case b.newest:
		ids, err = r.Communities.NewestCommunities(ctx, f)
	case len(speaker) > 0:
		ids, err = r.communitiesOf(ctx, req, speaker)
	default:
		var largest []memory.Community
		largest, err = r.Communities.LargestCommunities(ctx, req.Scope.Namespace, readCommunities)
		for _, c := range largest {
			ids = append(ids, c.ID)
		}
	}
	return ids, nil, err
}

// named returns the entities that the question names: the speaker, who is named by "me", and the others.
func (a Answer) named(req Request) (speaker, others []int64) {
	self := memory.Canonical(cmp.Or(req.Scope.User, selfName))
	for _, s := range a.Seeds {
		switch {
		case !a.names[s.Entity.ID]:
		case s.Entity.Canonical == self || slices.Contains(s.Entity.Aliases, self):
			speaker = append(speaker, s.Entity.ID)
		default:
			others = append(others, s.Entity.ID)
		}
	}
	return speaker, others
}

// communitiesOf returns the communities of entities, in their order.
func (r *Retriever) communitiesOf(ctx context.Context, req Request, entities []int64) (ids []int64, err error) {
	of, err := r.Communities.CommunityOf(ctx, req.Scope.Namespace, entities)
	for _, e := range entities {
		if c := of[e]; c != 0 && !slices.Contains(ids, c) {
			ids = append(ids, c)
		}
	}
	return ids, err
}

// share returns the share of the question's words that the name, the summary or the members of a community have.
func (b broad) share(c memory.Community) float64 {
	said := c.Name + " " + c.Summary
	for _, n := range c.Central {
		said += " " + n.Name
	}
	return share(b.stems, stemsOf(said), nil)
}

// relevantCommunities returns the communities that share words with a question or have a fact of the answer that does,
// or a member whose vector is similar to the question's. Other members than those of the answer's facts may be of
// somebody else, so a narrowed question is not compared with vectors.
func (r *Retriever) relevantCommunities(ctx context.Context, req Request, f memory.Filter, b broad, a *Answer) (
	ids []int64, relevant map[int64]bool, err error) {
	score, of := map[int64]float64{}, map[int64]float64{}
	for _, found := range a.Relations {
		fact := found.Relationship
		s := share(b.stems, stemsOfFact(fact), nil)
		if s >= relevantShare {
			of[fact.Head.ID], of[fact.Tail.ID] = max(of[fact.Head.ID], s), max(of[fact.Tail.ID], s)
		}
	}
	if !f.Narrow() {
		for _, h := range near(a.near) {
			of[h.ID] = max(of[h.ID], h.Score)
		}
	}
	community, err := r.Communities.CommunityOf(ctx, req.Scope.Namespace, slices.Sorted(maps.Keys(of)))
	if err != nil {
		return nil, nil, err
	}
	relevant = map[int64]bool{}
	for e, s := range of {
		if c := community[e]; c != 0 {
			score[c], relevant[c] = max(score[c], s), true
		}
	}
	largest, err := r.Communities.LargestCommunities(ctx, req.Scope.Namespace, comparedCommunities)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range largest {
		if s := b.share(c); s >= relevantShare {
			score[c.ID] = max(score[c.ID], s)
		}
	}
	ids = slices.SortedFunc(maps.Keys(score), func(x, y int64) int {
		return cmp.Or(cmp.Compare(score[y], score[x]), cmp.Compare(x, y))
	})
	return ids, relevant, r.newestFirst(ctx, f, b, ids)
}

// newestFirst sorts communities by their newest facts, if the question asks for what is new.
func (r *Retriever) newestFirst(ctx context.Context, f memory.Filter, b broad, ids []int64) error {
	if !b.newest || len(ids) < 2 {
		return nil
	}
	newest, err := r.Communities.NewestCommunities(ctx, f)
	slices.SortStableFunc(ids, func(x, y int64) int { return cmp.Compare(place(newest, x), place(newest, y)) })
	return err
}

// place returns where an id stands in a list, behind all of them if it does not.
func place(list []int64, id int64) int {
	if at := slices.Index(list, id); at >= 0 {
		return at
	}
	return len(list)
}
