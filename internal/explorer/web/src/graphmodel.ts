// The graph that the picture shows: pure functions on its data.

export interface GraphNode {
  id: string; name: string; type: string; confidence: number; origin: string; community?: string; hop: number
  facts: number; cut: number
}

export interface GraphEdge {
  id: string; head: string; tail: string; relation: string; edge_class: string; confidence: number; strength: number
  origin: string; valid_from?: string; projects?: string[]
}

/** Hood is the answer of /api/v1/neighbourhood. */
export interface Hood { nodes: GraphNode[]; edges: GraphEdge[]; communities: { id: string; name: string }[]; cut: boolean }

export interface Graph { nodes: Map<string, GraphNode>; edges: Map<string, GraphEdge>; communities: Map<string, string> }

export const empty: Graph = { nodes: new Map(), edges: new Map(), communities: new Map() }

/** merged adds a neighbourhood to a graph, and counts anew which facts the picture leaves out. */
export function merged(a: Graph, b: Hood, now = true): Graph {
  const nodes = new Map(a.nodes), edges = new Map(a.edges), communities = new Map(a.communities)
  for (const n of b.nodes) nodes.set(n.id, { ...n, hop: Math.min(n.hop, nodes.get(n.id)?.hop ?? n.hop) })
  for (const e of b.edges) edges.set(e.id, e)
  for (const c of b.communities) communities.set(c.id, c.name)
  const shown = degrees(edges.values())
  for (const [id, n] of nodes) nodes.set(id, { ...n, cut: now ? Math.max(0, n.facts - (shown.get(id) ?? 0)) : 0 })
  return { nodes, edges, communities }
}

/** degrees counts the edges of each node. A loop counts once. */
export function degrees(edges: Iterable<GraphEdge>): Map<string, number> {
  const of = new Map<string, number>()
  for (const e of edges) for (const id of e.head === e.tail ? [e.head] : [e.head, e.tail]) of.set(id, (of.get(id) ?? 0) + 1)
  return of
}

/** facets are what the picture can be filtered by. */
export const facets = ['type', 'relation', 'class', 'project', 'origin'] as const
export type Facet = typeof facets[number]

/** Hidden are the values that the reader switched off. */
export type Hidden = Record<Facet, ReadonlySet<string>>

export const nothingHidden: Hidden =
  { type: new Set(), relation: new Set(), class: new Set(), project: new Set(), origin: new Set() }

const noProject = ['']

function valuesOf(e: GraphEdge, facet: Facet): string[] {
  switch (facet) {
    case 'relation': return [e.relation]
    case 'class': return [e.edge_class]
    case 'origin': return [e.origin]
    case 'project': return e.projects?.length ? e.projects : noProject
    case 'type': return []
  }
}

/** choices counts the values of a facet, the most frequent first. '' stands for facts without a project. */
export function choices(graph: Graph, facet: Facet): [string, number][] {
  const count = new Map<string, number>()
  const add = (v: string) => count.set(v, (count.get(v) ?? 0) + 1)
  if (facet === 'type') for (const n of graph.nodes.values()) add(n.type)
  else for (const e of graph.edges.values()) valuesOf(e, facet).forEach(add)
  return [...count].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
}

/** filtered leaves out what is hidden, and nodes that lose all their edges by that. keep always stay. */
export function filtered(graph: Graph, hidden: Hidden, keep: ReadonlySet<string>): Graph {
  if (facets.every(f => hidden[f].size === 0)) return graph
  const nodes = new Map([...graph.nodes].filter(([id, n]) => keep.has(id) || !hidden.type.has(n.type)))
  const edges = new Map([...graph.edges].filter(([, e]) => nodes.has(e.head) && nodes.has(e.tail) &&
    facets.every(f => f === 'type' || !valuesOf(e, f).every(v => hidden[f].has(v)))))
  const left = degrees(edges.values()), had = degrees(graph.edges.values())
  for (const id of nodes.keys()) if (!keep.has(id) && had.has(id) && !left.has(id)) nodes.delete(id)
  return { nodes, edges, communities: graph.communities }
}

/** Bundle is what the picture draws as one arrow: all facts from one node to another. */
export interface Bundle { id: string; head: string; tail: string; edges: GraphEdge[] }

