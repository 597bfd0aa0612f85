package tools

import (
	"errors"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// readArgs are the arguments of every reading tool.
type readArgs struct {
	ValidAt      string `json:"valid_at,omitempty" jsonschema_description:"What was true then: a date or RFC 3339"`
	KnownAt      string `json:"known_at,omitempty" unlisted:"true" jsonschema_description:"What was believed then instead of now"`
	Limit        *int   `json:"limit,omitempty" jsonschema_description:"Most items per list"`
	Cursor       string `json:"cursor,omitempty" unlisted:"true" jsonschema_description:"next_cursor of the last answer, for what follows"`
	Detail       string `json:"detail,omitempty" unlisted:"true" enum:"ids,summary,full" jsonschema_description:"How much of each item; default summary"`
	BudgetTokens *int   `json:"budget_tokens,omitempty" unlisted:"true" jsonschema_description:"Size of context, in tokens; 0 for none"`
	Explain      bool   `json:"explain,omitempty" unlisted:"true" jsonschema_description:"Say why each item was chosen"`
	scopeArgs
}

// reading is the checked form of readArgs, with defaults.
type reading struct {
	scope  memory.Scope
	at     memory.AsOf
	limit  int
	budget int
}

func (in readArgs) reading(o Options, limit int) (reading, error) {
	sc, err := in.scope(o)
	if err != nil {
		return reading{}, err
	}
	r := reading{scope: o.withDefaults(sc), limit: limit, budget: o.BudgetTokens}
	if in.Limit != nil {
		r.limit = *in.Limit
	}
	if in.BudgetTokens != nil {
		r.budget = *in.BudgetTokens
	}
	if r.at.ValidAt, err = parseTime("valid_at", in.ValidAt); err != nil {
		return reading{}, err
	}
	r.at.KnownAt, err = parseTime("known_at", in.KnownAt)
	return r, err
}

// asOf returns the parts of a question that select its time.
func (r reading) asOf() []string {
	return []string{memory.Millis(r.at.ValidAt), memory.Millis(r.at.KnownAt)}
}

// bounds returns the limits of readArgs. def is the default limit. listed are unlisted arguments that the tool lists.
func (o Options) bounds(def int, listed ...string) bounds {
	return bounds{listed: listed, ranges: map[string]span{
		"limit": {1, o.MaxResults, min(def, o.MaxResults)}, "budget_tokens": {0, o.MaxBudgetTokens, o.BudgetTokens},
	}}
}

// answerBytes returns the maximum size of an answer, in bytes of JSON.
func (o Options) answerBytes(detail string) int {
	if detail == detailFull {
		return o.FullAnswerBytes
	}
	return o.AnswerBytes
}

// reference checks an argument that refers to an entity by id, name or alias.
func (o Options) reference(argument, s string) (string, error) {
	s = strings.TrimSpace(s)
	if memory.Canonical(s) == "" {
		return "", memory.Errorf(memory.InvalidArgument, "%s is empty.",
			argument).WithHint("Give an id (e12), a name or an alias.")
	}
	return s, tooLong(argument, s, o.MaxNameBytes)
}

// orByType extends the hint of an Ambiguous error: a type would also decide, if the type arguments are missing and the
// candidates' types differ.
func orByType(err error, arguments string, given ...string) error {
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.Ambiguous || len(words(given)) > 0 ||
		!slices.ContainsFunc(e.Candidates, func(c memory.Candidate) bool { return c.Type != e.Candidates[0].Type }) {
		return err
	}
	told := *e
	return told.WithHint("Say which by its id, or give %s.", arguments)
}

// tooLong returns an error for a text of more than most bytes.
func tooLong(argument, s string, most int) error {
	if len(s) > most {
		return memory.Errorf(memory.TooLarge, "%s is %d bytes long, more than the %d allowed.", argument, len(s),
			most).WithHint("Give a shorter one.")
	}
	return nil
}

// snakes converts types or relations to their stored form: "Works at" becomes works_at. It skips blank strings.
func snakes(argument string, list []string, most int) ([]string, error) {
	var out []string
	for _, s := range list {
		if strings.TrimSpace(s) == "" {
			continue
		}
		word := graph.Snake(s)
		if word == "" || len(word) > most {
			return nil, memory.Errorf(memory.InvalidArgument, "%s: %q is not a word of 1 to %d bytes.", argument, clip(s), most).
				WithHint("Use words in snake_case, such as works_at.")
		}
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out, nil
}

// words returns the distinct strings of a list, trimmed and without blank ones.
func words(list []string) []string {
	var out []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// typeName converts an entity's type to snake_case. A blank type becomes "".
func (o Options) typeName(argument, s string) (string, error) {
	list, err := snakes(argument, []string{s}, graph.MaxRelationBytes)
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0], nil
}
