import { get, type Call, type Clash, type Entity, type Quarantined } from './api'
import { Release } from './acts'
import { Calls } from './calls'
import { CreateEntity } from './create'
import { Clashes, Quote, Section } from './facts'
import { Loaded, useLoad } from './load'
import { ToDecide } from './proposals'
import { href, place } from './route'
import { learns } from './say'
import { counted, Name, startOfToday, words } from './text'

/** Start is the first view: what is new, changed, in conflict, in quarantine and to decide. */
export function Start({ ns }: { ns: string }) {
  const calls = useLoad('calls' + ns, s => get<{ calls: Call[] }>('calls', { limit: 40 }, s))
  const clashes = useLoad('clashes' + ns, s => get<{ conflicts: Clash[]; more: boolean }>('conflicts', { limit: 5 }, s))
  const held = useLoad('held' + ns, s => get<{ turns: Quarantined[]; more: boolean }>('quarantine', { limit: 5 }, s))
  return <>
    <div class="start-top"><h1 class="sr">What is new</h1><CreateEntity /></div>
    <div class="columns">
      <Loaded of={calls}>{({ calls }) => {
        const learnt = calls.filter(c => learns(c) && !c.undone_by)
        const today = learnt.filter(c => new Date(c.at) >= startOfToday())
        return <Section title={today.length || !learnt.length ? 'Learnt today' : 'Last learnt'}
          action={learnt.length > 0 && <a class="quiet" href={href('facts')}>All facts</a>}>
          {learnt.length ? <Calls ns={ns} calls={(today.length ? today : learnt).slice(0, 10)} /> : <Empty ns={ns} />}
        </Section>
      }}</Loaded>
      <Loaded of={calls}>{({ calls }) => {
        const changes = calls.filter(c => !learns(c) || c.undone_by)
        return <Section title="Changed" action={<a class="quiet" href={href('changes')}>All changes</a>}>
          {changes.length ? <Calls ns={ns} calls={changes.slice(0, 8)} /> : <p class="faint">Nothing was corrected or replaced lately.</p>}
        </Section>
      }}</Loaded>
      <Loaded of={clashes}>{({ conflicts, more }) => <Section title="In conflict" n={conflicts.length || undefined}
        action={more && <a class="quiet" href={href('conflicts')}>All conflicts</a>}>
        {conflicts.length ? <Clashes list={conflicts} /> : <p class="faint">No facts contradict each other.</p>}
      </Section>}</Loaded>
      <Loaded of={held}>{({ turns, more }) => <Section title="In quarantine" n={turns.length || undefined}
        action={more && <a class="quiet" href={href('quarantine')}>All turns in quarantine</a>}>
        {turns.length ? turns.map(t => <Held key={t.id} turn={t} />)
          : <p class="faint">No turn looks like an attack.</p>}
      </Section>}</Loaded>
      <ToDecide ns={ns} most={5} />
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
  return <details class="reasons"><summary title={score}>Looks like an attack: {signs.slice(0, most).join(', ')}
    {signs.length > most && ` and ${signs.length - most} more`}</summary>
    <p><Name text={signs.slice(most).join(', ')} most={1000} /></p></details>
}

/** Entities lists entities with their type and number of facts. */
export function Entities({ list }: { list: Entity[] }) {
  return <ul class="rows">{list.map(e => <li key={e.id}>
    <div><a href={place(e.id)}><Name text={e.name} /></a> <span class="type">{words(e.type)}</span>
      {e.description && <p class="faint"><Name text={e.description} most={160} /></p>}</div>
    <span class="meta">{e.facts !== undefined && counted(e.facts, 'fact')}</span>
  </li>)}</ul>
}
