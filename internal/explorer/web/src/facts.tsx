import type { ComponentChildren } from 'preact'
import type { Clash, Fact, Relation, Turn } from './api'
import { place } from './route'
import { counted, Name, Prose, When, words } from './text'

const origins: Record<string, string> = {
  user: 'you', agent: 'agent', assistant: 'assistant', tool: 'tool', system: 'system',
}

/** Origin says who a fact or a turn comes from. */
export function Origin({ of, trust }: { of: string | undefined; trust?: number }) {
  if (!of) return null
  const title = trust === undefined ? undefined : `how far it is trusted: ${trust} of 4`
  return <span class={'origin origin-' + of} title={title}>{origins[of] ?? of}</span>
}

/** Sure shows a confidence as a bar and a number. */
export function Sure({ now, stored }: { now: number | undefined; stored?: number | undefined }) {
  if (now === undefined) return null
  const faded = stored !== undefined && stored - now >= 0.01
  return <span class="sure" title={faded
    ? `confidence: it was ${stored.toFixed(2)} when it was last said, and fades with time` : 'confidence, from 0 to 1'}>
    <span class="bar" aria-hidden="true"><i style={{ width: `${Math.round(100 * Math.min(1, now))}%` }} />
    </span>{now.toFixed(2)}{faded && <span class="faint"> of {stored.toFixed(2)}</span>}
  </span>
}

/** Sentence shows a fact as head, relation and tail, with links to the two and to the fact. */
export function Sentence({ fact, link = true }: { fact: Relation; link?: boolean }) {
  const relation = words(fact.relation)
  return <span class="sentence">
    <End id={fact.head_id} name={fact.head} /> {link ? <a class="verb" href={place(fact.id)}>{relation}</a>
      : <span class="verb">{relation}</span>} <End id={fact.tail_id} name={fact.tail} />
  </span>
}

export function End({ id, name }: { id: string | undefined; name: string | undefined }) {
  return id ? <a href={place(id)}><Name text={name} /></a> : <Name text={name} />
}

/** FactTable lists the facts of an entity from its own point of view. */
export function FactTable({ facts, of, caption }: { facts: Fact[]; of: string; caption: string }) {
  return <div class="wide"><table class="facts">
    <caption class="sr">{caption}</caption>
    <thead><tr><th scope="col">Fact</th><th scope="col">Who or what</th><th scope="col">Since</th>
      <th scope="col">Until</th><th scope="col" class="num" title="confidence, from 0 to 1">How sure</th>
      <th scope="col" title="origin">Said by</th></tr></thead>
    <tbody>{facts.map(f => {
      const out = f.head_id === of
      return <tr key={f.id} class={f.status}>
        <th scope="row"><a class="verb" href={place(f.id)}>
          <span class="arrow" aria-label={out ? 'to' : 'from'}>{out ? '→' : '←'}</span> {words(f.relation)}</a></th>
        <td>{out ? <End id={f.tail_id} name={f.tail} /> : <End id={f.head_id} name={f.head} />}
          {f.status === 'scheduled' && <span class="chip">begins later</span>}
          {f.superseded_by && <> <a class="chip" href={place(f.superseded_by)} title="superseded">replaced</a></>}</td>
        <td class={f.valid_from ? '' : 'none'}><When at={f.valid_from} none="—" /></td>
        <td class={f.valid_until ?? f.expires_at ? '' : 'none'}><When at={f.valid_until ?? f.expires_at} none="—" /></td>
        <td class="num"><Sure now={f.confidence} stored={f.stored_confidence} /></td>
        <td><Origin of={f.origin} trust={f.trust} /></td>
      </tr>
    })}</tbody>
  </table></div>
}

/** FactList lists facts of several entities, with one of their times. */
export function FactList({ facts, time }: { facts: Relation[]; time?: (f: Relation) => string | undefined }) {
  return <ul class="rows">{facts.map(f => <li key={f.id}>
    <Sentence fact={f} /><span class="meta"><Origin of={f.origin} /> {time && <When at={time(f)} />}</span>
  </li>)}</ul>
}

/** Clashes lists conflicts, each with its facts one below the other. */
export function Clashes({ list }: { list: Clash[] }) {
  return <ul class="clashes">{list.map(c => <li key={c.facts.map(f => f.id).join()}>
    <p class="why">{c.reason}</p>
    <ul class="rows">{c.facts.map(f => <li key={f.id}><Sentence fact={f} />
      <span class="meta"><Sure now={f.confidence} /> <Origin of={f.origin} trust={f.trust} /> <When at={f.valid_from} /></span>
    </li>)}</ul>
  </li>)}</ul>
}

/** Quote shows a turn: who said it, when, and what. */
export function Quote({ turn, marks, cut, children }: {
  turn: Turn; marks?: [number, number][]; cut?: 'start' | 'end' | 'both' | undefined; children?: ComponentChildren
}) {
  return <article class="turn">
    <header>
      <span class="who"><Name text={turn.speaker || turn.role} most={60} /></span>
      {turn.speaker && <span class="faint">{turn.role}</span>}
      <Origin of={turn.origin} />
      {turn.status === 'quarantined' && <span class="chip warn">in quarantine</span>}
      {!!turn.superseded_by?.length && <span class="chip" title={turn.superseded_by.join(', ')}>replaced later</span>}
      <a class="faint id" href={place(turn.id)}>{turn.id}</a>
      <span class="end"><When at={turn.occurred_at} /></span>
    </header>
    <div class="said">
      {(cut === 'start' || cut === 'both') && <span class="faint">… </span>}
      <Prose text={turn.content ?? ''} {...(marks ? { marks } : {})} />
      {(cut === 'end' || cut === 'both' || turn.truncated && !cut) && <a class="quiet" href={place(turn.id)}>Whole turn</a>}
    </div>
    {children}
  </article>
}

/** Section is a part of a page with its heading, and how many things it shows. */
export function Section({ title, n, of, children, action }: {
  title: string; n?: number | undefined; of?: number | undefined; children: ComponentChildren; action?: ComponentChildren
}) {
  const id = 's-' + title.toLowerCase().replace(/\W+/g, '-')
  return <section aria-labelledby={id}>
    <div class="heading"><h2 id={id}>{title}{n !== undefined && <span class="count">{n.toLocaleString()}
      {of !== undefined && of > n ? ` of ${of.toLocaleString()}` : ''}</span>}</h2>{action}</div>
    {children}
  </section>
}

/** Rest says how many items a list leaves out. */
export function Rest({ n, one }: { n: number; one: string }) {
  return n > 0 ? <p class="faint">and {counted(n, 'more ' + one)}</p> : null
}
