package store

import (
	"context"
	"strings"

	"memory-graph/internal/memory"
)

// undoneTexts returns what the undo that is being written made of each fact and entity, in the order of its changes.
func (w *writing) undoneTexts(ctx context.Context) ([]string, error) {
	type change struct {
		object        memory.ID
		before, after string
	}
	var list []change
	err := w.c.query(ctx, `SELECT object, before, after FROM mg_events WHERE namespace = ? AND call_id = ? AND
		before IS NOT NULL AND after IS NOT NULL AND object NOT LIKE 't%' ORDER BY id LIMIT ?`, func(s cursor) error {
		id, err := memory.ParseID(s.text(0))
		list = append(list, change{id, s.text(1), s.text(2)})
		return err
	}, w.scope.Namespace, w.by.CallID, memory.MaxUndoneTexts)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, c := range list {
		became, text := "as before", ""
		if c.object.Kind == memory.KindRelationship {
			became, text, err = w.undoneFactText(ctx, c.object.Num, c.before, c.after)
		} else {
			became, text, err = undoneEntityText(c.before, c.after)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, c.object.String()+" "+became+": "+clip(text))
	}
	return out, nil
}

func (w *writing) undoneFactText(ctx context.Context, id int64, before, after string) (became, text string, err error) {
	was, err := parseFactSnapshot(before)
	if err != nil {
		return "", "", err
	}
	is, err := parseFactSnapshot(after)
	if err != nil {
		return "", "", err
	}
	now := memory.Seconds(w.now)
	switch became = "as before"; {
	case !was.live(now) && is.live(now):
		became = "active again"
	case !was.never() && is.never():
		became = "retracted"
	case was.never() && !is.never():
		became = "known again"
	case was.live(now) && !is.live(now):
		became = "ended"
	}
	f, err := w.factByID(ctx, id)
	if err != nil {
		return "", "", err
	}
	text, err = w.sentence(ctx, f)
	return became, text, err
}

func undoneEntityText(before, after string) (became, text string, err error) {
	was, err := parseEntitySnapshot(before)
	if err != nil {
		return "", "", err
	}
	is, err := parseEntitySnapshot(after)
	if err != nil {
		return "", "", err
	}
	switch became = "as before"; {
	case was.shown() && is.MergedInto != nil:
		became = "merged again"
	case was.shown() && !is.shown():
		became = "only a name"
	case !was.shown() && is.shown():
		became = "known again"
	}
	return became, strings.TrimSpace(is.Name), nil
}
