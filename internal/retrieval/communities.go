package retrieval

import (
	"context"
	"fmt"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// Communities reads the communities of the graph.
type Communities interface {
	// CommunitiesOf returns the communities with these ids, then those of these entities, each once and in this order.
	CommunitiesOf(ctx context.Context, namespace string, ids, members []int64) ([]memory.Community, error)
	// LargestCommunities returns the communities with most members.
	LargestCommunities(ctx context.Context, namespace string, limit int) ([]memory.Community, error)
	// CommunityOf returns the communities of entities, without those that are in none.
	CommunityOf(ctx context.Context, namespace string, entities []int64) (map[int64]int64, error)
}

// broadQuestion matches questions that ask for everything about something, in English.
var broadQuestion = text.Pattern(`(?i)\b(?:(?:what|which things|how much) (?:do|does|did|can|could) ` +
	`(?:i|you|we|they) (?:know|remember|have stored|have noted|tell me|say)(?: about| of| on)?|` +
	`what (?:is|do you have|have you got) (?:known|stored|noted|recorded|on file)|` +
	`what have (?:i|we) (?:told you|said) about|` +
	`what has been (?:said|stored|noted) about|tell me (?:everything|all|more|something)? ?about|` +
	`(?:everything|all|anything)(?: that)?(?: (?:you|i|we) (?:know|remember|have))? (?:about|on)|` +
	`(?:overview|summary|outline|picture) of|(?:summari[sz]e|sum up|describe)\b)`)

// Broad reports whether a question asks for everything about something, not for one fact.
func Broad(question string) bool { return broadQuestion().MatchString(question) }

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

// maxCommunities is the maximum number of communities in an answer to a broad question.
const maxCommunities = 3

// addCommunities adds the communities of what a broad question names, or the largest ones if it names nothing. A
// summary is about the present and all turns of the namespace, so a question about the past or about one project, user
// or session gets none.
func (r *Retriever) addCommunities(ctx context.Context, req Request, a *Answer) error {
	if r.Communities == nil || req.Graph == nil || !req.At.Now() || !Broad(req.Query) ||
		req.Scope != (memory.Scope{Namespace: req.Scope.Namespace}) {
		return nil
	}
	var members []int64
	for _, s := range a.Seeds {
		members = append(members, s.Entity.ID)
	}
	var found []memory.Community
	var err error
	if len(members) > 0 {
		found, err = r.Communities.CommunitiesOf(ctx, req.Scope.Namespace, nil, members)
	} else {
		found, err = r.Communities.LargestCommunities(ctx, req.Scope.Namespace, maxCommunities)
	}
	for i := range found {
		if found[i].Stale() {
			found[i].Summary = "" // it is not what holds now
		}
	}
	a.Communities = cutPage(found[:min(len(found), maxCommunities)], req, &a.More)
	return err
}

// communityItems adds the requested communities to an answer by ids.
func (r *Retriever) communityItems(ctx context.Context, req Request, nums []int64, answer *Answer,
	missing map[memory.ID]bool) error {
	if len(nums) == 0 || r.Communities == nil {
		return nil
	}
	found, err := r.Communities.CommunitiesOf(ctx, req.Scope.Namespace, nums, nil)
	for _, c := range found {
		delete(missing, c.Ref())
	}
	answer.Communities = found
	return err
}

// communityShare is the largest share of a block for the summaries of communities.
const communityShare = 1. / 3

// communityLines returns "- name (12 members): summary" for communities whose summary rests on nothing that only tools
// or files say.
func communityLines(list []memory.Community) []string {
	var lines []string
	for _, c := range list {
		name, summary := inLine(c.Name, maxNameRunes), inLine(c.Summary, maxLineRunes)
		if name != "" && summary != "" && c.Origin.Trust() > memory.OriginTool.Trust() {
			lines = append(lines, fmt.Sprintf("- %s (%d members): %s\n", name, c.Size, summary))
		}
	}
	return lines
}

// communitiesOfSeeds sets the communities of seeds, unless no community can have more than limit seeds.
func (r *Retriever) communitiesOfSeeds(ctx context.Context, namespace string, seeds []graph.Seed, limit int) error {
	if r.Communities == nil || limit <= 0 || len(seeds) <= limit {
		return nil
	}
	nodes := make([]int64, len(seeds))
	for i, s := range seeds {
		nodes[i] = s.Node
	}
	of, err := r.Communities.CommunityOf(ctx, namespace, nodes)
	for i := range seeds {
		seeds[i].Community = of[seeds[i].Node]
	}
	return err
}
