import { useRef, useState } from 'preact/hooks'
import { Failed, get, part, type Call, type Clash, type Community, type Entity, type Fact, type FactPage, type Found, type Node,
  type Quarantined, type Relation, type TurnPage, type Version } from './api'
import { EditEntity, EditFact, Forget, Merge } from './acts'
import { Calls } from './calls'
import { CreateFact, Unmerge } from './create'
import { Clashes, FactList, FactTable, Origin, Quote, Rest, Section, Sentence, Sure } from './facts'
import { Loaded, Pages, Problem, useLoad, usePages } from './load'
import { alike, newer, NewVersion, Parents, Same } from './proposals'
import { href, place, replace, useTitle } from './route'
import { causeWords, classWords, layerWords, methodWords } from './say'
import { Entities, Held } from './start'
import { counted, instant, Name, Prose, When, words } from './text'
import { Between, Lives, TimeBar } from './timebar'
import { firstDay, today, type Times } from './times'

/** Search shows entities, facts and turns that answer a question. */
export function Search({ ns, query }: { ns: string; query: string }) {
  const named = useLoad(`find ${ns} ${query}`, s => get<{ entities: Entity[] }>('find', { query, limit: 10 }, s))
  const found = useLoad(`search ${ns} ${query}`, s => get<Found>('search', { query, limit: 20 }, s))
  return <>
    <h1><bdi>{query}</bdi></h1>
    <div class="actions"><a href={href('graph', { q: query })}>Graph</a><a href={href('why', { q: query })}>Why this answer</a></div>
    {found.data && found.data.match !== 'strong' && <p class="notice" title={'match: ' + found.data.match}>{found.data.match === 'none'
      ? 'Nothing in the memory answers this.' : 'Nothing in the memory answers this for certain. These come close.'}</p>}
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
  useTitle(node.data?.entity.name)
  const e = node.error
  if (e instanceof Failed && e.status === 404 && then) return <NotYet ns={ns} id={id} name={e.candidates[0]?.name} times={times} onChange={choose} />
  return <Loaded of={last.current ? { ...node, error: undefined, data: last.current } : node} title={id}>{n => {
    const held = [...n.facts, ...n.ended].filter(f => f.valid_from || f.valid_until)
    first.current = firstDay([n.entity.created_at, ...held.map(f => f.valid_from)], first.current)
    const same = n.facts.filter(alike), versions = n.facts.filter(newer), proposed = same.length + versions.length
    const facts = n.facts.filter(f => !alike(f) && !newer(f))
    return <>
    <header class="top">
      <p class="kind">{words(n.entity.type)}</p>
      <h1><Name text={n.entity.name} most={200} /></h1>
      {!!n.entity.aliases?.length && <p class="aliases"><span class="faint">also </span>{n.entity.aliases.map((a, i) =>
        <>{i > 0 && ', '}<Name text={a} /></>)}</p>}
      {n.entity.description && <Prose text={n.entity.description} most={600} />}
      <div class="actions"><CreateFact entity={n.entity} /><EditEntity entity={n.entity} />{n.entity.id[0] === 'e' && <Merge entity={n.entity} />}
        <Forget id={n.entity.id} what={n.entity.name ?? n.entity.id} />
        <a class="quiet" href={href('graph', { e: n.entity.id, ...times })}>Graph</a></div>
      <TimeBar times={times} from={first.current} known={firstDay([n.entity.created_at], today())} onChange={choose} />
      {node.error !== undefined && <Problem error={node.error} again={node.again} />}
    </header>
    <div class="page">
      <div class="main">
        {n.conflicts.length > 0 && <Section title="In conflict" n={n.conflicts.length}><Clashes list={n.conflicts} /></Section>}
        {proposed > 0 && !then && <Section title="To decide" n={proposed}><ul class="rows">
          {same.map(f => <Same key={f.id} fact={f} of={n.entity.id} />)}{versions.map(f => <NewVersion key={f.id} fact={f} />)}</ul></Section>}
        {n.entity.id[0] === 'm' && !n.parent && !then && <Parents ns={ns} id={n.entity.id} />}
        <Section title="Facts" n={facts.length} of={n.fact_count - proposed}>
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
        <dt title="origin">Said by</dt><dd><Origin of={n.entity.origin} trust={n.trust} /></dd>
        <dt title="confidence">How sure</dt><dd><Sure now={n.entity.confidence} /></dd>
        <dt>Heard of</dt><dd>{counted(n.entity.observations ?? 0, 'time')}, last <When at={n.entity.last_seen} none="never" /></dd>
        <dt title="known since">Stored</dt><dd><When at={n.entity.created_at} /></dd>
        {n.entity.valid_until && <><dt>Until</dt><dd><When at={n.entity.valid_until} /></dd></>}
        {n.entity.layer !== undefined && <><dt title="layer: domain, concept, fact or episode">How broad</dt><dd>{layerWords(n.entity.layer)}</dd></>}
        {n.community && <><dt title="community: entities with many facts among themselves">Group</dt><dd><a href={place(n.community.id)}><Name text={n.community.name || 'without a name'} /></a></dd></>}
        {n.parent && <><dt>Part of</dt><dd><a href={place(n.parent.id)}><Name text={n.parent.name} /></a></dd></>}
        {n.children.length > 0 && <><dt>Contains</dt><dd><ul class="plain">{n.children.map(c =>
          <li key={c.id}><a href={place(c.id)}><Name text={c.name} /></a></li>)}</ul>
          <Rest n={n.child_count - n.children.length} one="part" /></dd></>}
        {n.merged.length > 0 && <><dt title="other entities that were merged into this one">Was also</dt><dd><ul class="plain merged">{n.merged.map(m =>
          <li key={m.id}><Name text={m.name} /> <Unmerge merged={m} into={n.entity.name} /></li>)}</ul></dd></>}
      </dl></aside>
    </div>
  </>}}</Loaded>
}

