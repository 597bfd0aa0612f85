package store

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
)

// speaker merges the entity with its name, if it is a speaker who stated exactly one name, which nobody else states.
func (h *healing) speaker(ctx context.Context) (bool, error) {
	w := h.w
	if !memory.IsPerson(h.n.typ) && !h.n.assumed() {
		return false, nil
	}
	type pair struct {
		node
		canonical string
	}
	var names []pair
	if err := w.c.query(ctx, `SELECT DISTINCT `+nodeColumns+`, e.canonical_name FROM mg_relationships r
		JOIN mg_entities e ON e.id = r.tail_id
		WHERE r.head_id = ?1 AND r.relation = 'same_as' AND r.valid_until IS NULL AND r.origin = 'user'
		AND r.method IN ('rule', 'model_stated', 'rule_and_model') AND r.confidence > ?3
		AND EXISTS (SELECT 1 FROM mg_evidence v JOIN mg_episodes p ON p.id = v.episode_id WHERE v.relationship_id = r.id
			AND p.role = 'user' AND (lower(trim(coalesce(p.speaker, p.user))) = ?2 OR
				p.speaker IS NULL AND p.user IS NULL AND ?4))`,
		func(s cursor) error {
			names = append(names, pair{scanNode(s), s.text(5)})
			return nil
		}, h.n.id, h.canonical, doubtfulName, h.self); err != nil || len(names) != 1 {
		return false, err
	}
	name := names[0]
	if name.id > h.to || name.kind != memory.NodeEntity || !memory.IsPerson(name.typ) && !name.assumed() {
		return false, nil
	}
	_, twice, err := w.c.int64(ctx, `SELECT 1 FROM mg_relationships r WHERE r.tail_id = ?1 AND r.relation = 'same_as' AND
		r.valid_until IS NULL AND r.head_id <> ?2 LIMIT 1`, name.id, h.n.id)
	if err != nil || twice {
		return false, err
	}
	if talks, err := h.talksOf(ctx, h.canonical, name.node, name.canonical); err != nil || talks {
		return false, err
	}
	if why, err := w.notTheirs(ctx, h.n, name.node, name.canonical); err != nil || why != "" {
		return false, err
	}
	return h.merge(ctx, name.node, h.n, causeNamed)
}

// whoSpeaks reports whether one of two namesakes is a speaker of this name. two reports that they are different: the
// speaker, and somebody or something about whom the speaker talks.
func (h *healing) whoSpeaks(ctx context.Context, o node) (speaks, two bool, err error) {
	if speaks = h.self; !speaks {
		speaks, err = h.w.speaks(ctx, h.canonical)
	}
	if err != nil || !speaks {
		return false, false, err
	}
	a, err := h.talksOf(ctx, h.canonical, h.n, h.canonical)
	if err != nil {
		return false, false, err
	}
	b, err := h.talksOf(ctx, h.canonical, o, h.canonical)
	return !a && !b, a != b, err
}

// talksOf reports whether a turn of a speaker uses the node's name in a statement about it. Nobody speaks about
// themselves like that. A name after "I am" or another introduction does not count. In the statement of a name, only
// the speaker's present name counts.
func (h *healing) talksOf(ctx context.Context, speaker string, n node, name string) (talks bool, err error) {
	const evidence = `SELECT coalesce(p.speaker, p.user, ''), coalesce(v.quote, p.content) AS words,
		r.relation = 'same_as' FROM mg_facts r
		JOIN mg_evidence v ON v.relationship_id = r.id JOIN mg_episodes p ON p.id = v.episode_id
		WHERE p.role = 'user' AND `
	err = h.w.c.query(ctx, evidence+`r.head_id = ?1 UNION ALL `+evidence+`r.tail_id = ?1 LIMIT ?2`, func(s cursor) error {
		by, words := memory.Canonical(s.text(0)), memory.Canonical(s.text(1))
		switch {
		case talks:
		case !s.bool(2):
			talks = (by == speaker || by == "" && h.self) && calls(words, name)
		default:
			talks = by == speaker && calls(words, speaker)
		}
		return nil
	}, n.id, 2*healFacts)
	return talks, err
}

// introductions are the words before a speaker's own name.
var introductions = []string{"i am", "i'm", "i’m", "im", "my name is", "my name's", "my name’s", "call me", "this is"}

// calls reports whether canonical words contain a canonical name, other than after an introduction.
func calls(words, name string) bool {
	return slices.ContainsFunc(occurrences(words, name), func(at int) bool {
		return !introduced(strings.TrimRight(words[:at], " ,:\""))
	})
}

func wordRune(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

func introduced(before string) bool {
	for _, words := range introductions {
		if rest, ok := strings.CutSuffix(before, words); ok {
			last, _ := utf8.DecodeLastRuneInString(rest)
			return !wordRune(last)
		}
	}
	return false
}
