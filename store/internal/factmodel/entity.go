package factmodel

import (
	"slices"

	"memory-graph/internal/aliases"
	"memory-graph/internal/memory"
)

// Entity is the meaning of a node in one version.
type Entity struct {
	Canonical  string
	Name       string // in the form last written
	Type       string
	Aliases    []string // canonical and sorted; they include the name at creation
	Confidence float64
	MergedInto int64
	Mention    bool // a mention node
}

type entity struct {
	record[Entity]
	count float64 // number of observations
}

func (m *Model) entity(id int64) *entity {
	if id < 1 || id > int64(len(m.entities)) {
		return nil
	}
	return m.entities[id-1]
}

// Root returns the entity that answers for an id: the entity itself, or the one it was merged into.
func (m *Model) Root(id int64) int64 {
	for range m.entities {
		if e := m.entity(id); e != nil && e.now().MergedInto != 0 {
			id = e.now().MergedInto
		}
	}
	return id
}

// Entity returns the current meaning of an entity.
func (m *Model) Entity(id int64) Entity { return m.entity(id).now() }

// Entities returns the number of entities ever created. Their ids are 1 to this number.
func (m *Model) Entities() int64 { return int64(len(m.entities)) }

// Find looks up a name (docs/facts.md, "Entities"): the type before its family, and in each canonical names before
// aliases. It returns all entities that the name may mean. Open: which of several a tool takes is not modelled.
func (m *Model) Find(name, typ string) []int64 {
	steps := [][]string{nil}
	if typ != "" {
		steps = [][]string{{typ}, memory.TypeFamily(typ)}
	}
	for _, types := range steps {
		found := m.named(name, func(v Entity) bool { return types == nil || slices.Contains(types, v.Type) })
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// Means looks up the head or the tail of a fact that a caller supplies: a known name is the known thing, whatever type
// is given, but a place is not a person.
func (m *Model) Means(name, typ string) []int64 {
	if found := m.Find(name, typ); len(found) > 0 {
		return found
	}
	return m.named(name, func(v Entity) bool {
		return !(memory.IsPlace(typ) && memory.IsPerson(v.Type)) && !(memory.IsPerson(typ) && memory.IsPlace(v.Type))
	})
}

// same looks up the entity that a caller gives with a type.
func (m *Model) same(name, typ string) []int64 {
	if found := m.Find(name, typ); len(found) > 0 {
		return found
	}
	return m.named(name, func(v Entity) bool { return memory.MayBeOne(typ, v.Type) })
}

// named returns the entities that fit and have the canonical name, or if there are none, those with the alias.
func (m *Model) named(name string, fits func(Entity) bool) []int64 {
	name = memory.Canonical(name)
	for _, alias := range []bool{false, true} {
		var found []int64
		for _, e := range m.entities {
			v := e.now()
			if v.MergedInto != 0 || v.Mention || !fits(v) {
				continue
			}
			if alias && slices.Contains(v.Aliases, name) || !alias && v.Canonical == name {
				found = append(found, e.id)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// technologies is the list of the other names of the technology that a name means or describes.
func technologies(canonical string) []string {
	table, err := aliases.Technologies()
	if err != nil {
		return nil // the store does not open either
	}
	if thing, ok := table.Described(canonical); ok {
		return append([]string{thing}, table.Others(thing)...)
	}
	return table.Others(canonical)
}

// Observe is create_entity. It observes the entity of the name, or creates it if there is none. An entity that a fact
// names is only looked up, and shown by that name.
func (m *Model) Observe(name, typ string, confidence float64, others ...string) (id int64, created bool,
	code memory.Code) {
	canonical := memory.Canonical(name)
	if canonical == "" {
		return 0, false, memory.InvalidArgument
	}
	found := m.same(name, typ)
	if len(found) > 1 {
		return 0, false, memory.Ambiguous
	}
	if len(found) == 0 {
		if typ == "" {
			typ = memory.DefaultType
		}
		e := m.mention(canonical) // the mention node of the name becomes the entity
		if e == nil {
			e = &entity{record: record[Entity]{id: int64(len(m.entities) + 1)}}
			m.entities = append(m.entities, e)
		}
		e.count = 1
		if !memory.IsPerson(typ) && !memory.IsPlace(typ) {
			others = append(others, technologies(canonical)...)
		}
		e.set(Entity{Canonical: canonical, Name: name, Type: typ, Aliases: union([]string{canonical}, others),
			Confidence: confidence}, m.at, m.call)
		return e.id, true, ""
	}
	e := m.entity(found[0])
	v := e.now()
	v.Confidence = (v.Confidence*e.count + confidence) / (e.count + 1)
	v.Name, v.Aliases = name, union(v.Aliases, append(others, name))
	e.count++
	m.writeEntity(e, v)
	return e.id, false, ""
}

// show gives an entity the name by which a fact calls it, as the one that is displayed. Open: every entity of the model
// comes from an agent, so a fact of a tool renames none.
func (m *Model) show(id int64, name string, origin memory.Origin) {
	e, canonical := m.entity(id), memory.Canonical(name)
	v := e.now()
	if name == "" || origin == memory.OriginTool || name == memory.Canonical(name) && v.Name != memory.Canonical(v.Name) {
		return
	}
	if canonical != v.Canonical {
		if len(technologies(canonical)) > 0 {
			return
		}
		for _, o := range m.entities {
			if o.now().MergedInto == id && o.now().Canonical == canonical {
				return
			}
		}
	}
	v.Name = name
	m.writeEntity(e, v)
}

func (m *Model) mention(canonical string) *entity {
	for _, e := range m.entities {
		if v := e.now(); v.Mention && v.Canonical == canonical {
			return e
		}
	}
	return nil
}

func (m *Model) writeEntity(e *entity, v Entity) {
	if !e.now().equal(v) {
		e.set(v, m.at, m.call)
	}
}

func (e Entity) equal(o Entity) bool {
	return e.Canonical == o.Canonical && e.Name == o.Name && e.Type == o.Type && e.Confidence == o.Confidence &&
		e.MergedInto == o.MergedInto &&
		e.Mention == o.Mention && slices.Equal(e.Aliases, o.Aliases)
}

// union returns the sorted union of a and the canonical forms of b.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		out = append(out, memory.Canonical(s))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// without returns the elements of a that are not in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}
