import { useRef, useState } from 'preact/hooks'
import { get, part, type Change, type Clash, type Community, type Entity, type Fact, type FactPage, type Found, type Node,
  type Quarantined, type Relation, type TurnPage, type Version } from './api'
import { EditEntity, EditFact, Forget, Merge, Proposal } from './acts'
import { Clashes, FactList, FactTable, Origin, Quote, Rest, Section, Sentence, Sure } from './facts'
import { Loaded, Pages, Problem, useLoad, usePages } from './load'
import { href, place, replace } from './route'
import { Calls, Entities, Held } from './start'
import { counted, Name, Prose, When, words } from './text'
import { Between, Lives, TimeBar } from './timebar'
import { firstDay, today, type Times } from './times'

/** Search shows entities, facts and turns that answer a question. */
export function Search({ ns, query }: { ns: string; query: string }) {
  const named = useLoad(`find ${ns} ${query}`, s => get<{ entities: Entity[] }>('find', { query, limit: 10 }, s))
  const found = useLoad(`search ${ns} ${query}`, s => get<Found>('search', { query, limit: 20 }, s))
  return <>
    <h1><bdi>{query}</bdi></h1>
    <div class="actions"><a href={href('graph', { q: query })}>Graph</a><a href={href('why', { q: query })}>Why this answer</a></div>
    {found.data && found.data.match !== 'strong' && <p class="notice">{found.data.match === 'none'
      ? 'No turn and no fact answers this.' : 'Nothing answers this exactly. These come close.'}</p>}
    <Loaded of={named}>{({ entities }) => entities.length > 0 && <Section title="Entities">
      <Entities list={entities} /></Section>}</Loaded>
    <Loaded of={found}>{f => <>
      {f.relations.length > 0 && <Section title="Facts"><FactList facts={f.relations} time={r => r.valid_from} /></Section>}
      {f.episodes.length > 0 && <Section title="Turns">{f.episodes.map(t => <Quote key={t.id} turn={t} />)}</Section>}
    </>}</Loaded>
  </>
}

