package store

import (
	"context"

	"memory-graph/internal/memory"
)

// said is the content of a node, without its name.
type said struct {
	typ   string
	own   string // what the description says beyond the notes
	notes []note
}

func (s entitySnapshot) said() said { return said{s.Type, ownWords(s.Desc, s.Notes), s.notes()} }

// vouched holds the origins that vouch for the type and for the description's own words in a write; "" for none. The
// notes carry their own origins. With raise a node that is already trusted can become trusted more.
type vouched struct {
	typ, own memory.Origin
	raise    bool
}

// settleTrust sets the origin of a node after a write. A node is shown as a whole, so it is trusted as much as its
// least trusted part: content that nobody vouches for lowers the whole node, and removing that content restores it.
func (w *writing) settleTrust(ctx context.Context, is entitySnapshot, to said, by vouched) (raised bool, err error) {
	was, unvouched := memory.Origin(is.Origin), memory.OriginTool.Trust()
	least := memory.OriginUser // the most trusted
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

// believed returns the origin of a node's type and own words: the origin that vouches for them now, or the most trusted
// one that the node had while it had them.
func (w *writing) believed(ctx context.Context, is entitySnapshot, to said, by vouched) (memory.Origin, error) {
	typ, own := by.typ, by.own
	take := func(v entitySnapshot) {
		if to.typ == memory.DefaultType || v.Type == to.typ { // the default type says nothing
			typ = memory.MostTrusted(typ, memory.Origin(v.Origin))
		}
		if to.own == "" || ownWords(v.Desc, v.Notes) == to.own {
			own = memory.MostTrusted(own, memory.Origin(v.Origin))
		}
	}
	if take(is); memory.LeastTrusted(typ, own).Trust() > memory.OriginTool.Trust() {
		return memory.LeastTrusted(typ, own), nil // most nodes need no read of their history
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