/** NotYet says that the memory did not know an entity then, and leads back to a time at which it did. */
function NotYet({ ns, id, name, times, onChange }: {
  ns: string; id: string; name: string | undefined; times: Times; onChange: (t: Times) => void
}) {
  const now = useLoad(`now ${ns} ${id}`, s => get<Node>('entities/' + part(id), { limit: 1 }, s))
  useTitle(now.data?.entity.name)
  return <Loaded of={now} title={name ?? id}>{({ entity }) => <>
    <header class="top"><p class="kind">{words(entity.type)}</p><h1><Name text={entity.name} most={200} /></h1>
      <TimeBar times={times} from={firstDay([entity.created_at, entity.valid_from], today())}
        known={firstDay([entity.created_at], today())} onChange={onChange} /></header>
    {entity.created_at && times.known_at && new Date(times.known_at) <= new Date(entity.created_at)
      ? <p class="lead">The memory did not know this before {instant(entity.created_at)}.</p>
      : <p class="lead">Nothing is known about it at the chosen time.</p>}
    <div class="actions"><button class="main-button" onClick={() => onChange({})}>Show it as it is now</button></div>
  </>}</Loaded>
}

/** FactsView lists all facts of an entity, page by page. */
export function FactsView({ ns, id, status }: { ns: string; id: string; status: string }) {
  const list = usePages(`facts ${ns} ${id} ${status}`, (cursor, s) =>
    get<{ relations: Relation[]; next_cursor?: string }>('relations', { entity: id || undefined, status, cursor, limit: 50, detail: 'full' }, s),
    r => r.relations)
  const of = useLoad(`of ${ns} ${id}`, s => id ? get<Node>('entities/' + part(id), { limit: 1 }, s) : Promise.resolve(null))
  const name = of.data?.entity.name
  const title = status === 'ended' ? 'Ended facts' : 'Facts'
  useTitle(name ? `${title} of ${name}` : title)
  return <><h1>{title}{id && <> of <a href={place(id)}><Name text={name ?? id} /></a></>}</h1>
    <Pages of={list}>{facts => <FactList facts={facts} time={f => id ? f.valid_from : f.created_at} />}</Pages></>
}

