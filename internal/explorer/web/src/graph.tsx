import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { get, part, type Entity, type Found, type Relation } from './api'
import { colours, mixed, type Colours } from './colours'
import { Section, Sure } from './facts'
import { bundled, choices, degrees, empty, facets, filtered, colourOf, groups, merged, nothingHidden, started, towards,
  type Facet, type Graph, type Groups, type Hidden, type Hood, type Point } from './graphmodel'
import { Problem } from './load'
import type { Picture, Scene } from './picture'
import { href, place, replace } from './route'
import { counted, cut, Name, plain, words } from './text'
import { Between, TimeBar, useFirst } from './timebar'
import { firstDay, today, type Times } from './times'

const steps = [25, 50, 100, 200] // how many facts of a node are asked for, each time it is expanded

/** GraphView shows the neighbourhood of a search or of entities. */
export function GraphView({ ns, query, entities, times: asked }: {
  ns: string; query: string; entities: string[]; times: Times
}) {
  const [graph, setGraph] = useState<Graph>(empty)
  const [times, setTimes] = useState(asked)
  const [step, setStep] = useState<ReadonlyMap<string, number>>(new Map()) // of the expanded nodes
  const [selected, select] = useState('')
  const [hidden, setHidden] = useState<Hidden>(nothingHidden)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(true)
  const [first, setFirst] = useState(today() - 30)
  const known = useFirst(ns)
  const started = useRef(0)

  const load = useCallback(async (open: ReadonlyMap<string, number>, at: Times, base: Graph) => {
    const mine = ++started.current
    setBusy(true)
    setError(undefined)
    try {
      const now = !at.valid_at && !at.known_at
      let g = base
      for (const n of steps) {
        const ids = [...open].filter(([, s]) => s === n).map(([id]) => id)
        for (let i = 0; i < ids.length; i += 50) {
          const hood = await get<Hood>('neighbourhood', { entities: ids.slice(i, i + 50), per_node: n, ...at })
          const far = base === empty && open.size <= 3 ? await further(hood, ids, at) : hood
          g = merged(g, far, now)
        }
      }
      if (mine !== started.current) return
      setGraph(g)
      setFirst(f => Math.min(f, firstDay([...g.edges.values()].map(e => e.valid_from), f + 30)))
    } catch (e) { if (mine === started.current) setError(e) }
    if (mine === started.current) setBusy(false)
  }, [])

  useEffect(() => { // the entities that the picture begins at
    const stop = new AbortController()
    const begin = async () => {
      const ids = entities.length ? await Promise.all(entities.map(id => idOf(id, stop.signal))) : await centres(query, stop.signal)
      if (stop.signal.aborted) return
      const open = new Map(ids.map(id => [id, steps[0]!]))
      setStep(open)
      await load(open, times, empty)
      if (ids.length === 1) select(ids[0]!)
    }
    begin().catch(e => { if (!stop.signal.aborted) { setError(e); setBusy(false) } })
    return () => stop.abort()
  }, [ns, query, entities.join()])

  const expand = useCallback((id: string) => {
    select(id)
    const next = steps.find(n => n > (step.get(id) ?? 0))
    if (!next) return
    setStep(new Map(step).set(id, next))
    void load(new Map([[id, next]]), times, graph)
  }, [graph, times, step, load])
  const choose = (at: Times) => {
    setTimes(at)
    replace(href('graph', { q: query, e: entities.join(), valid_at: at.valid_at, known_at: at.known_at }))
    void load(step, at, empty)
  }
  const centre = useMemo(() => new Set(step.keys()), [step])
  const shown = useMemo(() => filtered(graph, hidden, centre), [graph, hidden, centre])
  const then = times.valid_at || times.known_at
  return <div class="graph">
    <header class="graph-top">
      <h1>{query ? <>Graph of <bdi>{cut(query, 60)}</bdi></> : 'Graph'}</h1>
      <p class="faint" role="status">{busy ? 'Loading…' : `${counted(shown.nodes.size, 'entity', 'entities')}, ${
        counted(shown.edges.size, 'fact')}${then ? ' at the chosen time' : ''}`}</p>
      <Filters graph={graph} hidden={hidden} onChange={setHidden} />
    </header>
    <TimeBar times={times} from={first} known={known} onChange={choose} />
    {error !== undefined && <Problem error={error} again={() => load(step, times, empty)} />}
    {!busy && !error && graph.nodes.size === 0
      ? <p class="notice">Nothing is known about this{then ? ' at the chosen time' : ''}. <a href={href('')}>To what is new</a></p>
      : <Both graph={shown} centre={centre} step={step} selected={selected} select={select} expand={expand} />}
    {centre.size > 0 && <Between ns={ns} entities={[...centre].slice(0, 50)} {...(centre.size === 1 ? { of: [...centre][0]! } : {})} />}
  </div>
}

