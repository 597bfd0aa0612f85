package contextblock_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/classifier"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
)

func TestBuild_TheLessAMessageIsAboutTheMoreItTakesToShowSomething(t *testing.T) {
	t.Parallel()
	faint, fair, clear, whole := retrieval.Evidence{Coverage: .1, Cosine: .1,
		HasVector: true}, retrieval.Evidence{Coverage: .2, Cosine: .3, HasVector: true},
		retrieval.Evidence{Coverage: .5, Cosine: .4, HasVector: true}, retrieval.Evidence{Coverage: 1, Cosine: .7,
			HasVector: true}
	for _, tc := range []struct {
		particular float64
		evidence   retrieval.Evidence
		want       bool
	}{
		{.95, faint, false}, // "which database do we use?", of which nothing is known
		{.95, fair, true},
		{.6, retrieval.Evidence{Coverage: 0, Cosine: .32, HasVector: true}, false},
		// no common word, but a similar vector
		{.95, retrieval.Evidence{Coverage: 0, Cosine: .32, HasVector: true}, true},
		{.999, retrieval.Evidence{Coverage: 0, Cosine: .24, HasVector: true}, false}, // no evidence
		{.5, fair, false},
		{.5, clear, true},
		{0, clear, true}, // unclassified
		{0, fair, false},
		{.02, clear, false}, // "write a haiku about the sea"
		{.02, whole, true},
		{.95, retrieval.Evidence{}, false},
		{.5, retrieval.Evidence{Coverage: .1}, false}, // no vector yet: judged by its words
		{.5, retrieval.Evidence{Coverage: .4}, true},
		{.95, retrieval.Evidence{Coverage: .1}, true},
		{.02, retrieval.Evidence{Coverage: .3}, false},
	} {
		found := turn(1, "", "Something that was said.", 1)
		found.Evidence = tc.evidence
		class := sure(classifier.NewTopic)
		class.Particular = tc.particular
		f := &fake{class: class, answer: retrieval.Answer{Match: retrieval.Weak, Episodes: []retrieval.FoundEpisode{found}}}
		got := f.build(t, contextblock.Request{Message: "x", Budget: 500})
		if (got.Block != "") != tc.want {
			t.Errorf("particular %.2f, %+v: block %q", tc.particular, tc.evidence, got.Block)
		}
		if !tc.want && got.Reason != contextblock.ReasonNothing {
			t.Errorf("particular %.2f, %+v: reason %q", tc.particular, tc.evidence, got.Reason)
		}
	}
}

func TestBuild_ShowsOnlyWhatComesCloseToTheBest(t *testing.T) {
	t.Parallel()
	with := func(f retrieval.FoundEpisode, coverage float64) retrieval.FoundEpisode {
		f.Evidence = retrieval.Evidence{Coverage: coverage, Cosine: .6 * coverage, HasVector: true}
		return f
	}
	answered := func(f retrieval.FoundEpisode) retrieval.FoundEpisode {
		f.Episode.Role, f.Episode.Origin = memory.RoleAssistant, memory.OriginAgent
		return f
	}
	f := &fake{class: sure(classifier.NewTopic),
		answer: retrieval.Answer{Match: retrieval.Strong, Episodes: []retrieval.FoundEpisode{
			with(turn(1, "s", "We pay by Mollie now.", 4), 1),
			with(answered(turn(2, "s", "Noted: you pay by Mollie.", 3.5)), .9),                              // repeats it
			with(answered(turn(3, "s", "Mollie takes 0.32 a payment and settles on the next day.", 3)), .8), // adds to it
			with(turn(4, "", "The invoices are sent on the first.", 2), .4),
			with(answered(turn(5, "", "I renamed the module to billing/core.", 2)), .4), // an assistant's turn
			with(turn(6, "", "Standup is at nine.", .4), .1),
		}}}
	got := f.build(t, contextblock.Request{Message: "Which payment provider?", Budget: 500})
	if diff := cmp.Diff([]int64{1, 3}, order(got.Answer.Episodes)); diff != "" {
		t.Error(diff)
	}
}

// If the message is surely particular, weaker items are shown too: the best item is often not the one that helps.
func TestBuild_TheSurerTheMessageTheMoreStandsBesideTheBest(t *testing.T) {
	t.Parallel()
	with := func(id int64, score, coverage float64) retrieval.FoundEpisode {
		f := turn(id, "", fmt.Sprint("Something that was said, ", id), score)
		f.Evidence = retrieval.Evidence{Coverage: coverage, Cosine: .6 * coverage, HasVector: true}
		return f
	}
	for particular, want := range map[float64][]int64{.5: {1, 2}, .9: {1, 2, 3}} {
		class := sure(classifier.NewTopic)
		class.Particular = particular
		f := &fake{class: class, answer: retrieval.Answer{Match: retrieval.Strong,
			Episodes: []retrieval.FoundEpisode{with(1, 4, 1), with(2, 2.5, .7), with(3, 1.4, .4), with(4, .4, .1)}}}
		got := f.build(t, contextblock.Request{Message: "Which provider?", Budget: 500})
		if diff := cmp.Diff(want, order(got.Answer.Episodes)); diff != "" {
			t.Errorf("particular %.1f:\n%s", particular, diff)
		}
	}
}

