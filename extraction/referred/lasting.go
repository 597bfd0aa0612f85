package referred

import (
	"strings"

	"memory-graph/extraction"
	"memory-graph/extraction/dates"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

var (
	// goesOn is the perfect of what holds until now.
	goesOn = text.Pattern(`(?i)(?:\b(?:have|has|been)|[’'](?:ve|s)) `)
	// duration is how long something has held.
	duration = text.Pattern(`(?i)\bfor (?:about |around |almost |nearly |over |more than |at least |roughly )?` +
		`((?:(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}|a couple of|a few) )` +
		`(?:year|month|week)s?)(?: now)?(?:$|[.,;!)]| and\b)`)
)

// lasting gives the facts that a sentence says have held for some time until now their beginning: "I have worked at
// Acme for two years". A given beginning stays.
func lasting(t extraction.Input, list []memory.RelationDraft) {
	if t.OccurredAt.IsZero() || !strings.Contains(t.Text, "for ") {
		return
	}
	for _, c := range clauses(t.Text) {
		m := duration().FindStringSubmatch(c.text)
		if m == nil || !goesOn().MatchString(c.text) {
			continue
		}
		spans := dates.Resolve(m[1]+" ago", t.OccurredAt)
		if len(spans) != 1 {
			continue
		}
		for i, d := range list {
			if !d.ValidFrom.IsZero() || d.Ended || !strings.Contains(c.lower, strings.ToLower(d.Tail)) ||
				!strings.Contains(d.Quote, strings.TrimSuffix(c.text, m[0])) && !strings.Contains(c.text, d.Quote) {
				continue
			}
			list[i].ValidFrom = spans[0].From
			if unit := spans[0].Unit; unit >= dates.Month {
				list[i].ValidFrom, list[i].FromUnit = spans[0].Period(spans[0].From)
			}
			list[i].News = d.News || graph.Lookup(graph.Store(graph.Snake(d.Relation), d.HeadType, d.TailType).Relation).
				OneTail(d.HeadType)
		}
	}
}
