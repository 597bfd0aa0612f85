// The picture of the graph: sigma draws it with WebGL. The page loads this file when a picture is wanted.
import { DirectedGraph } from 'graphology'
import Sigma from 'sigma'
import type { Point } from './graphmodel'
import { layout, roundsFor, type Job } from './layout'

export interface DrawnNode { id: string; label: string; more: string; color: string; size: number; centre: boolean }
export interface DrawnEdge { id: string; head: string; tail: string; label: string; color: string; size: number }
export interface Scene { nodes: DrawnNode[]; edges: DrawnEdge[]; places: ReadonlyMap<string, Point> }
export interface Theme { ink: string; soft: string; paper: string; raised: string; accent: string; dim: string }

interface NodeLook { x: number; y: number; label: string; more: string; color: string; size: number; centre: boolean }
interface EdgeLook { label: string; color: string; size: number; type: string }

type Drawing = { label?: string | null; x: number; y: number; size: number; more?: string; selected?: boolean }

export class Picture {
  private graph = new DirectedGraph<NodeLook, EdgeLook>()
  private sigma: Sigma<NodeLook, EdgeLook>
  private selected = ''
  private hovered = ''
  private worker: Worker | undefined
  private order: string[] = []
  private frame = 0

  constructor(el: HTMLElement, private theme: Theme, private still: boolean,
    on: { select(id: string): void; expand(id: string): void; settled(): void }) {
    this.settled = on.settled
    this.sigma = new Sigma<NodeLook, EdgeLook>(this.graph, el, {
      allowInvalidContainer: true, zIndex: true, labelRenderedSizeThreshold: 5, labelDensity: 1.2, labelGridCellSize: 110,
      renderEdgeLabels: true, edgeLabelSize: 11, labelSize: 13, labelFont: 'system-ui, sans-serif', stagePadding: el.clientWidth < 500 ? 34 : 56,
      edgeLabelFont: 'system-ui, sans-serif', defaultEdgeType: 'arrow', minEdgeThickness: 1, hideEdgesOnMove: false,
      maxCameraRatio: 4, minCameraRatio: .05, zoomDuration: still ? 0 : 200,
      labelColor: { color: theme.ink }, edgeLabelColor: { color: theme.soft },
      defaultDrawNodeLabel: (c, d) => this.label(c, d as Drawing), defaultDrawNodeHover: (c, d) => this.plate(c, d as Drawing),
      nodeReducer: (id, look) => this.nodeLook(id, look), edgeReducer: (id, look) => this.edgeLook(id, look),
    })
    this.sigma.on('clickNode', ({ node }) => on.select(node))
    this.sigma.on('doubleClickNode', e => { e.preventSigmaDefault(); on.expand(e.node) })
    this.sigma.on('clickStage', () => on.select(''))
    this.sigma.on('enterNode', ({ node }) => this.hover(node))
    this.sigma.on('leaveNode', () => this.hover(''))
    this.drag()
  }

  private settled: () => void

  /** show draws a scene. Nodes that are drawn already stay where they are. */
  show(scene: Scene) {
    const nodes = new Map(scene.nodes.map(n => [n.id, n])), edges = new Map(scene.edges.map(e => [e.id, e]))
    for (const e of this.graph.edges()) if (!edges.has(e)) this.graph.dropEdge(e)
    for (const n of this.graph.nodes()) if (!nodes.has(n)) this.graph.dropNode(n)
    let grown = false
    for (const n of scene.nodes) {
      const look = { label: n.label, more: n.more, color: n.color, size: n.size, centre: n.centre }
      if (this.graph.hasNode(n.id)) this.graph.mergeNodeAttributes(n.id, look)
      else { this.graph.addNode(n.id, { ...look, ...(scene.places.get(n.id) ?? { x: 0, y: 0 }) }); grown = true }
    }
    for (const e of scene.edges) {
      const look = { label: e.label, color: e.color, size: e.size, type: e.head === e.tail ? 'line' : 'arrow' }
      if (this.graph.hasEdge(e.id)) this.graph.mergeEdgeAttributes(e.id, look)
      else { this.graph.addDirectedEdgeWithKey(e.id, e.head, e.tail, look); grown = true }
    }
    if (grown) this.settle()
  }

