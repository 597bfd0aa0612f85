package tools

import (
	"context"
	"time"

	"memory-graph/episodes"
	"memory-graph/internal/communities"
	"memory-graph/internal/facts"
	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/store"
)

// Memory is the part of the engine that the tools use. Every method may wait until the database is open, and returns
// when its context ends. Errors that a caller can act on are *memory.Error.
type Memory interface {
	Turns
	Graph
	Records(ctx context.Context) (Records, error)
	Facts(ctx context.Context) (Facts, error)
	Layers(ctx context.Context) (Layers, error)
	// RefreshCommunities finds the communities of a namespace anew and returns what has changed.
	RefreshCommunities(ctx context.Context, namespace string) (communities.Outcome, error)
	// Release lets a turn out of quarantine and reads it like a new one. Errors: NotFound, and Conflict for a turn that is
	// not in quarantine.
	Release(ctx context.Context, namespace string, turn int64, by memory.Caller) (memory.Released, error)
}

// Engine is the part of the engine behind a Memory.
type Engine interface {
	Turns
	Graph
	Store(ctx context.Context) (*store.Store, error)
	Writer(ctx context.Context) (*facts.Writer, error)
	Hierarchy(ctx context.Context) (*hierarchy.Hierarchy, error)
	RefreshCommunities(ctx context.Context, namespace string) (communities.Outcome, error)
	Release(ctx context.Context, namespace string, turn int64, by memory.Caller) (memory.Released, error)
}

// Of returns the memory of an engine.
func Of(e Engine) Memory { return parts{e} }

type parts struct{ Engine }

func (p parts) Records(ctx context.Context) (Records, error) { return p.Store(ctx) }
func (p parts) Facts(ctx context.Context) (Facts, error)     { return p.Writer(ctx) }
func (p parts) Layers(ctx context.Context) (Layers, error)   { return p.Hierarchy(ctx) }

// Turns stores what is said and finds it again.
type Turns interface {
	StoreEpisode(ctx context.Context, in store.NewEpisode) (episodes.Result, error)
	Retrieve(ctx context.Context, req retrieval.Request) (retrieval.Answer, error)
	// Inject returns the context block for a message.
	ContextBlock(ctx context.Context, req contextblock.Request) (contextblock.Decision, error)
}

// Graph reads facts as they are now, and tells how far the memory has come with them.
type Graph interface {
	Links(ctx context.Context, req retrieval.LinksRequest) (retrieval.Links, error)
	Traverse(ctx context.Context, req retrieval.TraverseRequest) (retrieval.Traversal, error)
	State(ctx context.Context, namespace string) (memory.State, error)
	// SetRelationRate sets how fast a relation fades, per day. Later answers of this process count with it.
	SetRelationRate(ctx context.Context, namespace, relation string, rate float64, by memory.Caller) error
}