/** FactView shows one fact with its evidence. */
export function FactView({ ns, id }: { ns: string; id: string }) {
  const page = useLoad(`fact ${ns} ${id}`, s => get<FactPage>('relations/' + part(id), {}, s))
  const f = page.data?.fact
  useTitle(f && `${f.head} ${words(f.relation)} ${f.tail}`)
  return <Loaded of={page} title={id}>{p => <>
    <header class="top">
      <p class="kind">fact{p.fact.status !== 'active' && <span class="chip">{p.fact.status === 'scheduled' ? 'begins later'
        : p.superseded_by ? 'replaced' : 'ended'}</span>}</p>
      <h1><Sentence fact={p.fact} link={false} /></h1>
      {p.fact.fact && !same(p.fact.fact, `${p.fact.head} ${words(p.fact.relation)} ${p.fact.tail}`) && <Prose text={p.fact.fact} most={600} />}
      <div class="actions"><EditFact fact={p.fact} /><Forget id={p.fact.id} what="this fact" /></div>
    </header>
    <div class="page">
      <div class="main">
        <Section title="Life"><Lives facts={[...p.superseded_by ? [p.superseded_by] : [], p.fact, ...p.supersedes.slice(0, 10)]} />
        </Section>
        {p.superseded_by && <Section title="Replaced by"><FactList facts={[p.superseded_by]} time={f => f.valid_from} /></Section>}
        {p.conflicts.length > 0 && <Section title="In conflict" n={p.conflicts.length}><Clashes list={p.conflicts} /></Section>}
        <Section title="Evidence" n={p.evidence.length} of={p.evidence_count}>
          {p.evidence.length ? p.evidence.map(e => <Quote key={e.id} turn={e} marks={e.highlights} cut={e.cut} />)
            : <p class="faint">No turn says it. It was entered by hand, or follows from other facts.</p>}
        </Section>
        {p.supersedes.length > 0 && <Section title="It replaced" n={p.supersedes.length}>
          <FactList facts={p.supersedes} time={f => f.valid_until} /></Section>}
        <History ns={ns} path={'relations/' + part(p.fact.id)} later={p.superseded_by} />
      </div>
      <aside aria-label="Details"><dl>
        <dt>Id</dt><dd class="id">{p.fact.id}</dd>
        <dt>Since</dt><dd><When at={p.fact.valid_from} none="unknown" /></dd>
        <dt>Until</dt><dd><When at={p.fact.valid_until ?? p.fact.expires_at} none="holds now" /></dd>
        <dt title="confidence: as it is now, and as it was stored">How sure</dt><dd><Sure now={p.fact.confidence} stored={p.fact.stored_confidence} /></dd>
        <dt title="origin">Said by</dt><dd><Origin of={p.fact.origin} trust={p.fact.trust} /></dd>
        <dt title="method">How known</dt><dd title={p.fact.method}>{methodWords(p.fact.method)}</dd>
        <dt title="class of the relation">Kind of link</dt><dd title={p.fact.edge_class}>{classWords(p.fact.edge_class)}</dd>
        <dt title="strength: how closely the two belong together, from 0 to 1">How close</dt><dd>{p.fact.strength?.toFixed(2)}</dd>
        <dt title="last observed">Last said</dt><dd><When at={p.fact.last_observed} /></dd>
        <dt title="created at">Stored</dt><dd><When at={p.fact.created_at} /></dd>
      </dl></aside>
    </div>
  </>}</Loaded>
}

function same(a: string, b: string): boolean {
  const plain = (s: string) => s.toLowerCase().replace(/[\s.]+/g, ' ').trim()
  return plain(a) === plain(b)
}

/** History lists the versions of an entity or a fact: what was believed when, and which call wrote it. */
function History({ ns, path, later }: { ns: string; path: string; later?: Fact | undefined }) {
  const list = useLoad(`history ${ns} ${path}`, s => get<{ versions: Version[] }>(path + '/history', { limit: 50, detail: 'full' }, s))
  return <Loaded of={list}>{({ versions: all }) => { const versions = distinct(all); return <Section title="History" n={versions.length}>
    <div class="wide" tabIndex={0} role="region" aria-label="Versions"><table class="history"><caption class="sr">Versions, the newest first</caption>
      <thead><tr><th scope="col">Version</th><th scope="col">What happened</th><th scope="col" title="known at">Believed since</th>
        <th scope="col">Until</th><th scope="col" title="valid at">True since</th><th scope="col">Until</th>
        <th scope="col" class="num" title="confidence">How sure</th><th scope="col" title="origin">Said by</th></tr></thead>
      <tbody>{versions.map(v => {
        const is = v.relation ?? v.entity, by = v.relation?.superseded_by
        return <tr key={v.version}><th scope="row">{v.version}</th>
          <td><span title={`${v.cause}${v.event ? ', by ' + v.event.action : ''}`}>{causeWords(v.cause === 'superseded' && !by ? 'ended' : v.cause)}</span>
            {by && <> by <a href={place(by)}>{later?.id === by ? <Name text={`${later.head} ${words(later.relation)} ${later.tail}`} /> : by}</a></>}
            {v.event?.episode && <> <a class="id" href={place(v.event.episode)}>{v.event.episode}</a></>}
            {v.event?.reason && <p class="faint"><Name text={v.event.reason} most={120} /></p>}</td>
          <td><When at={v.created_at} /></td><td><When at={v.expired_at} none="now" /></td>
          <td><When at={is?.valid_from} none="—" /></td><td><When at={is?.valid_until} none="—" /></td>
          <td class="num"><Sure now={is?.confidence} /></td>
          <td><Origin of={is?.origin} /></td></tr>
      })}</tbody></table></div>
  </Section>}}</Loaded>
}

/** distinct leaves out a version that the same call replaced at once, for the same cause: nobody ever read it. */
export function distinct(versions: Version[]): Version[] {
  return versions.filter((v, i) => {
    const next = versions[i - 1]
    return !next || v.cause !== next.cause || v.created_at !== next.created_at || v.event?.call_id !== next.event?.call_id
  })
}