  places(): Map<string, Point> {
    const at = new Map<string, Point>()
    this.graph.forEachNode((id, { x, y }) => at.set(id, { x, y }))
    return at
  }

  select(id: string) {
    this.selected = this.graph.hasNode(id) ? id : ''
    this.sigma.refresh({ skipIndexation: true })
    const at = this.selected && this.sigma.getNodeDisplayData(this.selected)
    if (!at) return
    const view = this.sigma.framedGraphToViewport(at), { width, height } = this.sigma.getDimensions()
    if (view.x > 40 && view.y > 40 && view.x < width - 40 && view.y < height - 40) return
    this.move({ x: at.x, y: at.y })
  }

  look(theme: Theme) {
    this.theme = theme
    this.sigma.setSettings({ labelColor: { color: theme.ink }, edgeLabelColor: { color: theme.soft } })
    this.sigma.refresh({ skipIndexation: true })
  }

  zoom(by: number) { this.move({ ratio: this.sigma.getCamera().ratio * by }) }
  fit() { this.move({ x: .5, y: .5, ratio: 1, angle: 0 }) }

  close() {
    this.stop()
    this.worker?.terminate()
    this.sigma.kill()
  }

  private move(to: { x?: number; y?: number; ratio?: number; angle?: number }) {
    const camera = this.sigma.getCamera()
    if (this.still) camera.setState(to)
    else void camera.animate(to, { duration: 300 })
  }

  private hover(id: string) {
    this.hovered = id
    this.sigma.refresh({ skipIndexation: true })
  }

  private nodeLook(id: string, look: NodeLook) {
    const focus = this.hovered || this.selected
    if (id === focus || id === this.selected) return { ...look, highlighted: true, forceLabel: true, zIndex: 2, selected: true }
    if (!focus || this.graph.areNeighbors(id, focus)) return { ...look, forceLabel: look.centre, zIndex: 1 }
    return { ...look, color: this.theme.dim, label: '', more: '', zIndex: 0 }
  }

  private edgeLook(id: string, look: EdgeLook) {
    const focus = this.hovered || this.selected
    if (!focus) return { ...look, label: this.graph.size > 40 ? '' : look.label }
    if (this.graph.extremities(id).includes(focus)) {
      const few = this.graph.degree(focus) <= 30
      return { ...look, label: few ? look.label : '', forceLabel: few, zIndex: 1, size: look.size + (few ? .5 : 0) }
    }
    return { ...look, color: this.theme.dim, label: '', zIndex: 0 }
  }

  // A label stands on a plate of the background, so edges do not cross it out.
  private label(c: CanvasRenderingContext2D, d: Drawing) {
    if (!d.label) return
    const y = d.y + 4.5, gap = d.size + (d.selected ? 9 : 5)
    const narrow = this.sigma.getDimensions().width < 500
    const bold = `500 ${narrow ? 11 : 13}px system-ui, sans-serif`, small = `${narrow ? 10 : 11}px system-ui, sans-serif`
    c.font = bold
    const width = c.measureText(d.label + ' ').width
    c.font = small
    const all = d.more ? width + c.measureText(d.more).width : width - 3
    const fits = d.x + gap + all < this.sigma.getDimensions().width || d.x - gap - all < 0
    const x = fits ? d.x + gap : d.x - gap - all // at the right edge it stands left of its node
    c.globalAlpha = .82
    c.fillStyle = this.theme.paper
    c.beginPath()
    c.roundRect(x - 3, d.y - 9, all + 6, 18, 4)
    c.fill()
    c.globalAlpha = 1
    if (d.more) {
      c.fillStyle = this.theme.soft
      c.fillText(d.more, x + width, y)
    }
    c.font = bold
    c.fillStyle = this.theme.ink
    c.fillText(d.label, x, y)
  }