/** EntityView shows one entity or memory. */
export function EntityView({ ns, id, at }: { ns: string; id: string; at: Times }) {
  const [times, setTimes] = useState(at)
  const then = times.valid_at || times.known_at
  const node = useLoad(`node ${ns} ${id} ${times.valid_at} ${times.known_at}`,
    s => get<Node>('entities/' + part(id), { limit: 50, ...times }, s))
  const last = useRef<Node>(undefined) // stays while a slider moves
  const first = useRef(today())
  if (node.data) last.current = node.data
  const choose = (t: Times) => {
    setTimes(t)
    replace(href('entity/' + part(id), { ...t }))
  }
  return <Loaded of={last.current ? { ...node, error: undefined, data: last.current } : node} title={id}>{n => {
    const held = [...n.facts, ...n.ended].filter(f => f.valid_from || f.valid_until)
    first.current = firstDay([n.entity.created_at, ...held.map(f => f.valid_from)], first.current)
    const proposed = n.facts.filter(proposal), facts = n.facts.filter(f => !proposal(f))
    return <>
    <header class="top">
      <p class="kind">{words(n.entity.type)}</p>
      <h1><Name text={n.entity.name} most={200} /></h1>
      {!!n.entity.aliases?.length && <p class="aliases"><span class="faint">also </span>{n.entity.aliases.map((a, i) =>
        <>{i > 0 && ', '}<Name text={a} /></>)}</p>}
      {n.entity.description && <Prose text={n.entity.description} most={600} />}
      <div class="actions"><EditEntity entity={n.entity} /><Merge entity={n.entity} />
        <Forget id={n.entity.id} what={n.entity.name ?? n.entity.id} />
        <a class="quiet" href={href('graph', { e: n.entity.id, ...times })}>Graph</a></div>
      <TimeBar times={times} from={first.current} known={firstDay([n.entity.created_at], today())} onChange={choose} />
      {node.error !== undefined && <Problem error={node.error} again={node.again} />}
    </header>
    <div class="page">
      <div class="main">
        {n.conflicts.length > 0 && <Section title="In conflict" n={n.conflicts.length}><Clashes list={n.conflicts} /></Section>}
        {proposed.length > 0 && <Section title="Possibly the same" n={proposed.length}><ul class="rows">
          {proposed.map(f => <Proposal key={f.id} fact={f} of={n.entity.id} />)}</ul></Section>}
        <Section title="Facts" n={facts.length} of={n.fact_count - proposed.length}>
          {facts.length ? <FactTable facts={facts} of={n.entity.id} caption={then ? 'Facts at the chosen time' : 'Facts that hold now'} />
            : <p class="faint">No facts {then ? 'at the chosen time' : 'hold now'}.</p>}
          {n.fact_count > n.facts.length && <a class="quiet" href={href('facts/' + part(n.entity.id))}>
            All {n.fact_count.toLocaleString()} facts</a>}
        </Section>
        {n.ended.length > 0 && <Section title="Ended" n={n.ended.length} of={n.ended_count}>
          <FactTable facts={n.ended} of={n.entity.id} caption="Facts that have ended" />
          {n.ended_count > n.ended.length && <a class="quiet" href={href('facts/' + part(n.entity.id), { status: 'ended' })}>
            All {n.ended_count.toLocaleString()} ended facts</a>}
        </Section>}
        {!then && held.length > 1 && <Section title="When they held"><Lives facts={held.slice(0, 14)} of={n.entity.id} /></Section>}
        {n.mentions.length > 0 && <Section title="Mentioned in">{n.mentions.map(t => <Quote key={t.id} turn={t} />)}</Section>}
        <Between ns={ns} entities={[n.entity.id]} of={n.entity.id} />
        <History ns={ns} path={'entities/' + part(n.entity.id)} />
      </div>
      <aside aria-label="Details"><dl>
        <dt>Id</dt><dd class="id">{n.entity.id}</dd>
        <dt>From</dt><dd><Origin of={n.entity.origin} trust={n.trust} /></dd>
        <dt>Confidence</dt><dd><Sure now={n.entity.confidence} /></dd>
        <dt>Seen</dt><dd>{counted(n.entity.observations ?? 0, 'time')}, last <When at={n.entity.last_seen} none="never" /></dd>
        <dt>Known since</dt><dd><When at={n.entity.created_at} /></dd>
        {n.entity.valid_until && <><dt>Until</dt><dd><When at={n.entity.valid_until} /></dd></>}
        {n.entity.layer !== undefined && <><dt>Layer</dt><dd>{['domain', 'concept', 'fact', 'episode'][n.entity.layer]}</dd></>}
        {n.community && <><dt>Community</dt><dd><a href={place(n.community.id)}><Name text={n.community.name || n.community.id} /></a></dd></>}
        {n.parent && <><dt>Part of</dt><dd><a href={place(n.parent.id)}><Name text={n.parent.name} /></a></dd></>}
        {n.children.length > 0 && <><dt>Contains</dt><dd><ul class="plain">{n.children.map(c =>
          <li key={c.id}><a href={place(c.id)}><Name text={c.name} /></a></li>)}</ul>
          <Rest n={n.child_count - n.children.length} one="part" /></dd></>}
      </dl></aside>
    </div>
  </>}}</Loaded>
}

/** proposal reports whether a fact only says that two entities may be one. */
function proposal(f: Fact): boolean {
  return f.relation === 'similar_to' && f.method === 'similarity' && f.head_id?.[0] === 'e' && f.tail_id?.[0] === 'e'
}

/** FactsView lists all facts of an entity, page by page. */
export function FactsView({ ns, id, status }: { ns: string; id: string; status: string }) {
  const list = usePages(`facts ${ns} ${id} ${status}`, (cursor, s) =>
    get<{ relations: Relation[]; next_cursor?: string }>('relations', { entity: id || undefined, status, cursor, limit: 50, detail: 'full' }, s),
    r => r.relations)
  return <><h1>{status === 'ended' ? 'Ended facts' : 'Facts'}{id && <> of <a href={place(id)}>{id}</a></>}</h1>
    <Pages of={list}>{facts => <FactList facts={facts} time={f => id ? f.valid_from : f.created_at} />}</Pages></>
}