/** TurnView shows one turn and the facts that it is evidence of. */
export function TurnView({ ns, id }: { ns: string; id: string }) {
  const page = useLoad(`turn ${ns} ${id}`, s => get<TurnPage>('turns/' + part(id), {}, s))
  useTitle(page.data && `${page.data.turn.speaker || page.data.turn.role}: ${page.data.turn.content ?? ''}`)
  return <Loaded of={page} title={id}>{p => <>
    <header class="top"><h1 title="a turn: one message, answer, note or output">Turn {p.turn.id}</h1>
      <div class="actions"><Forget id={p.turn.id} what="this turn" /></div></header>
    <div class="page"><div class="main">
      <Quote turn={p.turn} />
      <Section title="Facts from it" n={p.facts.length}>
        {p.facts.length ? <FactList facts={p.facts} time={f => f.valid_from} /> : <p class="faint">No fact was learnt from it.</p>}
      </Section></div>
      <aside aria-label="Details"><dl>
        <dt>Said</dt><dd><When at={p.turn.occurred_at} /></dd>
        <dt>Stored</dt><dd><When at={p.turn.created_at} /></dd>
        <dt title="origin">Said by</dt><dd><Origin of={p.turn.origin} trust={p.trust} /></dd>
        <dt title="status: how far facts have been read in it">Read</dt><dd title={p.turn.status}>{readWords[p.turn.status ?? ''] ?? words(p.turn.status)}</dd>
        {p.turn.source && <><dt>Source</dt><dd><Name text={p.turn.source} /></dd></>}
        {p.turn.project && <><dt>Project</dt><dd><Name text={p.turn.project} /></dd></>}
        {p.turn.session_id && <><dt>Session</dt><dd><Name text={p.turn.session_id} /></dd></>}
      </dl></aside></div>
  </>}</Loaded>
}

const readWords: Record<string, string> = {
  pending: 'not yet', done: 'yes', skipped: 'only by rules', failed: 'failed', quarantined: 'no: held in quarantine', disabled: 'only by rules',
}

export function Changes({ ns }: { ns: string }) {
  const list = usePages('changes' + ns, (cursor, s) =>
    get<{ calls: Call[]; next_cursor?: string }>('calls', { limit: 50, cursor }, s), r => r.calls)
  return <><h1>What changed</h1><Pages of={list}>{calls => <Calls ns={ns} calls={calls} />}</Pages></>
}

export function Conflicts({ ns }: { ns: string }) {
  const list = useLoad('conflicts' + ns, s => get<{ conflicts: Clash[] }>('conflicts', { limit: 50 }, s))
  return <><h1>In conflict</h1><p class="faint">These facts cannot all be true. Open one to end, replace or correct it.</p><Loaded of={list}>{({ conflicts }) => conflicts.length ? <Clashes list={conflicts} />
    : <p class="faint">No facts contradict each other.</p>}</Loaded></>
}

export function Quarantine({ ns }: { ns: string }) {
  const list = useLoad('quarantine' + ns, s => get<{ turns: Quarantined[] }>('quarantine', { limit: 50 }, s))
  return <><h1>In quarantine</h1><p class="faint">These turns look as if somebody wanted to give orders to an agent through
    them. Nothing is learnt from them, and no agent gets them unasked, until you release them.</p>
    <Loaded of={list}>{({ turns }) => turns.length ? turns.map(t => <Held key={t.id} turn={t} />)
      : <p class="faint">No turn looks like an attack.</p>}</Loaded></>
}

export function Communities({ ns }: { ns: string }) {
  const list = useLoad('communities' + ns, s => get<{ communities: Community[] }>('communities', { limit: 50 }, s))
  return <><h1>Communities</h1><p class="faint">Groups of people and things that have many facts among themselves.</p><Loaded of={list}>{({ communities }) => communities.length ? communities.map(c =>
    <section class="community" key={c.id}><h2><a href={place(c.id)}><Name text={c.name || 'without a name'} /></a>
      <span class="count">{c.size}</span></h2>
      {c.summary && <Prose text={c.summary} most={400} />}</section>)
    : <p class="faint">None have been found yet.</p>}</Loaded></>
}

export function CommunityView({ ns, id }: { ns: string; id: string }) {
  const one = useLoad(`community ${ns} ${id}`, s => get<{ communities: Community[]; entities: Entity[] }>('communities',
    { community: id, limit: 50 }, s))
  useTitle(one.data?.communities[0]?.name)
  return <Loaded of={one} title={id}>{({ communities: [c], entities }) => <>
    <header class="top"><p class="kind">community</p><h1><Name text={c?.name || 'A group without a name'} /></h1>
      {c?.summary && <Prose text={c.summary} />}
      {c?.stale && <p class="faint">One of these facts has ended since. The text is written anew soon.</p>}</header>
    <Section title="Members" n={entities.length} of={c?.size}><Entities list={entities} /></Section>
    <p><a href={href('communities')}>All communities</a></p></>}</Loaded>
}
