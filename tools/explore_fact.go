package tools

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

const factText = "One fact with the turns that say it, the words that matter in them, its conflicts, what it " +
	"superseded and what superseded it."

// Limits of a fact's page.
const (
	mostEvidence   = 50
	mostSuperseded = 50
)

type factPageArgs struct {
	RelationshipID string `json:"relationship_id" jsonschema_description:"The fact: r34"`
	scopeArgs
}

type factResult struct {
	Fact          shownFact      `json:"fact"`
	Evidence      []evidenceItem `json:"evidence"` // the newest first
	EvidenceCount int            `json:"evidence_count"`
	SupersededBy  *shownFact     `json:"superseded_by,omitempty"`
	Supersedes    []shownFact    `json:"supersedes"`
	Conflicts     []shownClash   `json:"conflicts"`
}

// evidenceItem is a turn that says a fact.
type evidenceItem struct {
	episodeItem
	Methods    []string `json:"methods"`
	Trust      int      `json:"trust"`
	Cut        string   `json:"cut,omitempty" jsonschema:"enum=start,enum=end,enum=both"` // where content is cut
	Highlights [][2]int `json:"highlights"`                                               // of content, in UTF-16 units
}

// newFact returns the tool behind the page of a fact.
func newFact(mem Memory, o Options) (Tool, error) {
	s := spec{name: "fact", title: "One fact with its evidence", description: factText, readOnly: true, idempotent: true}
	return define(o, s, func(ctx context.Context, in factPageArgs) (factResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return factResult{}, err
		}
		f := fields{o: o}
		id := f.id("relationship_id", in.RelationshipID, memory.KindRelationship, "r34")
		if f.err != nil {
			return factResult{}, f.err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return factResult{}, err
		}
		return readFact(ctx, records, o, o.withDefaults(sc).Namespace, id)
	})
}

func readFact(ctx context.Context, records Records, o Options, namespace string, id int64) (factResult, error) {
	list, err := records.Relationships(ctx, namespace, []int64{id}, memory.AsOf{})
	if err == nil && len(list) == 0 {
		err = memory.Errorf(memory.NotFound, "There is no fact %s in namespace %q.", memory.RelationshipID(id), namespace).
			WithHint("It may have been forgotten. Search for its head.")
	}
	if err != nil {
		return factResult{}, err
	}
	r := list[0]
	show, err := o.factShower(ctx, records, namespace)
	if err != nil {
		return factResult{}, err
	}
	res := factResult{Fact: show.show(r), Evidence: []evidenceItem{}, Conflicts: []shownClash{}}
	said, all, err := records.EvidenceOf(ctx, namespace, id, mostEvidence)
	if err != nil {
		return factResult{}, err
	}
	for _, e := range said {
		res.Evidence = append(res.Evidence, newEvidenceItem(e, r))
	}
	res.EvidenceCount = all
	older, err := records.SupersededBy(ctx, namespace, id, mostSuperseded)
	if err != nil {
		return factResult{}, err
	}
	res.Supersedes = show.showAll(older)
	if r.SupersededBy != 0 {
		later, err := records.Relationships(ctx, namespace, []int64{r.SupersededBy}, memory.AsOf{})
		if err != nil {
			return factResult{}, err
		}
		for _, l := range later {
			res.SupersededBy = to(show.show(l))
		}
	}
	if r.Active(show.now) {
		clashes, _, err := show.clashes(ctx, records, namespace, r.Head.ID, o.MaxResults)
		if err != nil {
			return factResult{}, err
		}
		for _, c := range clashes {
			if slices.ContainsFunc(c.Facts, func(f shownFact) bool { return f.ID == res.Fact.ID }) {
				res.Conflicts = append(res.Conflicts, c)
			}
		}
	}
	return res, nil
}

func newEvidenceItem(e memory.Evidence, r memory.Relationship) evidenceItem {
	marks := marked(e.Episode.Content, e.Quote, r.Head.Name, r.Tail.Name)
	text, cut, marks := excerpt(e.Episode.Content, marks)
	it := newEpisodeItem(retrieval.FoundEpisode{Episode: e.Episode}, shape{detail: detailFull})
	it.Content, it.Truncated = text, cut != ""
	methods := make([]string, len(e.Methods))
	for i, m := range e.Methods {
		methods[i] = string(m)
	}
	return evidenceItem{it, methods, e.Episode.Origin.Trust(), cut, utf16Spans(text, marks)}
}

const turnText = "One turn, and the facts that it is evidence of."

type turnArgs struct {
	Episode string `json:"episode" jsonschema_description:"The turn: t56"`
	scopeArgs
}

type turnResult struct {
	Turn  episodeItem `json:"turn"`
	Trust int         `json:"trust"`
	Facts []shownFact `json:"facts"`
}

// newTurn returns the tool behind the page of a turn.
func newTurn(mem Memory, o Options) (Tool, error) {
	s := spec{name: "turn", title: "One turn with its facts", description: turnText, readOnly: true, idempotent: true}
	return define(o, s, func(ctx context.Context, in turnArgs) (turnResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return turnResult{}, err
		}
		f := fields{o: o}
		id := f.id("episode", in.Episode, memory.KindEpisode, "t56")
		if f.err != nil {
			return turnResult{}, f.err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return turnResult{}, err
		}
		namespace := o.withDefaults(sc).Namespace
		list, err := records.Episodes(ctx, namespace, []int64{id})
		unsaid := func(e memory.Episode) bool {
			return e.Status == memory.StatusWithdrawn || e.Status == memory.StatusNote
		}
		if list = slices.DeleteFunc(list, unsaid); err == nil && len(list) == 0 {
			err = memory.Errorf(memory.NotFound, "There is no turn %s in namespace %q.", memory.EpisodeID(id), namespace).
				WithHint("It may have been forgotten.")
		}
		if err != nil {
			return turnResult{}, err
		}
		show, err := o.factShower(ctx, records, namespace)
		if err != nil {
			return turnResult{}, err
		}
		facts, err := records.FactsSaidIn(ctx, namespace, id, o.MaxResults)
		return turnResult{newEpisodeItem(retrieval.FoundEpisode{Episode: list[0]}, shape{detail: detailFull}),
			list[0].Origin.Trust(), show.showAll(facts)}, err
	})
}