// Records reads and corrects what is stored, the past included.
type Records interface {
	// ResolveEntity returns the entity that an id, a name or an alias means.
	ResolveEntity(ctx context.Context, namespace, ref, typ string, at memory.AsOf) (memory.Entity, error)
	// EntitiesByID and Relationships return the rows of ids, without the unknown ones.
	EntitiesByID(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity, error)
	Relationships(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Relationship, error)
	// EdgeHistory returns the facts that ever had a node as head, latest first. relation and predicate may be "".
	EdgeHistory(ctx context.Context, namespace string, source int64, predicate, relation string, offset,
		limit int) (facts []memory.Relationship, more bool, err error)
	// History returns the versions of an entity or a relationship, newest first.
	History(ctx context.Context, namespace string, id memory.ID, offset, limit int) (versions []memory.Version, more bool,
		err error)
	// Changes returns the events from since up to, not including, until, newest first. entity 0 means all entities.
	Changes(ctx context.Context, namespace string, since, until time.Time, entity int64, offset,
		limit int) (events []memory.Event, more bool, err error)
	MergeEntities(ctx context.Context, namespace, into, from string, by memory.Caller) (memory.Merge, error)
	Unmerge(ctx context.Context, namespace, entity string, by memory.Caller) (memory.Undone, error)
	// Undo undoes the changes of one call; "" means the last call that changed something.
	Undo(ctx context.Context, namespace, callID string, by memory.Caller) (memory.Undone, error)
	// Forget counts what deleting the ids would delete, and deletes it for good if confirm is set.
	Forget(ctx context.Context, namespace string, ids []memory.ID, confirm bool, by memory.Caller) (memory.Forgotten,
		error)
	// RelationRates returns the decay rates set for relations of the namespace, per day.
	RelationRates(ctx context.Context, namespace string) (map[string]float64, error)
	// Rollout is how far graph expansion is rolled out, and what recent expansions found.
	retrieval.Rollout
	SetRolloutMode(ctx context.Context, namespace string, mode memory.RolloutMode, by memory.Caller) error
	// RelationDecay computes what the rates leave of the facts of a relation, or of all.
	RelationDecay(ctx context.Context, namespace, relation string, rates graph.Rates) ([]memory.Decay, error)
	ListEntities(ctx context.Context, f store.EntityFilter, offset, limit int) (list []memory.Entity, more bool, err error)
	ListRelationships(ctx context.Context, f store.RelationshipFilter, offset, limit int) (list []memory.Relationship,
		more bool, err error)
	ListCommunities(ctx context.Context, f store.CommunityFilter, offset, limit int) (list []memory.Community, more bool,
		err error)
	// CommunityNamed returns the community that an id, its name or an entity in it means.
	CommunityNamed(ctx context.Context, namespace, ref string) (memory.Community, error)
	// LabelsOf returns the metadata of turns.
	LabelsOf(ctx context.Context, namespace string, turns []int64) (map[int64][]memory.Label, error)
	GraphStats(ctx context.Context, namespace string) (memory.GraphStats, error)
	Operator
	Explored
	// OpenJobs returns the unfinished jobs by kind.
	OpenJobs(ctx context.Context, namespace string) ([]memory.KindState, error)
	// ReferenceEntities and ReferenceRelations visit the graph as the reference memory server has it.
	ReferenceEntities(ctx context.Context, namespace string, visit func(memory.ReferenceEntity) error) error
	ReferenceRelations(ctx context.Context, namespace string, visit func(memory.ReferenceRelation) error) error
}

// Operator reads what concerns the operator of a server.
type Operator interface {
	// Counts, ModelUsages and CountersOfAll tell of the whole file, for its operator.
	Counts(ctx context.Context) (store.Counts, error)
	ModelUsages(ctx context.Context, since time.Time) ([]store.ModelUsage, error)
	CountersOfAll(ctx context.Context) ([]store.Counter, error)
	// Traces and TraceByID return how questions were answered.
	Traces(ctx context.Context, namespace string, offset, limit int) (list []store.Trace, more bool, err error)
	TraceByID(ctx context.Context, namespace string, id int64) (store.Trace, error)
}

