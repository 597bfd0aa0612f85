package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"memory-graph/internal/memory"
)

// Limits of the names that communities have until the next refresh.
const (
	namedAfter   = 3    // members
	namedRunes   = 40   // of one member's name
	namedAmongst = 1000 // members, if none of the central ones has stayed
)

// nameCommunities names the communities of the namespace that have lost their name.
func (f *forgetting) nameCommunities(ctx context.Context) error {
	return f.w.c.nameCommunities(ctx, f.w.scope.Namespace)
}

// nameCommunities names the communities without a name after their strongest members: the remaining central ones, else
// those with most neighbours in the community. A withheld member gives no name.
func (c *conn) nameCommunities(ctx context.Context, namespace string) error {
	central := map[int64]string{}
	if err := c.query(ctx, `SELECT id, central FROM mg_communities WHERE namespace = ? AND name IS NULL AND size > 0`,
		func(row cursor) error {
			central[row.int64(0)] = row.text(1)
			return nil
		}, namespace); err != nil {
		return err
	}
	for id, known := range central {
		members, err := c.strongest(ctx, namespace, id, `SELECT value AS id FROM json_each(?3)`, known)
		if err == nil && len(members) == 0 {
			members, err = c.strongest(ctx, namespace, id, `SELECT m.id FROM mg_entities m WHERE m.community_id = ?1
				ORDER BY m.confidence DESC, m.id LIMIT ?3`, namedAmongst)
		}
		if err != nil {
			return err
		}
		ids := make([]int64, len(members))
		for i, m := range members {
			ids[i] = m.id
		}
		list, err := json.Marshal(ids)
		if err != nil {
			return fmt.Errorf("write the central members of community %d: %w", id, err)
		}
		if _, err := c.exec(ctx, `UPDATE mg_communities SET name = ?2, central = ?3 WHERE id = ?1`, id,
			nullable(nameAfter(members)), string(list)); err != nil {
			return err
		}
	}
	return nil
}

// strongMember is a member of a community.
type strongMember struct {
	id         int64
	name       string
	neighbours int64 // in the community
}

// strongest returns members of a community among the ids that from selects, those with most neighbours first.
func (c *conn) strongest(ctx context.Context, namespace string, community int64, from string, arg any) ([]strongMember,
	error) {
	var list []strongMember
	var ids []int64
	side := func(own, other string) string {
		return `SELECT r.` + other + ` AS id FROM mg_relationships r CROSS JOIN mg_entities o ON o.id = r.` + other +
			` WHERE r.` + own + ` = e.id AND r.valid_until IS NULL AND o.community_id = ?1 AND o.id <> e.id`
	}
	err := c.query(ctx, `SELECT e.id, e.name, (SELECT count(*) FROM (`+side("head_id", "tail_id")+` UNION `+
		side("tail_id", "head_id")+`)) FROM (`+from+`) j CROSS JOIN mg_entities e ON e.id = j.id
		WHERE e.community_id = ?1 AND e.namespace = ?2 AND `+shownEntity, func(row cursor) error {
		list, ids = append(list, strongMember{row.int64(0), row.text(1), row.int64(2)}), append(ids, row.int64(0))
		return nil
	}, community, namespace, arg)
	if err != nil {
		return nil, err
	}
	withheld := map[int64]bool{}
	err = c.query(ctx, withheldQuery, func(row cursor) error {
		withheld[row.int64(1)] = true
		return nil
	}, idList(ids), `[]`, namespace)
	list = slices.DeleteFunc(list, func(m strongMember) bool { return withheld[m.id] })
	slices.SortFunc(list, func(a, b strongMember) int {
		return cmp.Or(cmp.Compare(b.neighbours, a.neighbours), cmp.Compare(a.id, b.id))
	})
	return list[:min(len(list), memory.CentralMembers)], err
}

// nameAfter joins the names of the first members, those with at least half as many neighbours as the first one.
func nameAfter(members []strongMember) string {
	var names []string
	for _, m := range members[:min(len(members), namedAfter)] {
		if 2*m.neighbours < members[0].neighbours {
			break
		}
		visible := strings.Map(func(r rune) rune {
			if unicode.In(r, unicode.Cc, unicode.Cf) && !unicode.IsSpace(r) {
				return -1
			}
			return r
		}, m.name)
		name := []rune(strings.Join(strings.Fields(visible), " "))
		if len(name) > namedRunes {
			name = append(name[:namedRunes-1], '…')
		}
		names = append(names, string(name))
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