/** idOf is the id of an entity by its id, name or alias. */
async function idOf(ref: string, signal: AbortSignal): Promise<string> {
  return /^[em]\d+$/.test(ref) ? ref : (await get<{ entity: Entity }>('entities/' + part(ref), { limit: 1 }, signal)).entity.id
}

/** further goes one step more where a neighbourhood is small. */
async function further(hood: Hood, ids: string[], at: Times): Promise<Hood> {
  if (hood.nodes.length >= 15 || hood.nodes.length < 2) return hood
  return get<Hood>('neighbourhood', { entities: ids, hops: 2, per_node: 25, ...at })
}

/** centres are the entities that a search is about; without a search, those of the latest facts. */
async function centres(query: string, signal: AbortSignal): Promise<string[]> {
  if (!query) {
    const { relations } = await get<{ relations: Relation[] }>('relations', { limit: 5, detail: 'full' }, signal)
    return [...new Set(relations.flatMap(r => r.head_id ?? []))]
  }
  const [named, found] = await Promise.all([
    get<{ entities: Entity[] }>('find', { query, limit: 5 }, signal),
    get<Found>('search', { query, limit: 8, detail: 'full' }, signal)])
  const facts = found.match === 'none' ? [] : found.relations.flatMap(r => [r.head_id, r.tail_id])
  const ids = [...named.entities.map(e => e.id), ...facts, ...found.match === 'none' ? [] : found.entities.map(e => e.id)]
  return [...new Set(ids.filter((id): id is string => !!id))].slice(0, 12)
}

function Filters({ graph, hidden, onChange }: { graph: Graph; hidden: Hidden; onChange: (h: Hidden) => void }) {
  const labels: Record<Facet, string> = { type: 'Type', relation: 'Relation', class: 'Class', project: 'Project', origin: 'Origin' }
  const box = useRef<HTMLDivElement>(null)
  const close = (e: Event) => {
    for (const d of box.current?.querySelectorAll('details[open]') ?? []) if (!d.contains(e.target as Node)) d.removeAttribute('open')
  }
  useEffect(() => {
    addEventListener('click', close)
    return () => removeEventListener('click', close)
  }, [])
  return <div class="filters" ref={box} role="group" aria-label="Filters">{facets.map(f => {
    const list = choices(graph, f), off = hidden[f]
    if (list.length < 2 && !off.size) return null
    const set = (v: string, on: boolean) => {
      const next = new Set(off)
      if (on) next.delete(v)
      else next.add(v)
      onChange({ ...hidden, [f]: next })
    }
    return <details key={f} onKeyDown={e => {
      if (e.key === 'Escape') { e.currentTarget.removeAttribute('open'); e.currentTarget.querySelector('summary')?.focus() }
    }}><summary>{labels[f]}{off.size > 0 && <span class="chip">{off.size} off</span>}</summary>
      <fieldset><legend class="sr">Show {labels[f].toLowerCase()}</legend>
        {list.slice(0, 60).map(([v, n]) => <label key={v}><input type="checkbox" checked={!off.has(v)}
          onChange={e => set(v, e.currentTarget.checked)} /> <span><Name text={words(v) || 'no project'} most={40} /></span>
          <span class="faint end">{n.toLocaleString()}</span></label>)}
        <p>{off.size > 0 ? <button class="quiet" onClick={() => onChange({ ...hidden, [f]: new Set() })}>Show all</button>
          : <button class="quiet" onClick={() => onChange({ ...hidden, [f]: new Set(list.map(([v]) => v)) })}>Show none</button>}</p>
      </fieldset></details>
  })}</div>
}

