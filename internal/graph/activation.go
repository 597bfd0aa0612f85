package graph

import (
	"cmp"
	"slices"

	"memory-graph/internal/memory"
)

// Spreading holds the parameters of spreading activation. See docs/decisions.md, "Strategy synapse".
type Spreading struct {
	Lambda     float64 // maximum share of activation after one hop, (0, 1]: 0.85
	Threshold  float64 // minimum activation of an active node: 0.1
	Inhibition float64 // a node at this activation receives no more; only seeds pass on more: 0.8
	MaxNodes   int     // maximum number of active nodes, including seeds: 50
}

// Pass returns the share of a node's activation that an edge passes on: min(λ, λ × evolved weight × recency × class
// weight).
func (s Spreading) Pass(evolved, recency, class float64) float64 {
	return min(s.Lambda, s.Lambda*evolved*recency*class)
}

// Activated is a node that activation reached.
type Activated struct {
	Node       int64
	Activation float64 // Threshold..1
	Hop        int     // the hop on which it became active; 0 for a seed
	From, Via  int64   // the node and the edge of the largest flow when it became active; 0 for a seed
}

// Activation spreads from seeds over the graph, one hop at a time. It does not read the graph: the caller reads the
// edges of each Frontier and passes them to Spread.
//
// A node passes on its activation once, on the hop after it became active. Flows to one node are added, up to a sum of
// 1. Activation never flows back to a node that became active on an earlier hop than the sender, so there are no
// cycles. All flows of a hop happen at once: the order of edges does not matter.
type Activation struct {
	opts     Spreading
	level    map[int64]float64 // of every node that received activation, active or not
	active   map[int64]*Activated
	frontier []int64
	hop      int
	flows    map[int64]Flow // by edge
	cut      bool
}

// Flow is the activation that an edge passed on.
type Flow struct {
	Edge   memory.Edge
	Amount float64 // activation passed on, 0..1, before the receiver is clamped
	Hop    int     // the hop, from 1
	From   int64   // the sending end
}

// NewActivation returns an Activation whose seeds have activation 1.
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

// Frontier returns the nodes that became active on the last hop. The next hop needs their edges. It is empty when the
// spreading is over.
func (a *Activation) Frontier() []int64 { return a.frontier }

// Hop returns the number of hops taken.
func (a *Activation) Hop() int { return a.hop }

// Cut reports whether MaxNodes excluded a node above the threshold.
func (a *Activation) Cut() bool { return a.cut }

// Full reports whether MaxNodes nodes are active.
func (a *Activation) Full() bool { return len(a.active) >= a.opts.MaxNodes }

// Spread passes the frontier's activation over its edges. share returns the share that an edge passes on, 0..1
// (Spreading.Pass).
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

// passes returns the activation that a node passes on: all of it for a seed, at most the inhibition threshold for
// others.
func (a *Activation) passes(n Activated) float64 {
	if n.Hop == 0 {
		return n.Activation
	}
	return min(n.Activation, a.opts.Inhibition)
}

// closed reports whether a node receives nothing on this hop: it had reached the inhibition threshold before, or it
// became active on an earlier hop than the senders.
func (a *Activation) closed(n int64) bool {
	if at := a.active[n]; at != nil && at.Hop < a.hop-1 {
		return true
	}
	return a.level[n] >= a.opts.Inhibition
}

// settle adds the received flows. The nodes that became active are the new frontier, strongest first, up to MaxNodes.
func (a *Activation) settle(received map[int64][]Flow) {
	var fresh []int64
	for n, flows := range received {
		// Sorted, because the sum of floats depends on the order, and its last digit may decide about a threshold.
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

// Flows returns the flows between active nodes that passed anything on, largest first.
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

// Path returns the edges from a seed to the flow's own edge, which is last. It follows the largest flow into each node.
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
