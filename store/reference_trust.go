package store

import (
	"context"

	"memory-graph/internal/memory"
)

// said is what is said of a node.
type said struct {
	typ   string
	own   string // what the description says besides the sentences
	notes []note
}

func (s entitySnapshot) said() said { return said{s.Type, ownWords(s.Desc, s.Notes), s.notes()} }

// vouched says what a write stands for besides the sentences that it brings: who gives the type, and what the
// description says besides; "" for nobody. With raise a node can become trusted more than it was, even where it was
// trusted.
type vouched struct {
	typ, own memory.Origin
	raise    bool
}

// settleTrust settles whom a node is believed as, now that this is said of it. It stands before a turn as a whole, and
// so is believed as the least trusted part of it is: what nobody has vouched for takes all of it down, and it comes
// back once nothing of that is left.
func (w *writing) settleTrust(ctx context.Context, is entitySnapshot, to said, by vouched) (raised bool, err error) {
	was, unvouched := memory.Origin(is.Origin), memory.OriginTool.Trust()
	least := memory.OriginUser // is trusted most
	for _, n := range to.notes {
		least = memory.LeastTrusted(least, n.origin)
	}
	if least.Trust() > unvouched {
		believed, err := w.believed(ctx, is, to, by)
		if err != nil {
			return false, err
		}
		least = memory.LeastTrusted(least, believed)
	}
	raised = least.Trust() > was.Trust()
	if crosses := (least.Trust() > unvouched) != (was.Trust() > unvouched); !crosses && !(by.raise && raised) {
		return false, nil
	}
	floor := 0.0
	if raised && by != (vouched{}) {
		floor = memory.Capped(nil, least, memory.MethodSupplied)
	}
	_, err = w.c.exec(ctx,
		`UPDATE mg_entities SET origin = ?2, confidence = max(coalesce(unfaded, confidence), ?3), unfaded = NULL, updated_at =
			?4 WHERE id = ?1`,
		is.ID, string(least), floor, memory.Millis(w.now))
	return raised, err
}

// believed gives whom the type and the own words of a node are believed as: who vouches for them now, or the most
// trusted that the node was while it had them.
func (w *writing) believed(ctx context.Context, is entitySnapshot, to said, by vouched) (memory.Origin, error) {
	typ, own := by.typ, by.own
	take := func(v entitySnapshot) {
		if to.typ == memory.DefaultType || v.Type == to.typ { // the usual type says nothing
			typ = memory.MostTrusted(typ, memory.Origin(v.Origin))
		}
		if to.own == "" || ownWords(v.Desc, v.Notes) == to.own {
			own = memory.MostTrusted(own, memory.Origin(v.Origin))
		}
	}
	if take(is); memory.LeastTrusted(typ, own).Trust() > memory.OriginTool.Trust() {
		return memory.LeastTrusted(typ, own), nil // most need no look at the past
	}
	err := w.c.query(ctx, `SELECT snapshot FROM mg_entity_versions WHERE entity_id = ?`, func(row cursor) error {
		was, err := parseEntitySnapshot(row.text(0))
		if err == nil {
			take(was)
		}
		return err
	}, is.ID)
	return memory.LeastTrusted(typ, own), err
}