function useDark(): boolean {
  const media = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), [])
  const now = () => document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : media.matches
  const [dark, set] = useState(now())
  useEffect(() => {
    const l = () => set(now())
    media.addEventListener('change', l)
    addEventListener('themechange', l)
    return () => { media.removeEventListener('change', l); removeEventListener('themechange', l) }
  }, [])
  return dark
}

interface Shared {
  graph: Graph; centre: ReadonlySet<string>; step: ReadonlyMap<string, number>; selected: string
  select: (id: string) => void; expand: (id: string) => void
}

/** Both shows the picture, and beside it the same as lists. */
function Both(p: Shared) {
  const dark = useDark()
  const look = useMemo(() => colours(dark), [dark])
  const before = useRef<Groups | undefined>(undefined)
  const g = useMemo(() => before.current = groups(p.graph, look.groups.length, before.current), [p.graph, look])
  return <>
    <div class="graph-both">
      <Drawn {...p} look={look} groups={g} />
      <Side {...p} look={look} groups={g} />
    </div>
    <Legend look={look} groups={g} graph={p.graph} />
    <Facts {...p} />
  </>
}

function scene(graph: Graph, centre: ReadonlySet<string>, look: Colours, g: Groups, at: ReadonlyMap<string, Point>): Scene {
  const degree = degrees(graph.edges.values())
  const scale = Math.max(.45, Math.min(1, 7 / Math.sqrt(graph.nodes.size + 1))) // many nodes are drawn small
  return {
    places: started(graph, at),
    nodes: [...graph.nodes.values()].map(n => {
      const i = colourOf(n, g)
      return { id: n.id, label: plain(cut(n.name.replace(/\s+/g, ' '), 32)), centre: centre.has(n.id),
        more: n.cut > 0 && centre.has(n.id) ? `+ ${n.cut.toLocaleString()} more` : '', color: i < 0 ? look.other : look.groups[i]!,
        size: scale * (5 + Math.min(11, 2.2 * Math.log2(1 + (degree.get(n.id) ?? 0)))) }
    }),
    edges: bundled(graph.edges.values()).filter(b => b.head !== b.tail).map(b => {
      const most = b.edges.reduce((x, e) => e.confidence > x.confidence ? e : x)
      return { id: b.id, head: b.head, tail: b.tail,
        label: plain(cut([...new Set(b.edges.map(e => words(e.relation)))].join(', '), 40)),
        color: mixed(look.classes[most.edge_class] ?? look.other, look.theme.paper, .3 + .7 * Math.min(1, most.confidence)),
        size: Math.max(.5, scale) * (1 + 2.2 * Math.min(1, Math.max(...b.edges.map(e => e.strength)))) }
    }),
  }
}