export function bundled(edges: Iterable<GraphEdge>): Bundle[] {
  const list = new Map<string, Bundle>()
  for (const e of edges) {
    const id = e.head + '>' + e.tail
    const b = list.get(id)
    if (b) b.edges.push(e)
    else list.set(id, { id, head: e.head, tail: e.tail, edges: [e] })
  }
  return [...list.values()]
}

/** Groups are the groups that have a colour of their own, the largest first; the others are grey. */
export interface Groups { by: 'community' | 'type'; list: { key: string; name: string; n: number; colour: number }[]; rest: number }

/** groups are the communities of a graph, or its types if no community has been found yet. A group keeps the colour
 * that it had before, so that moving in time does not exchange colours. */
export function groups(graph: Graph, most: number, before?: Groups): Groups {
  const by = [...graph.nodes.values()].some(n => n.community) ? 'community' : 'type'
  const count = new Map<string, number>()
  for (const n of graph.nodes.values()) {
    const key = by === 'community' ? n.community ?? '' : n.type
    count.set(key, (count.get(key) ?? 0) + 1)
  }
  const named = [...count].filter(([key]) => key !== '').sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
  const had = new Map(before?.list.map(g => [g.key, g.colour]))
  const shown = named.slice(0, most)
  const taken = new Set(shown.map(([key]) => had.get(key)))
  const free = Array.from({ length: most }, (_, i) => i).filter(i => !taken.has(i))
  const list = shown.map(([key, n]) => ({ key, n, colour: had.get(key) ?? free.shift()!,
    name: by === 'community' ? graph.communities.get(key) || key : key.replaceAll('_', ' ') }))
  return { by, list, rest: graph.nodes.size - list.reduce((sum, g) => sum + g.n, 0) }
}

/** colourOf is the number of the colour of a node's group, or -1. */
export function colourOf(n: GraphNode, g: Groups): number {
  return g.list.find(x => x.key === (g.by === 'community' ? n.community : n.type))?.colour ?? -1
}

export interface Point { x: number; y: number }

/** started gives new nodes a place near a neighbour that has one. It is the same for the same graph. */
export function started(graph: Graph, at: ReadonlyMap<string, Point>): Map<string, Point> {
  const placed = new Map<string, Point>()
  for (const id of graph.nodes.keys()) { const p = at.get(id); if (p) placed.set(id, p) }
  const near = new Map<string, string[]>()
  for (const e of graph.edges.values()) {
    near.set(e.head, [...near.get(e.head) ?? [], e.tail])
    near.set(e.tail, [...near.get(e.tail) ?? [], e.head])
  }
  const golden = Math.PI * (3 - Math.sqrt(5))
  let i = 0
  for (const n of [...graph.nodes.values()].sort((a, b) => a.hop - b.hop)) {
    if (placed.has(n.id)) continue
    i++
    const from = near.get(n.id)?.map(id => placed.get(id)).find(p => p) ?? { x: 0, y: 0 }
    const r = 4 * Math.sqrt(i)
    placed.set(n.id, { x: from.x + r * Math.cos(i * golden), y: from.y + r * Math.sin(i * golden) })
  }
  return placed
}

/** towards is the node that an arrow key leads to: near, and in that direction. x grows to the right, y upwards. */
export function towards(at: ReadonlyMap<string, Point>, from: string, dx: number, dy: number): string | undefined {
  const here = at.get(from)
  if (!here) return undefined
  let best: string | undefined, least = Infinity
  for (const [id, p] of at) {
    const ahead = (p.x - here.x) * dx + (p.y - here.y) * dy
    const aside = Math.abs((p.x - here.x) * dy) + Math.abs((p.y - here.y) * dx)
    if (id === from || ahead <= 0 || aside > 2 * ahead) continue
    const cost = ahead + 2 * aside
    if (cost < least) { least = cost; best = id }
  }
  return best
}

/** Difference is what holds at one instant and not at another. */
export interface Difference { began: GraphEdge[]; ended: GraphEdge[]; stayed: number }

export function difference(before: Iterable<GraphEdge>, after: Iterable<GraphEdge>): Difference {
  const a = new Map([...before].map(e => [e.id, e])), b = new Map([...after].map(e => [e.id, e]))
  return { began: [...b.values()].filter(e => !a.has(e.id)), ended: [...a.values()].filter(e => !b.has(e.id)),
    stayed: [...b.keys()].filter(id => a.has(id)).length }
}