// A request that names somebody whom the memory knows is about them, whatever it sounds like. The user is not named.
func TestBuild_AKnownPersonsNameMakesAMessageParticular(t *testing.T) {
	t.Parallel()
	about := turn(1, "", "Marta collects fountain pens.", 1)
	about.Evidence = retrieval.Evidence{Coverage: .4, Cosine: .3, HasVector: true}
	seed := func(name, typ string, score float64) []retrieval.FoundEntity {
		return []retrieval.FoundEntity{{Score: score, Entity: memory.Entity{ID: 9, Name: name, Type: typ}}}
	}
	for _, tc := range []struct {
		message string
		seeds   []retrieval.FoundEntity
		want    bool
	}{
		{"a present for Marta's housewarming", seed("Marta", "person", 1), true},
		{"a present for Marta's housewarming", seed("Marta Lopes", "person", 1), true},
		{"a present for Marta's housewarming", nil, false},
		{"a present for me", seed("Marta", "person", 1), false}, // Marta is the user
		{"what does a user of it want from me", seed("User", "person", 1), false},
		{"a present for Martin", seed("Marta", "person", .4), false}, // only similar
		{"explain what Nomad is", seed("Nomad", "tool", 1), false},
	} {
		class := sure(classifier.NewTopic)
		class.Particular = .2
		f := &fake{class: class, answer: retrieval.Answer{Match: retrieval.Weak, Seeds: tc.seeds,
			Episodes: []retrieval.FoundEpisode{about}}}
		if got := f.build(t, contextblock.Request{Message: tc.message, Budget: 500}); (got.Block != "") != tc.want {
			t.Errorf("%q with %v: block %q", tc.message, tc.seeds, got.Block)
		}
	}
}

// A fact counts as much as its words or the best turn that states it. That it is about the user is not enough.
func TestBuild_AFactEarnsItsPlace(t *testing.T) {
	t.Parallel()
	of := func(id int64, coverage float64, evidence ...int64) retrieval.FoundRelation {
		f := fact(id, now, func(r *memory.Relationship) {
			r.Head.ID, r.Tail.ID, r.Evidence = 100+id, 200+id, evidence
		})
		f.Coverage = coverage
		return f
	}
	entity := func(id int64, score float64) retrieval.FoundEntity {
		return retrieval.FoundEntity{Score: score,
			Entity: memory.Entity{ID: id, Name: "N", Description: "d", Confidence: 1, Origin: memory.OriginUser}}
	}
	answer := retrieval.Answer{Match: retrieval.Strong,
		Episodes:  []retrieval.FoundEpisode{turn(7, "", "Ann deploys with Nomad.", 1)},
		Relations: []retrieval.FoundRelation{of(1, 1), of(2, 0, 7), of(3, 0), of(4, 0, 8)},
		Entities: []retrieval.FoundEntity{entity(101, .5), entity(203, .5),
			entity(900, 1)}, Seeds: []retrieval.FoundEntity{entity(900, 1)}}
	for _, tc := range []struct {
		class    classifier.Class
		previous string
		want     []int64
	}{
		{classifier.NewTopic, "So you edit in Vim.", []int64{1, 2}},
		// what is corrected may have been named just before
		{classifier.Correction, "So you edit in Vim.", []int64{1, 2, 3, 4}},
		{classifier.Correction, "Done.", []int64{1, 2}},
	} {
		got := (&fake{class: sure(tc.class), answer: answer}).build(t,
			contextblock.Request{Message: "x", Previous: []string{tc.previous}, Budget: 500})
		var ids, entities []int64
		for _, f := range got.Answer.Relations {
			ids = append(ids, f.Relationship.ID)
		}
		for _, e := range got.Answer.Entities {
			entities = append(entities, e.Entity.ID)
		}
		if diff := cmp.Diff(tc.want, ids); diff != "" {
			t.Errorf("%s:\n%s", tc.class, diff)
		}
		if want := []int64{101, 900}; tc.class == classifier.NewTopic && !cmp.Equal(want, entities) {
			t.Errorf("entities %v, want %v: those of a fact, and the one that is named", entities, want)
		}
	}
}
