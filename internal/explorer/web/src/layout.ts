// The layout of the graph: ForceAtlas2 on two arrays. The worker runs it, or the page where it may start no worker.
import iterate from 'graphology-layout-forceatlas2/iterate.js'

const perNode = 10, perEdge = 3

/** Job is a graph to lay out: x, y and size of each node, and the two ends of each edge by their number. */
export interface Job { places: Float32Array; ends: Uint32Array; weights: Float32Array; rounds: number }

/** layout returns a function that runs some rounds and returns the places, x and y of each node in turn. */
export function layout(job: Job): (rounds: number) => Float32Array {
  const n = job.places.length / 3, m = job.weights.length
  const nodes = new Float32Array(n * perNode), edges = new Float32Array(m * perEdge)
  for (let i = 0; i < n; i++) {
    nodes[i * perNode] = job.places[i * 3]!
    nodes[i * perNode + 1] = job.places[i * 3 + 1]!
    nodes[i * perNode + 6] = 1 // mass: one more for each edge
    nodes[i * perNode + 7] = 1 // convergence
    nodes[i * perNode + 8] = job.places[i * 3 + 2]!
  }
  for (let i = 0; i < m; i++) {
    const [a, b, w] = [job.ends[i * 2]!, job.ends[i * 2 + 1]!, job.weights[i]!]
    edges[i * perEdge] = a * perNode
    edges[i * perEdge + 1] = b * perNode
    edges[i * perEdge + 2] = w
    nodes[a * perNode + 6]! += w
    nodes[b * perNode + 6]! += w
  }
  const settings = { linLogMode: false, outboundAttractionDistribution: false, adjustSizes: n < 800, edgeWeightInfluence: 1,
    scalingRatio: 12, strongGravityMode: true, gravity: .06, slowDown: 1 + Math.log(n + 1), barnesHutOptimize: n > 1000,
    barnesHutTheta: .5 }
  return rounds => {
    for (let i = 0; i < rounds; i++) iterate(settings, nodes, edges)
    const out = new Float32Array(n * 2)
    for (let i = 0; i < n; i++) { out[i * 2] = nodes[i * perNode]!; out[i * 2 + 1] = nodes[i * perNode + 1]! }
    return out
  }
}

/** roundsFor is how many rounds a graph needs to come to rest, within some seconds. */
export function roundsFor(nodes: number): number { return Math.max(60, Math.min(400, Math.round(120_000 / (nodes + 1)))) }
