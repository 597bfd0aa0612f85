import { get, type Change, type Clash, type Entity, type Quarantined, type Relation } from './api'
import { Clashes, FactList, Origin, Quote, Section } from './facts'
import { Loaded, useLoad } from './load'
import { href, place } from './route'
import { Name, startOfToday, When, words } from './text'
import { Release, Undo } from './acts'

/** Start is the first view: what is new, changed, in conflict and in quarantine. */
export function Start({ ns }: { ns: string }) {
  const learnt = useLoad('learnt' + ns, s => get<{ relations: Relation[] }>('relations', { limit: 50, detail: 'full', status: 'all' }, s))
  const changes = useLoad('changed' + ns, s => get<{ changes: Change[] }>('changes', { limit: 50 }, s))
  const clashes = useLoad('clashes' + ns, s => get<{ conflicts: Clash[]; more: boolean }>('conflicts', { limit: 5 }, s))
  const held = useLoad('held' + ns, s => get<{ turns: Quarantined[]; more: boolean }>('quarantine', { limit: 5 }, s))
  return <>
    <h1 class="sr">What is new</h1>
    <div class="columns">
      <Loaded of={learnt}>{({ relations }) => {
        const today = relations.filter(r => r.created_at && new Date(r.created_at) >= startOfToday())
        const shown = (today.length ? today : relations).slice(0, 12)
        return <Section title={today.length || !relations.length ? 'Learnt today' : 'Last learnt'} n={shown.length || undefined} of={today.length}
          action={relations.length > shown.length && <a class="quiet" href={href('facts')}>All facts</a>}>
          {shown.length ? <FactList facts={shown} time={r => r.created_at} /> : <Empty ns={ns} />}
        </Section>
      }}</Loaded>
      <Loaded of={changes}>{({ changes }) => <Section title="Changed"
        action={<a class="quiet" href={href('changes')}>All changes</a>}>
        <Calls changes={changes} most={8} /></Section>}</Loaded>
      <Loaded of={clashes}>{({ conflicts, more }) => <Section title="In conflict" n={conflicts.length || undefined}
        action={more && <a class="quiet" href={href('conflicts')}>All conflicts</a>}>
        {conflicts.length ? <Clashes list={conflicts} /> : <p class="faint">No facts contradict each other.</p>}
      </Section>}</Loaded>
      <Loaded of={held}>{({ turns, more }) => <Section title="In quarantine" n={turns.length || undefined}
        action={more && <a class="quiet" href={href('quarantine')}>All turns in quarantine</a>}>
        {turns.length ? turns.map(t => <Held key={t.id} turn={t} />)
          : <p class="faint">No turn looks like an attack.</p>}
      </Section>}</Loaded>
    </div>
  </>
}

function Empty({ ns }: { ns: string }) {
  return <p class="faint">No facts are stored{ns && ' in this namespace'} yet.</p>
}

/** Held shows a turn in quarantine, why it is there, and the way out. */
export function Held({ turn }: { turn: Quarantined }) {
  return <Quote turn={turn}>
    <footer>{turn.reasons.length > 0 && <Reasons list={turn.reasons} />}
      <Release turn={turn.id} /></footer>
  </Quote>
}

/** Reasons says why a turn is in quarantine: the score and the first signs, and all of them on demand. */
function Reasons({ list }: { list: string[] }) {
  const [score, ...signs] = list.map(words)
  const most = 4
  return <details class="reasons"><summary>{score}: {signs.slice(0, most).join(', ')}
    {signs.length > most && ` and ${signs.length - most} more`}</summary>
    <p><Name text={signs.slice(most).join(', ')} most={1000} /></p></details>
}

interface Call { id: string; first: Change; objects: Map<string, string>; undone: boolean }

/** calls groups changes by the call that made them. */
function calls(changes: Change[]): Call[] {
  const list: Call[] = []
  for (const c of changes) {
    let last = list[list.length - 1]
    if (!last || !c.call_id || last.id !== c.call_id) list.push(last = { id: c.call_id ?? '', first: c, objects: new Map(), undone: false })
    if (c.object) last.objects.set(c.object, c.what ?? '')
    last.undone ||= !!c.undone_by
  }
  return list
}

/** verbs are the actions of calls as people say them. */
const verbs: Record<string, string> = {
  store_episode: 'told', create_entity: 'added', create_relation: 'added', create_entities: 'added', create_relations: 'added',
  update_entity: 'edited', update_relation: 'edited', supersede: 'ended', merge_entities: 'merged', unmerge: 'took apart',
  undo: 'reverted', forget: 'forgot', release: 'released', retain: 'retained', reflect: 'placed', import: 'imported',
  extract: 'read in a turn', expire: 'ran out', link: 'linked',
}

/** Calls lists what calls changed, the newest first, with a way to undo each. */
export function Calls({ changes, most = 1e9 }: { changes: Change[]; most?: number }) {
  const list = calls(changes).slice(0, most)
  if (!list.length) return <p class="faint">Nothing has changed yet.</p>
  return <ul class="rows calls">{list.map((c, i) => <li key={c.id + i} class={c.undone ? 'undone' : ''}>
    <div><span class="act">{verbs[c.first.action] ?? words(c.first.action)}</span>{' '}
      <Objects of={c} /> {c.undone && <span class="chip">undone</span>}
      {c.first.reason && <p class="faint"><Name text={c.first.reason} most={160} /></p>}</div>
    <span class="meta">{/^(cli|explore)$/.test(c.first.actor ?? '') ? <Origin of="user" />
      : c.first.client && <span class="faint"><Name text={c.first.client} most={30} /></span>}
      <When at={c.first.at} />{c.id && !c.undone && c.first.action !== 'forget' && <Undo call={c.id} />}</span>
  </li>)}</ul>
}

function Objects({ of }: { of: Call }) {
  const most = 3
  const all = [...of.objects].filter(([id, what]) => what || id[0] === 't').reverse()
  const facts = all.filter(([id]) => id[0] === 'r')
  const named = facts.length ? facts : all // a fact names its entities
  return <>{named.slice(0, most).map(([id, what], i) => <>{i > 0 && ', '}
    <a href={place(id)}><Name text={id[0] === 'r' ? words(what) : what || id} most={60} /></a></>)}
    {named.length > most && <span class="faint"> and {named.length - most} more</span>}</>
}

/** Entities lists entities with their type and number of facts. */
export function Entities({ list }: { list: Entity[] }) {
  return <ul class="rows">{list.map(e => <li key={e.id}>
    <div><a href={place(e.id)}><Name text={e.name} /></a> <span class="type">{words(e.type)}</span>
      {e.description && <p class="faint"><Name text={e.description} most={160} /></p>}</div>
    <span class="meta">{e.facts !== undefined && `${e.facts.toLocaleString()} facts`}</span>
  </li>)}</ul>
}
