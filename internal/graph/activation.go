package graph

import (
	"cmp"
	"slices"

	"memory-graph/internal/memory"
)

// Spreading says how activation spreads (decision 24, Z26–Z34).
type Spreading struct {
	Lambda     float64 // what one hop leaves at most, (0, 1]: 0.85
	Threshold  float64 // a node below is not active: 0.1
	Inhibition float64 // a node from here on receives no more, and passes on no more than this: 0.8
	MaxNodes   int     // most active nodes, seeds included: 50
}

// Pass is the share of a node's activation that an edge passes on: min(λ, λ × evolved weight × recency × class weight).
func (s Spreading) Pass(evolved, recency, class float64) float64 {
	return min(s.Lambda, s.Lambda*evolved*recency*class)
}

// Activated is a node that activation came to.
type Activated struct {
	Node       int64
	Activation float64 // Threshold..1
	Hop        int     // after how many steps it became active; 0 for a seed
	From, Via  int64   // the node and the edge that brought most at first; 0 for a seed
}

// Activation spreads from seeds over the graph, one hop at a time. It does no reading: whoever runs it reads the edges
// of each Frontier and gives them to Spread.
//
// A node passes on what it has when it becomes active, once. What reaches a node over several ways is summed and
// clamped to
// 1. Nothing flows to a node that became active on an earlier hop than the one that passes on, so that no way goes in a
// circle and nobody hears their own echo. Within a hop all flows at once: the order of edges does not matter.
type Activation struct {
	opts     Spreading
	level    map[int64]float64 // of every node that anything came to, active or not
	active   map[int64]*Activated
	frontier []int64
	hop      int
	flows    map[int64]Flow // by edge
	cut      bool
}

// Flow is what an edge carried.
type Flow struct {
	Edge   memory.Edge
	Amount float64 // the activation that it passed on, 0..1, before the receiver's is clamped
	Hop    int     // on which hop, from 1
	From   int64   // from which end
}

// NewActivation begins with the seeds at 1.
func NewActivation(opts Spreading, seeds ...int64) *Activation {
	a := &Activation{opts: opts, level: map[int64]float64{}, active: map[int64]*Activated{}, flows: map[int64]Flow{}}
	for _, n := range seeds {
		if _, twice := a.active[n]; !twice {
			a.level[n] = 1
			a.active[n] = &Activated{Node: n, Activation: 1}
			a.frontier = append(a.frontier, n)
		}
	}
	return a
}

// Frontier gives the nodes that became active on the last hop: those whose edges the next one needs. It is empty where
// nothing spreads any more.
func (a *Activation) Frontier() []int64 { return a.frontier }

// Hop is how many hops were taken.
func (a *Activation) Hop() int { return a.hop }

// Cut says whether MaxNodes kept a node out that was above the threshold.
func (a *Activation) Cut() bool { return a.cut }

// Full says whether there are as many active nodes as there may be.
func (a *Activation) Full() bool { return len(a.active) >= a.opts.MaxNodes }

// Spread passes the frontier's activation over its edges. share gives what an edge passes on, 0..1 (Spreading.Pass).
func (a *Activation) Spread(edges []memory.Edge, share func(memory.Edge) float64) {
	a.hop++
	received := map[int64][]Flow{}
	for _, e := range edges {
		for _, from := range [2]int64{e.Head, e.Tail} {
			sender := a.active[from]
			if sender == nil || sender.Hop != a.hop-1 {
				continue
			}
			f := Flow{Edge: e, Amount: a.passes(*sender) * share(e), Hop: a.hop, From: from}
			if known, ok := a.flows[e.ID]; !ok || f.Amount > known.Amount {
				a.flows[e.ID] = f
			}
			if to := e.Other(from); !a.closed(to) {
				received[to] = append(received[to], f)
			}
		}
	}
	a.settle(received)
}

// passes is what a node has to give: a seed all of it, others no more than the inhibition threshold.
func (a *Activation) passes(n Activated) float64 {
	if n.Hop == 0 {
		return n.Activation
	}
	return min(n.Activation, a.opts.Inhibition)
}

// closed says whether a node receives nothing on this hop: it stood at the inhibition threshold before it, or became
// active on an earlier hop than the senders.
func (a *Activation) closed(n int64) bool {
	if at := a.active[n]; at != nil && at.Hop < a.hop-1 {
		return true
	}
	return a.level[n] >= a.opts.Inhibition
}

// settle adds what was received and makes the frontier of what became active, strongest first, as far as there is room.
func (a *Activation) settle(received map[int64][]Flow) {
	var fresh []int64
	for n, flows := range received {
		// The most first: a sum of floats is the same in one order only, and a threshold may hang on its last digit.
		slices.SortFunc(flows, func(x, y Flow) int {
			return cmp.Or(cmp.Compare(y.Amount, x.Amount), cmp.Compare(x.Edge.ID, y.Edge.ID))
		})
		level := a.level[n]
		for _, f := range flows {
			level += f.Amount
		}
		a.level[n] = min(1, level)
		switch at := a.active[n]; {
		case at != nil:
			at.Activation = a.level[n]
		case a.level[n] >= a.opts.Threshold:
			fresh = append(fresh, n)
		}
	}
	slices.SortFunc(fresh, func(x, y int64) int { return cmp.Or(cmp.Compare(a.level[y], a.level[x]), cmp.Compare(x, y)) })
	if room := max(0, a.opts.MaxNodes-len(a.active)); len(fresh) > room {
		fresh, a.cut = fresh[:room], true
	}
	for _, n := range fresh {
		f := received[n][0]
		a.active[n] = &Activated{Node: n, Activation: a.level[n], Hop: a.hop, From: f.From, Via: f.Edge.ID}
	}
	a.frontier = fresh
}

// Flows gives the edges between active nodes that carried anything, those that carried most first.
func (a *Activation) Flows() []Flow {
	out := make([]Flow, 0, len(a.flows))
	for _, f := range a.flows {
		if a.active[f.Edge.Head] != nil && a.active[f.Edge.Tail] != nil && f.Amount > 0 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(x, y Flow) int {
		return cmp.Or(cmp.Compare(y.Amount, x.Amount), cmp.Compare(x.Hop, y.Hop), cmp.Compare(x.Edge.ID, y.Edge.ID))
	})
	return out
}

// Path gives the edges from a seed to the flow's own, itself last, over what brought each node most.
func (a *Activation) Path(f Flow) []int64 {
	path := make([]int64, f.Hop)
	path[f.Hop-1] = f.Edge.ID
	at := a.active[f.From]
	for i := f.Hop - 2; i >= 0 && at != nil; i-- {
		path[i] = at.Via
		at = a.active[at.From]
	}
	return path
}