/** FactView shows one fact with its evidence. */
export function FactView({ ns, id }: { ns: string; id: string }) {
  const page = useLoad(`fact ${ns} ${id}`, s => get<FactPage>('relations/' + part(id), {}, s))
  return <Loaded of={page} title={id}>{p => <>
    <header class="top">
      <p class="kind">fact{p.fact.status !== 'active' && <span class="chip">{p.fact.status}</span>}</p>
      <h1><Sentence fact={p.fact} link={false} /></h1>
      {p.fact.fact && !same(p.fact.fact, `${p.fact.head} ${words(p.fact.relation)} ${p.fact.tail}`) && <Prose text={p.fact.fact} most={600} />}
      <div class="actions"><EditFact fact={p.fact} /><Forget id={p.fact.id} what="this fact" /></div>
    </header>
    <div class="page">
      <div class="main">
        <Section title="Life"><Lives facts={[...p.superseded_by ? [p.superseded_by] : [], p.fact, ...p.supersedes.slice(0, 10)]} />
        </Section>
        {p.superseded_by && <Section title="Superseded by"><FactList facts={[p.superseded_by]} time={f => f.valid_from} /></Section>}
        {p.conflicts.length > 0 && <Section title="In conflict" n={p.conflicts.length}><Clashes list={p.conflicts} /></Section>}
        <Section title="Evidence" n={p.evidence.length} of={p.evidence_count}>
          {p.evidence.length ? p.evidence.map(e => <Quote key={e.id} turn={e} marks={e.highlights} cut={e.cut} />)
            : <p class="faint">It follows from other content; no turn says it.</p>}
        </Section>
        {p.supersedes.length > 0 && <Section title="Superseded" n={p.supersedes.length}>
          <FactList facts={p.supersedes} time={f => f.valid_until} /></Section>}
        <History ns={ns} path={'relations/' + part(p.fact.id)} />
      </div>
      <aside aria-label="Details"><dl>
        <dt>Id</dt><dd class="id">{p.fact.id}</dd>
        <dt>Since</dt><dd><When at={p.fact.valid_from} none="unknown" /></dd>
        <dt>Until</dt><dd><When at={p.fact.valid_until ?? p.fact.expires_at} none="holds now" /></dd>
        <dt>Confidence</dt><dd><Sure now={p.fact.confidence} stored={p.fact.stored_confidence} /></dd>
        <dt>From</dt><dd><Origin of={p.fact.origin} trust={p.fact.trust} /> <span class="faint">{words(p.fact.method)}</span></dd>
        <dt>Class</dt><dd>{words(p.fact.edge_class)}</dd>
        <dt>Strength</dt><dd>{p.fact.strength?.toFixed(2)}</dd>
        <dt>Last observed</dt><dd><When at={p.fact.last_observed} /></dd>
        <dt>Stored</dt><dd><When at={p.fact.created_at} /></dd>
      </dl></aside>
    </div>
  </>}</Loaded>
}

function same(a: string, b: string): boolean {
  const plain = (s: string) => s.toLowerCase().replace(/[\s.]+/g, ' ').trim()
  return plain(a) === plain(b)
}

/** History lists the versions of an entity or a fact: what was believed when, and which call wrote it. */
function History({ ns, path }: { ns: string; path: string }) {
  const list = useLoad(`history ${ns} ${path}`, s => get<{ versions: Version[] }>(path + '/history', { limit: 50, detail: 'full' }, s))
  return <Loaded of={list}>{({ versions }) => <Section title="History" n={versions.length}>
    <div class="wide" tabIndex={0} role="region" aria-label="Versions"><table class="history"><caption class="sr">Versions, the newest first</caption>
      <thead><tr><th scope="col">Version</th><th scope="col">Cause</th><th scope="col">Believed since</th>
        <th scope="col">Until</th><th scope="col">True since</th><th scope="col">Until</th>
        <th scope="col" class="num">Confidence</th><th scope="col">By</th></tr></thead>
      <tbody>{versions.map(v => {
        const is = v.relation ?? v.entity
        return <tr key={v.version}><th scope="row">{v.version}</th>
          <td>{words(v.cause)}{v.event?.reason && <p class="faint"><Name text={v.event.reason} most={120} /></p>}</td>
          <td><When at={v.created_at} /></td><td><When at={v.expired_at} none="now" /></td>
          <td><When at={is?.valid_from} none="—" /></td><td><When at={is?.valid_until} none="—" /></td>
          <td class="num"><Sure now={is?.confidence} /></td>
          <td>{v.event && <><span title={v.event.call_id}>{words(v.event.action)}</span>{' '}
            {v.event.episode && <a class="id" href={place(v.event.episode)}>{v.event.episode}</a>}</>}</td></tr>
      })}</tbody></table></div>
  </Section>}</Loaded>
}