function Drawn({ graph, centre, selected, select, expand, look, groups: g }: Shared & { look: Colours; groups: Groups }) {
  const box = useRef<HTMLDivElement>(null)
  const picture = useRef<Picture | undefined>(undefined)
  const [state, setState] = useState<'loading' | 'drawn' | 'none'>('loading')
  const acts = useRef({ select, expand })
  acts.current = { select, expand }
  useEffect(() => {
    let gone = false
    import('./picture.js').then(({ Picture, canDraw }) => {
      if (gone || !box.current) return
      if (!canDraw()) { setState('none'); return }
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches
      picture.current = new Picture(box.current, look.theme, still, {
        select: id => acts.current.select(id), expand: id => acts.current.expand(id),
        settled: () => { box.current?.setAttribute('data-settled', 'true') } })
      setState('drawn')
    }).catch(() => { if (!gone) setState('none') })
    return () => { gone = true; picture.current?.close(); picture.current = undefined }
  }, [])
  useEffect(() => {
    if (!picture.current) return
    box.current?.removeAttribute('data-settled')
    picture.current.look(look.theme)
    picture.current.show(scene(graph, centre, look, g, picture.current.places()))
    picture.current.select(selected)
  }, [graph, centre, look, state])
  useEffect(() => picture.current?.select(selected), [selected])
  const keys = (e: KeyboardEvent) => {
    const p = picture.current
    if (!p) return
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
    const d = arrows[e.key]
    if (d) {
      const at = p.places()
      const next = at.has(selected) ? towards(at, selected, d[0], d[1]) : [...centre].find(id => at.has(id)) ?? [...at.keys()][0]
      if (next) select(next)
    } else if (e.key === 'Enter' && selected) expand(selected)
    else if (e.key === 'Escape') select('')
    else if (e.key === '+' || e.key === '=') p.zoom(1 / 1.4)
    else if (e.key === '-') p.zoom(1.4)
    else if (e.key === '0') p.fit()
    else return
    e.preventDefault()
  }
  const n = graph.nodes.get(selected)
  if (state === 'none') {
    return <p class="notice">This browser has no WebGL, so the graph is shown as lists only.</p>
  }
  return <div class="picture-frame">
    <div ref={box} class="picture" tabIndex={0} role="application" onKeyDown={keys} aria-roledescription="graph"
      aria-label={`Picture of ${counted(graph.nodes.size, 'entity', 'entities')}. Arrow keys go from one to the next, Enter expands, plus and minus zoom. The lists beside it hold the same.`} />
    <span class="sr" aria-live="polite">{n && `${n.name}, ${words(n.type)}, ${counted(n.facts, 'fact')}`}</span>
    <div class="picture-tools"><button aria-label="Zoom in" onClick={() => picture.current?.zoom(1 / 1.4)}>+</button>
      <button aria-label="Zoom out" onClick={() => picture.current?.zoom(1.4)}>−</button>
      <button onClick={() => picture.current?.fit()}>Fit</button></div>
  </div>
}

/** Side shows the selected entity, or all entities of the picture. */
function Side({ graph, step, selected, select, expand, look, groups: g }: Shared & { look: Colours; groups: Groups }) {
  const n = graph.nodes.get(selected)
  const degree = useMemo(() => degrees(graph.edges.values()), [graph])
  if (!n) {
    const list = [...graph.nodes.values()].sort((a, b) => (degree.get(b.id) ?? 0) - (degree.get(a.id) ?? 0))
    return <div class="side"><h2 id="side-all">Entities<span class="count">{list.length}</span></h2>
      <ul class="picks" aria-labelledby="side-all">{list.slice(0, 200).map(n => <li key={n.id}>
        <button onClick={() => select(n.id)}><Dot look={look} i={colourOf(n, g)} /><span><Name text={n.name} most={44} /></span>
          <span class="faint end">{n.facts.toLocaleString()}</span></button></li>)}</ul>
      {list.length > 200 && <p class="faint">and {counted(list.length - 200, 'more entity', 'more entities')}</p>}</div>
  }
  const edges = [...graph.edges.values()].filter(e => e.head === n.id || e.tail === n.id).sort((a, b) => b.confidence - a.confidence)
  const community = n.community && (graph.communities.get(n.community) || n.community)
  const more = steps.find(s => s > (step.get(n.id) ?? 0))
  return <div class="side">
    <button class="quiet back" onClick={() => select('')}>← All entities</button>
    <p class="kind"><Dot look={look} i={colourOf(n, g)} />{words(n.type)}</p>
    <h2><a href={place(n.id)}><Name text={n.name} most={120} /></a></h2>
    <dl><dt>Confidence</dt><dd><Sure now={n.confidence} /></dd><dt>From</dt><dd>{n.origin}</dd>
      {community && <><dt>Community</dt><dd><a href={place(n.community!)}><Name text={community} /></a></dd></>}</dl>
    <p class="side-more">{n.cut > 0 && <span class="faint">+ {n.cut.toLocaleString()} more facts are not in the picture. </span>}
      {more && n.cut > 0 ? <button onClick={() => expand(n.id)}>Expand</button>
        : n.cut > 0 ? <a href={href('facts/' + n.id)}>See them as a list</a> : null}</p>
    <ul class="picks" aria-label={`Facts of ${n.name}`}>{edges.slice(0, 100).map(e => {
      const out = e.head === n.id, other = graph.nodes.get(out ? e.tail : e.head)
      return <li key={e.id}><button onClick={() => other && select(other.id)}>
        <span class="arrow" aria-label={out ? 'to' : 'from'} style={{ color: look.classes[e.edge_class] }}>{out ? '→' : '←'}</span>
        <span><span class="verb">{words(e.relation)}</span> <Name text={other?.name} most={44} /></span>
        <span class="faint end">{e.confidence.toFixed(2)}</span></button></li>
    })}</ul>
    {edges.length > 100 && <p class="faint">and {(edges.length - 100).toLocaleString()} more</p>}
  </div>
}