  // The node that is selected or hovered has a ring.
  private plate(c: CanvasRenderingContext2D, d: Drawing) {
    c.beginPath()
    c.arc(d.x, d.y, d.size + 3.5, 0, 2 * Math.PI)
    c.lineWidth = 2
    c.strokeStyle = this.theme.accent
    c.stroke()
    this.label(c, d)
  }

  private drag() {
    let node = ''
    this.sigma.on('downNode', e => { node = e.node; if (!this.sigma.getCustomBBox()) this.sigma.setCustomBBox(this.sigma.getBBox()) })
    this.sigma.on('moveBody', ({ event }) => {
      if (!node) return
      this.stop()
      const at = this.sigma.viewportToGraph(event)
      this.graph.mergeNodeAttributes(node, { x: at.x, y: at.y })
      event.preventSigmaDefault()
      event.original.preventDefault()
    })
    const drop = () => { node = '' }
    this.sigma.on('upNode', drop)
    this.sigma.on('upStage', drop)
  }

  private stop() {
    cancelAnimationFrame(this.frame)
    this.worker?.postMessage(null)
    this.order = []
  }

  /** settle lays the graph out, beside the page where that is possible. */
  private settle() {
    this.stop()
    this.sigma.setCustomBBox(null)
    this.order = this.graph.nodes()
    const number = new Map(this.order.map((id, i) => [id, i]))
    const job: Job = { places: new Float32Array(this.order.length * 3), ends: new Uint32Array(this.graph.size * 2),
      weights: new Float32Array(this.graph.size).fill(1), rounds: roundsFor(this.order.length) }
    this.order.forEach((id, i) => {
      const { x, y, size } = this.graph.getNodeAttributes(id)
      job.places.set([x, y, size], i * 3)
    })
    let i = 0
    this.graph.forEachEdge((_, __, head, tail) => { job.ends.set([number.get(head)!, number.get(tail)!], 2 * i++) })
    if (job.weights.length === 0) { this.settled(); return }
    try {
      if ('app' in document.documentElement.dataset) throw new Error('a host allows no worker')
      this.worker ??= this.work()
      this.worker.postMessage(job)
    } catch {
      this.slices(job)
    }
  }

  private work(): Worker {
    const worker = new Worker(script('layout.worker.js') as string, { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<{ places: Float32Array; last: boolean }>) => this.place(data.places, data.last)
    return worker
  }

  // Where the page may start no worker, as inside a host, the layout runs between frames.
  private slices(job: Job) {
    const step = layout(job)
    let left = Math.min(job.rounds, 150)
    const tick = () => {
      const began = performance.now()
      let places: Float32Array
      do { places = step(1); left-- } while (left > 0 && performance.now() - began < 8)
      this.place(places, left <= 0)
      if (left > 0) this.frame = requestAnimationFrame(tick)
    }
    tick()
  }

  private place(places: Float32Array, last: boolean) {
    if (places.length !== 2 * this.order.length || this.still && !last) return
    this.order.forEach((id, i) => {
      if (this.graph.hasNode(id)) this.graph.mergeNodeAttributes(id, { x: places[2 * i]!, y: places[2 * i + 1]! })
    })
    if (last) this.settled()
  }
}

declare const trustedTypes: undefined | {
  createPolicy(name: string, rules: { createScriptURL(s: string): string }): { createScriptURL(s: string): unknown }
}

/** script is the address of the worker, which the policy of the page allows and no other. */
const policy = typeof trustedTypes === 'undefined' ? undefined : trustedTypes.createPolicy('explore', {
  createScriptURL: s => { if (s === 'layout.worker.js') return s; throw new TypeError('no other script') },
})
function script(s: string): unknown { return policy ? policy.createScriptURL(s) : s }

/** canDraw reports whether the browser has WebGL. */
export function canDraw(): boolean {
  const canvas = document.createElement('canvas')
  const gl = canvas.getContext('webgl2') ?? canvas.getContext('webgl')
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return gl !== null
}