// Explored reads what the page of explore shows beside the answers of the tools.
type Explored interface {
	// LinksOf returns facts of nodes, the highest stored confidence first, without counting them as used.
	LinksOf(ctx context.Context, q memory.EdgeQuery, f memory.Filter, offset, limit int) (links []memory.Relationship,
		more bool, err error)
	// EdgesWithin returns the edges of nodes, at most q.PerNode of each; cut reports that a node had more.
	EdgesWithin(ctx context.Context, q memory.EdgeQuery, f memory.Filter) (edges []memory.Edge, cut bool, err error)
	// FactCounts counts the active facts of nodes.
	FactCounts(ctx context.Context, namespace string, ids []int64) (map[int64]int64, error)
	CountRelationships(ctx context.Context, f store.RelationshipFilter) (int64, error)
	EvidenceOf(ctx context.Context, namespace string, fact int64, limit int) (list []memory.Evidence, all int, err error)
	SupersededBy(ctx context.Context, namespace string, fact int64, limit int) ([]memory.Relationship, error)
	// NamesOf returns the names of entities, also of those that were merged into others.
	NamesOf(ctx context.Context, namespace string, ids []int64) ([]memory.Node, error)
	// MergedInto returns the entities that were merged into one.
	MergedInto(ctx context.Context, namespace string, entity int64, limit int) ([]memory.Node, error)
	// Calls and CallItems return the changes by the calls that made them.
	Calls(ctx context.Context, f store.CallFilter, limit int) (calls []memory.Call, more bool, err error)
	CallItems(ctx context.Context, namespace, call string, offset, limit int) (items []memory.CallItem, more bool,
		err error)
	FactsSaidIn(ctx context.Context, namespace string, turn int64, limit int) ([]memory.Relationship, error)
	Conflicts(ctx context.Context, namespace string, entity int64, limit int) (list []memory.Clash, more bool, err error)
	// ProjectsOf returns the projects of the turns that say facts.
	ProjectsOf(ctx context.Context, namespace string, facts []int64) (map[int64][]string, error)
	Children(ctx context.Context, namespace string, ids []int64, at memory.AsOf, most int) (map[int64]store.Family, error)
	CommunitiesOf(ctx context.Context, namespace string, ids, members []int64) ([]memory.Community, error)
	CommunityOf(ctx context.Context, namespace string, entities []int64) (map[int64]int64, error)
	Episodes(ctx context.Context, namespace string, ids []int64) ([]memory.Episode, error)
	EpisodesMentioning(ctx context.Context, f memory.Filter, nodes []int64, limit int) ([]memory.Hit, error)
	QuarantinedTurns(ctx context.Context, namespace string, after int64, limit int) ([]store.QuarantinedTurn, error)
	SearchEntities(ctx context.Context, namespace string, words, types []string, k int) ([]memory.Hit, error)
	Namespaces(ctx context.Context) ([]string, error)
}

// Facts writes entities and facts.
type Facts interface {
	CreateEntity(ctx context.Context, scope memory.Scope, d memory.EntityDraft, by memory.Caller) (memory.EntityWrite,
		error)
	UpdateEntity(ctx context.Context, scope memory.Scope, ch memory.EntityChange, by memory.Caller) (e memory.Entity,
		version int, err error)
	// CreateRelation stores a fact; evidence is the episode that says it, 0 where the call leaves one of its own.
	CreateRelation(ctx context.Context, scope memory.Scope, d memory.RelationDraft, evidence int64,
		by memory.Caller) (memory.RelationWrite, error)
	Supersede(ctx context.Context, scope memory.Scope, s memory.Supersession, by memory.Caller) (memory.Superseded, error)
	UpdateRelation(ctx context.Context, namespace string, ch memory.RelationChange,
		by memory.Caller) (r memory.Relationship, version int, err error)

	CreateReferenceEntities(ctx context.Context, scope memory.Scope, list []memory.ReferenceEntity, o store.ReferenceCall,
		by memory.Caller) ([]memory.ReferenceWrite, error)
	Relate(ctx context.Context, scope memory.Scope, list []memory.ReferenceRelation, o store.ReferenceCall,
		by memory.Caller) ([]memory.ReferenceWrite, error)
	// AddNotes returns the sentences that were new to the entities. It returns NotFound for a name that is not an entity.
	AddNotes(ctx context.Context, scope memory.Scope, list []memory.ReferenceNotes, o store.ReferenceCall,
		by memory.Caller) ([]memory.ReferenceNotes, error)
	DropNotes(ctx context.Context, scope memory.Scope, list []memory.ReferenceNotes, o store.ReferenceCall,
		by memory.Caller) error
	DeleteReferenceEntities(ctx context.Context, scope memory.Scope, names []string, o store.ReferenceCall,
		by memory.Caller) error
	Unrelate(ctx context.Context, scope memory.Scope, list []memory.ReferenceRelation, o store.ReferenceCall,
		by memory.Caller) error
}

// Layers keeps knowledge as memories in a hierarchy.
type Layers interface {
	Retain(ctx context.Context, scope memory.Scope, in hierarchy.Memory, by memory.Caller) (store.Retained, error)
	Recall(ctx context.Context, q hierarchy.RecallQuery) (hierarchy.Recollection, error)
	Reflect(ctx context.Context, r hierarchy.Reflection, by memory.Caller) (hierarchy.Reflected, error)
}