/** TurnView shows one turn and the facts that it is evidence of. */
export function TurnView({ ns, id }: { ns: string; id: string }) {
  const page = useLoad(`turn ${ns} ${id}`, s => get<TurnPage>('turns/' + part(id), {}, s))
  return <Loaded of={page} title={id}>{p => <>
    <header class="top"><h1>Turn {p.turn.id}</h1>
      <div class="actions"><Forget id={p.turn.id} what="this turn" /></div></header>
    <div class="page"><div class="main">
      <Quote turn={p.turn} />
      <Section title="Facts from it" n={p.facts.length}>
        {p.facts.length ? <FactList facts={p.facts} time={f => f.valid_from} /> : <p class="faint">It is evidence of no fact.</p>}
      </Section></div>
      <aside aria-label="Details"><dl>
        <dt>Said</dt><dd><When at={p.turn.occurred_at} /></dd>
        <dt>Stored</dt><dd><When at={p.turn.created_at} /></dd>
        <dt>From</dt><dd><Origin of={p.turn.origin} trust={p.trust} /></dd>
        <dt>Status</dt><dd>{p.turn.status}</dd>
        {p.turn.source && <><dt>Source</dt><dd><Name text={p.turn.source} /></dd></>}
        {p.turn.project && <><dt>Project</dt><dd><Name text={p.turn.project} /></dd></>}
        {p.turn.session_id && <><dt>Session</dt><dd><Name text={p.turn.session_id} /></dd></>}
      </dl></aside></div>
  </>}</Loaded>
}

export function Changes({ ns }: { ns: string }) {
  const list = usePages('changes' + ns, (cursor, s) =>
    get<{ changes: Change[]; next_cursor?: string }>('changes', { limit: 50, cursor }, s), r => r.changes)
  return <><h1>What changed</h1><Pages of={list}>{changes => <Calls changes={changes} />}</Pages></>
}

export function Conflicts({ ns }: { ns: string }) {
  const list = useLoad('conflicts' + ns, s => get<{ conflicts: Clash[] }>('conflicts', { limit: 50 }, s))
  return <><h1>In conflict</h1><Loaded of={list}>{({ conflicts }) => conflicts.length ? <Clashes list={conflicts} />
    : <p class="faint">No facts contradict each other.</p>}</Loaded></>
}

export function Quarantine({ ns }: { ns: string }) {
  const list = useLoad('quarantine' + ns, s => get<{ turns: Quarantined[] }>('quarantine', { limit: 50 }, s))
  return <><h1>In quarantine</h1><p class="faint">These turns look like attacks. Searches find them, but nothing is
    learnt from them until somebody releases them.</p>
    <Loaded of={list}>{({ turns }) => turns.length ? turns.map(t => <Held key={t.id} turn={t} />)
      : <p class="faint">No turn looks like an attack.</p>}</Loaded></>
}

export function Communities({ ns }: { ns: string }) {
  const list = useLoad('communities' + ns, s => get<{ communities: Community[] }>('communities', { limit: 50 }, s))
  return <><h1>Communities</h1><Loaded of={list}>{({ communities }) => communities.length ? communities.map(c =>
    <section class="community" key={c.id}><h2><a href={place(c.id)}><Name text={c.name || c.id} /></a>
      <span class="count">{c.size}</span></h2>
      {c.summary && <Prose text={c.summary} most={400} />}</section>)
    : <p class="faint">No communities have been found yet. They are groups of closely connected entities.</p>}</Loaded></>
}

export function CommunityView({ ns, id }: { ns: string; id: string }) {
  const one = useLoad(`community ${ns} ${id}`, s => get<{ communities: Community[]; entities: Entity[] }>('communities',
    { community: id, limit: 50 }, s))
  return <Loaded of={one} title={id}>{({ communities: [c], entities }) => <>
    <header class="top"><p class="kind">community</p><h1><Name text={c?.name || id} /></h1>
      {c?.summary && <Prose text={c.summary} />}
      {c?.stale && <p class="faint">A fact that it tells has ended since. It is written anew next time.</p>}</header>
    <Section title="Members" n={entities.length} of={c?.size}><Entities list={entities} /></Section>
    <p><a href={href('communities')}>All communities</a></p></>}</Loaded>
}