function Dot({ look, i }: { look: Colours; i: number }) {
  return <i class="dot" aria-hidden="true" style={{ background: i < 0 ? look.other : look.groups[i] }} />
}

function Legend({ look, groups: g, graph }: { look: Colours; groups: Groups; graph: Graph }) {
  const classes = choices(graph, 'class')
  return <div class="legend">
    <p><span class="faint">{g.by === 'community' ? 'Communities' : 'Types'}</span>{g.list.map(x => <span key={x.key}>
      <Dot look={look} i={x.colour} /><Name text={x.name} most={28} /></span>)}{g.rest > 0 && <span><Dot look={look} i={-1} />
      {g.by === 'community' ? 'others' : 'other types'}</span>}</p>
    <p><span class="faint">Facts</span>{classes.map(([c]) => <span key={c}><i class="stroke" aria-hidden="true"
      style={{ background: look.classes[c] ?? look.other }} />{words(c)}</span>)}
      <span class="faint">thick: strong · pale: unsure</span></p>
  </div>
}

/** Facts is the picture as a table. */
function Facts({ graph, select, expand }: Shared) {
  const [all, setAll] = useState(false)
  const edges = useMemo(() => [...graph.edges.values()].sort((a, b) => b.confidence - a.confidence), [graph])
  const end = (id: string) => <a href={place(id)} onKeyDown={e => { if (e.key === 'e') { e.preventDefault(); expand(id) } }}
    onFocus={() => select(id)}><Name text={graph.nodes.get(id)?.name} most={60} /></a>
  return <Section title="Facts in the picture" n={edges.length}>
    <div class="wide" tabIndex={0} role="region" aria-label="Facts in the picture"><table class="graph-facts"><caption class="sr">The facts of the picture, the surest first</caption>
      <thead><tr><th scope="col">From</th><th scope="col">Relation</th><th scope="col">To</th><th scope="col">Class</th>
        <th scope="col" class="num">Weight</th><th scope="col" class="num">Confidence</th><th scope="col">Origin</th></tr></thead>
      <tbody>{edges.slice(0, all ? 2000 : 25).map(e => <tr key={e.id}><td>{end(e.head)}</td>
        <th scope="row"><a class="verb" href={place(e.id)}>{words(e.relation)}</a></th><td>{end(e.tail)}</td>
        <td>{words(e.edge_class)}</td><td class="num">{e.strength.toFixed(2)}</td>
        <td class="num"><Sure now={e.confidence} /></td><td>{e.origin}</td></tr>)}</tbody></table></div>
    {!all && edges.length > 25 && <button class="quiet" onClick={() => setAll(true)}>Show all {edges.length.toLocaleString()} facts</button>}
  </Section>
}
